package io.penstock.broker.shard.command;

/** The client of a subscription has been sent the state. */
public final class Resume extends ShardCommand {
    private final long feed;

    public Resume(final int ioAgent, final long sessionId, final long feed) {
        super(ioAgent, sessionId);
        this.feed = feed;
    }

    @Override
    public boolean isReplied() {
        return false;
    }

    @Override
    public boolean execute(final ShardOperations shard) {
        shard.resume(feed);
        return true;
    }
}
