package io.penstock.broker.shard.command;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Interest;
import org.jspecify.annotations.Nullable;

/**
 * Gives a feed of a subscription another filter, and another number, from the next record on. Nothing is done when the
 * sequencer does not serve it: its I/O agent finds the notice of that in the ring.
 */
public final class ChangeFilter extends ShardCommand {
    private final long changedFeed;
    private final Interest interest;
    private final @Nullable Filter filter;
    private final DescriptorRing ring;
    private boolean isEnqueued;

    /**
     * Makes a command.
     *
     * @param ioAgent     of the client.
     * @param changedFeed number of the feed so far.
     * @param interest    of the feed from now on.
     * @param filter      of the interest; null for everything.
     * @param ring        that the feed goes into.
     */
    public ChangeFilter(
            final int ioAgent,
            final long changedFeed,
            final Interest interest,
            final @Nullable Filter filter,
            final DescriptorRing ring) {
        super(ioAgent, interest.sessionId());
        this.changedFeed = changedFeed;
        this.interest = interest;
        this.filter = filter;
        this.ring = ring;
    }

    /** The number that the feed had before. */
    public long changedFeed() {
        return changedFeed;
    }

    /** Of the feed from now on. */
    public Interest interest() {
        return interest;
    }

    /** Whether all that was matched by the earlier filter was enqueued, and the feed is served by the next one. */
    public boolean isEnqueued() {
        return isEnqueued;
    }

    @Override
    public boolean execute(final ShardOperations shard) {
        isEnqueued = shard.supersede(changedFeed);
        if (isEnqueued) {
            shard.subscribe(interest, filter, null, ring, false);
        }
        return true;
    }
}
