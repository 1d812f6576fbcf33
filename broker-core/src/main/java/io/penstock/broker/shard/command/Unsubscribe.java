package io.penstock.broker.shard.command;

/** Removes one feed of a subscription. */
public final class Unsubscribe extends LocalCommand {
    final long feed;
    private final boolean replied;

    public Unsubscribe(final int ioAgent, final long sessionId, final long feed, final boolean replied) {
        super(ioAgent, sessionId);
        this.feed = feed;
        this.replied = replied;
    }

    @Override
    public boolean isReplied() {
        return replied;
    }

    @Override
    void run(final LocalOperations shard) {
        shard.unsubscribe(feed);
    }
}
