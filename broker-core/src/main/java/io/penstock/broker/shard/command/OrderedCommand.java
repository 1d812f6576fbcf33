package io.penstock.broker.shard.command;

/** A command that changes what the log has: its place among messages and others of these decides what it does. */
public abstract class OrderedCommand extends ShardCommand {
    OrderedCommand(final int ioAgent, final long sessionId) {
        super(ioAgent, sessionId);
    }
}
