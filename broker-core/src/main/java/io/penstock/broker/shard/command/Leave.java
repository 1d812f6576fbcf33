package io.penstock.broker.shard.command;

/** Ends one part of a subscription that was replaced by one with no part in this shard. */
public final class Leave extends ShardCommand {
    final long part;

    private boolean isDescribed;
    private long endSequence;

    public Leave(final int ioAgent, final long sessionId, final long part) {
        super(ioAgent, sessionId);
        this.part = part;
    }

    /** The first record that is not for it. */
    public long endSequence() {
        return endSequence;
    }

    /** Whether all that it is to get was described. */
    public boolean isDescribed() {
        return isDescribed;
    }

    public long part() {
        return part;
    }

    @Override
    public boolean execute(final ShardOperations shard) {
        isDescribed = shard.leave(part);
        endSequence = shard.newestSequence() + 1;
        return true;
    }
}
