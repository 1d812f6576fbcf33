package io.penstock.broker.shard.order;

/**
 * Who hands commands over. It numbers them, so that each is applied once and in this order.
 *
 * @param member      number of the node.
 * @param ioAgent     index of the I/O agent, or {@link CommandHeader#TICK_AGENT}.
 * @param shard       that the commands are for.
 * @param incarnation of the node's start, above those of earlier ones.
 */
public record CommandOrigin(int member, int ioAgent, int shard, long incarnation) {
    public CommandOrigin {
        if (member < 0 || member > CommandHeader.MEMBER_MAX) {
            throw new IllegalArgumentException(
                    "origin: no such member: " + member + " (use 0 to " + CommandHeader.MEMBER_MAX + ")");
        }
        if ((ioAgent < 0 || ioAgent > CommandHeader.IO_AGENT_MAX) && ioAgent != CommandHeader.TICK_AGENT) {
            throw new IllegalArgumentException(
                    "origin: no such I/O agent: " + ioAgent + " (use 0 to " + CommandHeader.IO_AGENT_MAX + ")");
        }
        if (incarnation <= 0) {
            throw new IllegalArgumentException("origin: no such incarnation: " + incarnation + " (use 1 or more)");
        }
    }
}
