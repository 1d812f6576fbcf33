package io.penstock.broker.shard.command;

/** Asks for the highest sequence that was applied for a named publisher. */
public final class FindPublisher extends ShardCommand {
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
    public boolean execute(final ShardOperations shard) {
        lastSequence = shard.lastSequence(shard.findPublisher(name));
        return true;
    }
}
