package io.penstock.broker.shard.command;

/** Forgets a client that has disconnected. */
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
