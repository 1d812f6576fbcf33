package io.penstock.broker.shard.command;

/** Removes one feed of a subscription. */
public final class Unsubscribe extends ShardCommand {
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
    public boolean execute(final ShardOperations shard) {
        shard.unsubscribe(feed);
        return true;
    }
}
