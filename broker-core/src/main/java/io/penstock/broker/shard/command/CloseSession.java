package io.penstock.broker.shard.command;

/** Forgets a client that is gone. */
public final class CloseSession extends ShardCommand {
    public CloseSession(final int ioAgent, final long sessionId) {
        super(ioAgent, sessionId);
    }

    @Override
    public boolean isReplied() {
        return false;
    }

    @Override
    public boolean execute(final ShardOperations shard) {
        shard.removeSession(sessionId());
        return true;
    }
}
