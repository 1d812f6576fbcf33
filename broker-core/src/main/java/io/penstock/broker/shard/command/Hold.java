package io.penstock.broker.shard.command;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Interest;
import org.jspecify.annotations.Nullable;

/**
 * Says where the log is for one feed of a subscription that is served by a cursor, and adds the feed if it is to go
 * live later.
 */
public final class Hold extends LocalCommand {
    final Interest interest;

    private final boolean isDiverted;
    private long newestSequence;
    private long oldestSequence;
    private long timeNs;
    private final @Nullable Filter filter;
    private final @Nullable DescriptorRing ring;
    private final long replacedFeed;

    /**
     * @param filter       of the interest; null for everything.
     * @param ring         for when it goes live; null when it never does.
     * @param replacedFeed ends as this one starts; 0 for none.
     * @param isDiverted   whether the client did not ask for this.
     */
    public Hold(
            final int ioAgent,
            final Interest interest,
            final @Nullable Filter filter,
            final @Nullable DescriptorRing ring,
            final long replacedFeed,
            final boolean isDiverted) {
        super(ioAgent, interest.sessionId());
        this.interest = interest;
        this.filter = filter;
        this.ring = ring;
        this.replacedFeed = replacedFeed;
        this.isDiverted = isDiverted;
    }

    /** The time of the shard's clock, since 1970. */
    public long timeNs() {
        return timeNs;
    }

    /** The newest record there is, and the oldest one that the window has. */
    public long newestSequence() {
        return newestSequence;
    }

    public long oldestSequence() {
        return oldestSequence;
    }

    public Interest interest() {
        return interest;
    }

    /** Whether the client did not ask for this, but lagged too far. */
    public boolean isDiverted() {
        return isDiverted;
    }

    @Override
    void run(final LocalOperations shard) {
        if (replacedFeed != 0) {
            shard.unsubscribe(replacedFeed);
        }
        if (ring != null) {
            shard.subscribe(interest, filter, null, ring, true);
        }
        newestSequence = shard.newestSequence();
        oldestSequence = shard.oldestSequence();
        timeNs = shard.timeNs();
    }
}
