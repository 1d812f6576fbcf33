package io.penstock.broker.shard.command;

/** Forgets a client that has disconnected. */
public final class CloseSession extends LocalCommand {
    public CloseSession(final int ioAgent, final long sessionId) {
        super(ioAgent, sessionId);
    }

    @Override
    public boolean isReplied() {
        return false;
    }

    @Override
    void run(final LocalOperations shard) {
        shard.removeSession(sessionId());
    }
}
