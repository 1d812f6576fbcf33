package io.penstock.broker;

/**
 * Bounds of what one client may use up of what is kept for all, so that others go on whatever it does.
 *
 * @param publisherSequenceGapMax how far the publisher sequence of a message may be above the highest of its publisher
 *                                before it; messages further above are refused, since all below them would count as
 *                                applied.
 */
public record QuotaConfig(long publisherSequenceGapMax) {
    public static final long PUBLISHER_SEQUENCE_GAP_MAX_DEFAULT = 1_000_000_000_000L;

    public QuotaConfig {
        Limits.check("quotas.publisherSequenceGapMax", publisherSequenceGapMax, 1, Long.MAX_VALUE);
    }

    public static QuotaConfig defaults() {
        return new QuotaConfig(PUBLISHER_SEQUENCE_GAP_MAX_DEFAULT);
    }
}
