package io.penstock.broker;

import io.penstock.broker.security.IdentityQuotas;

/**
 * Bounds on shared resources that one client may use, so that others can go on whatever it does.
 *
 * @param publisherSequenceGapMax how far the publisher sequence of a message may be above the highest of its publisher
 *                                before it; messages further above are refused, since all below them would count as
 *                                applied.
 * @param topicsPerConnectionMax  topics that one connection may create.
 * @param topicsPerIdentityMax    topics that all connections of one user may create while the broker runs, or, where
 *                                they have proved no user, all of one machine.
 * @param publishersPerIdentityMax names of publishers that a shard did not know before and that all connections of one
 *                                user, or of one machine, may publish under while the broker runs, in all shards.
 * @param perIdentity             what all sessions of one user, or of one machine, may use at a time.
 */
public record QuotaConfig(
        long publisherSequenceGapMax,
        int topicsPerConnectionMax,
        int topicsPerIdentityMax,
        int publishersPerIdentityMax,
        IdentityQuotas perIdentity) {
    public static final long PUBLISHER_SEQUENCE_GAP_MAX_DEFAULT = 1_000_000_000_000L;
    public static final int TOPICS_PER_CONNECTION_MAX_DEFAULT = 5_000;
    public static final int TOPICS_PER_IDENTITY_MAX_DEFAULT = 8_000;
    public static final int PUBLISHERS_PER_IDENTITY_MAX_DEFAULT = 50_000;

    public QuotaConfig {
        Limits.check("quotas.publisherSequenceGapMax", publisherSequenceGapMax, 1, Long.MAX_VALUE);
        Limits.check("quotas.topicsPerConnectionMax", topicsPerConnectionMax, 0, Integer.MAX_VALUE);
        Limits.check("quotas.topicsPerIdentityMax", topicsPerIdentityMax, 0, Integer.MAX_VALUE);
        Limits.check("quotas.publishersPerIdentityMax", publishersPerIdentityMax, 0, Integer.MAX_VALUE);
        perIdentity.check("quotas.perIdentity.", 0);
    }

    /** Bounds of what is made, and none of what is used at a time. */
    public QuotaConfig(
            final long publisherSequenceGapMax,
            final int topicsPerConnectionMax,
            final int topicsPerIdentityMax,
            final int publishersPerIdentityMax) {
        this(
                publisherSequenceGapMax,
                topicsPerConnectionMax,
                topicsPerIdentityMax,
                publishersPerIdentityMax,
                IdentityQuotas.UNBOUNDED);
    }

    /** The same, but for what is used at a time. */
    public QuotaConfig withPerIdentity(final IdentityQuotas value) {
        return new QuotaConfig(
                publisherSequenceGapMax, topicsPerConnectionMax, topicsPerIdentityMax, publishersPerIdentityMax, value);
    }

    public static QuotaConfig defaults() {
        return new QuotaConfig(
                PUBLISHER_SEQUENCE_GAP_MAX_DEFAULT,
                TOPICS_PER_CONNECTION_MAX_DEFAULT,
                TOPICS_PER_IDENTITY_MAX_DEFAULT,
                PUBLISHERS_PER_IDENTITY_MAX_DEFAULT,
                IdentityQuotas.DEFAULTS);
    }
}
