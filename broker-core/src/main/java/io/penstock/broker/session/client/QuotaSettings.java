package io.penstock.broker.session.client;

import io.penstock.broker.security.IdentityCounts;
import io.penstock.broker.shard.command.CreatedTopics;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The shared resources that one client may use. The same for all I/O agents; any thread may change the bounds while they
 * are in use.
 */
public final class QuotaSettings {
    private final AtomicLong publisherSequenceGapMax = new AtomicLong();
    private final AtomicInteger topicsPerConnectionMax = new AtomicInteger();
    private final CreatedTopics createdTopics;
    private final IdentityCounts createdPublishers;

    /**
     * Makes them with nothing used.
     *
     * @param publisherSequenceGapMax  see {@link #publisherSequenceGapMax}.
     * @param topicsPerConnectionMax   see {@link #topicsPerConnectionMax}.
     * @param topicsPerIdentityMax     topics that one identity may create.
     * @param publishersPerIdentityMax names of publishers that one identity may make.
     */
    public QuotaSettings(
            final long publisherSequenceGapMax,
            final int topicsPerConnectionMax,
            final int topicsPerIdentityMax,
            final int publishersPerIdentityMax) {
        this.publisherSequenceGapMax.set(publisherSequenceGapMax);
        this.topicsPerConnectionMax.set(topicsPerConnectionMax);
        createdTopics = new CreatedTopics(topicsPerIdentityMax);
        createdPublishers = new IdentityCounts(publishersPerIdentityMax);
    }

    /** Takes the bounds of others. Who has used more already keeps it. */
    public void boundsOf(final QuotaSettings other) {
        publisherSequenceGapMax.set(other.publisherSequenceGapMax());
        topicsPerConnectionMax.set(other.topicsPerConnectionMax());
        createdTopics.counts().countMax(other.createdTopics.counts().countMax());
        createdPublishers.countMax(other.createdPublishers.countMax());
    }

    /** How far the sequence of a message may be above the highest before it. */
    public long publisherSequenceGapMax() {
        return publisherSequenceGapMax.get();
    }

    /** Topics that one connection may create. */
    public int topicsPerConnectionMax() {
        return topicsPerConnectionMax.get();
    }

    /** Counts the topics of each identity. */
    public CreatedTopics createdTopics() {
        return createdTopics;
    }

    /** Counts the names of publishers of each identity, in each shard. */
    public IdentityCounts createdPublishers() {
        return createdPublishers;
    }
}
