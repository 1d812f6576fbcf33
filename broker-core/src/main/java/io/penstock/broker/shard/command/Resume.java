package io.penstock.broker.shard.command;

/** The client of a subscription has been sent the state. */
public final class Resume extends ShardCommand {
    private final long part;

    public Resume(final int ioAgent, final long sessionId, final long part) {
        super(ioAgent, sessionId);
        this.part = part;
    }

    @Override
    public boolean isReplied() {
        return false;
    }

    @Override
    public boolean execute(final ShardOperations shard) {
        shard.resume(part);
        return true;
    }
}
