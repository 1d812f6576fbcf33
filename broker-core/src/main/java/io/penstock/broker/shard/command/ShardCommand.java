package io.penstock.broker.shard.command;

import io.penstock.broker.concurrent.IoNotice;

/**
 * A command from a client's I/O agent to a shard's sequencer. It belongs to the sequencer from the moment it is
 * offered, and to the I/O agent again when it comes back as the reply; it is never shared.
 */
public abstract class ShardCommand implements IoNotice {
    private final long sessionId;
    private final int ioAgent;

    ShardCommand(final int ioAgent, final long sessionId) {
        this.ioAgent = ioAgent;
        this.sessionId = sessionId;
    }

    public long sessionId() {
        return sessionId;
    }

    /**
     * Who gets the reply.
     *
     * @return index of the I/O agent.
     */
    public int ioAgent() {
        return ioAgent;
    }

    /**
     * Whether the I/O agent waits for the reply.
     *
     * @return false when nobody does.
     */
    public boolean isReplied() {
        return true;
    }

    /**
     * Runs the command. Called by the sequencer.
     *
     * @param shard to run on.
     * @return false when the log has no room now and the command has to be run again later.
     */
    public abstract boolean execute(ShardOperations shard);
}
