package io.penstock.broker.shard.command;

/** A command that changes nothing of what the log has: it concerns clients of this broker alone, and never waits for room. */
public abstract class LocalCommand extends ShardCommand {
    LocalCommand(final int ioAgent, final long sessionId) {
        super(ioAgent, sessionId);
    }

    @Override
    public final boolean execute(final ShardOperations shard) {
        run(shard);
        return true;
    }

    /**
     * Runs the command. Called by the sequencer.
     *
     * @param shard to run on.
     */
    abstract void run(LocalOperations shard);
}
