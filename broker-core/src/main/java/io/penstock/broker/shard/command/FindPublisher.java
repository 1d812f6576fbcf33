package io.penstock.broker.shard.command;

/** Asks for the highest sequence that was applied for a named publisher. */
public final class FindPublisher extends LocalCommand {
    final String name;
    private final int shardIndex;
    private long lastSequence;
    private boolean isKnown;

    public FindPublisher(final int ioAgent, final long sessionId, final int shardIndex, final String name) {
        super(ioAgent, sessionId);
        this.shardIndex = shardIndex;
        this.name = name;
    }

    public int shardIndex() {
        return shardIndex;
    }

    /** Whether the shard has such a publisher. */
    public boolean isKnown() {
        return isKnown;
    }

    public long lastSequence() {
        return lastSequence;
    }

    @Override
    void run(final LocalOperations shard) {
        final int publisherId = shard.findPublisher(name);
        isKnown = publisherId != 0;
        lastSequence = shard.lastSequence(publisherId);
    }
}
