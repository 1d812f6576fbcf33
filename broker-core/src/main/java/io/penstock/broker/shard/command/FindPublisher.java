package io.penstock.broker.shard.command;

/** Asks for the highest sequence that was applied for a named publisher. */
public final class FindPublisher extends LocalCommand {
    final String name;
    private long lastSequence;

    public FindPublisher(final int ioAgent, final long sessionId, final String name) {
        super(ioAgent, sessionId);
        this.name = name;
    }

    public long lastSequence() {
        return lastSequence;
    }

    @Override
    void run(final LocalOperations shard) {
        lastSequence = shard.lastSequence(shard.findPublisher(name));
    }
}
