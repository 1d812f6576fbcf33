package io.penstock.broker.shard.command;

/** Ends one feed of a subscription that was replaced by one with no feed in this shard. */
public final class Supersede extends LocalCommand {
    final long feed;

    private boolean isEnqueued;
    private long endSequence;

    public Supersede(final int ioAgent, final long sessionId, final long feed) {
        super(ioAgent, sessionId);
        this.feed = feed;
    }

    /** The first record that is not for it. */
    public long endSequence() {
        return endSequence;
    }

    /** Whether all that it is to get was enqueued. */
    public boolean isEnqueued() {
        return isEnqueued;
    }

    public long feed() {
        return feed;
    }

    @Override
    void run(final LocalOperations shard) {
        isEnqueued = shard.supersede(feed);
        endSequence = shard.newestSequence() + 1;
    }
}
