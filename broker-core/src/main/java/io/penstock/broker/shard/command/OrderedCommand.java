package io.penstock.broker.shard.command;

import io.penstock.broker.shard.order.CommandOrigin;
import io.penstock.broker.shard.order.CommandWriter;

/**
 * A command that changes what the log has: its place among messages and others of these decides what it does. Other nodes run
 * what {@link OrderedCommands} makes of its bytes, so what it does follows from these and from the shard alone.
 */
public abstract class OrderedCommand extends ShardCommand {
    OrderedCommand(final int ioAgent, final long sessionId) {
        super(ioAgent, sessionId);
    }

    /**
     * Writes the command, or the next part of one that is too long: each part is a command of its own. Called by its I/O agent.
     *
     * @param to     is written to.
     * @param origin that hands it over.
     * @param number of it among those of its origin.
     * @return whether that was the last part.
     */
    public abstract boolean encode(CommandWriter to, CommandOrigin origin, long number);

    /**
     * Takes over what a part has done that was run in its place. Called by the sequencer.
     *
     * @param part that {@link OrderedCommands} has made of its bytes.
     * @return whether it was the last one.
     */
    public abstract boolean onApplied(OrderedCommand part);
}
