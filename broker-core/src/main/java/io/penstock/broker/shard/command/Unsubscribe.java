package io.penstock.broker.shard.command;

/** Removes one part of a subscription. */
public final class Unsubscribe extends ShardCommand {
    final long part;
    private final boolean replied;

    public Unsubscribe(final int ioAgent, final long sessionId, final long part, final boolean replied) {
        super(ioAgent, sessionId);
        this.part = part;
        this.replied = replied;
    }

    @Override
    public boolean isReplied() {
        return replied;
    }

    @Override
    public boolean execute(final ShardOperations shard) {
        shard.unsubscribe(part);
        return true;
    }
}
