package io.penstock.broker.shard.command;

/** Says where the log is now. */
public final class Locate extends LocalCommand {
    final int shard;

    private long newestSequence;
    private long timeNs;

    public Locate(final int ioAgent, final long sessionId, final int shard) {
        super(ioAgent, sessionId);
        this.shard = shard;
    }

    /** The newest record there is. */
    public long newestSequence() {
        return newestSequence;
    }

    /** The time of the shard's clock, since 1970; what it takes later is not before it. */
    public long timeNs() {
        return timeNs;
    }

    public int shard() {
        return shard;
    }

    @Override
    void run(final LocalOperations operations) {
        newestSequence = operations.newestSequence();
        timeNs = operations.timeNs();
    }
}
