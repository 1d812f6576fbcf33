package io.penstock.broker.shard.replica;

/**
 * What several nodes decide the order of commands with, seen from one of them. It takes commands from this node, whoever leads,
 * and gives each shard those that are decided.
 *
 * <p>It promises: every node is given the same commands in the same order with the same times; one that was given stays
 * decided, whatever fails. It does not promise that a command that it took is decided, or is decided once.
 */
public interface Consensus {
    /**
     * This node.
     *
     * @return its number among the members, from 0, at most {@link io.penstock.broker.shard.order.CommandHeader#MEMBER_MAX}.
     */
    int member();

    /**
     * This start of this node.
     *
     * @return a number above 0 that is higher than those of all its earlier starts.
     */
    long incarnation();

    /**
     * Makes the way of an I/O agent. Called once for each, before the agent starts.
     *
     * @param ioAgent index of it, from 0.
     * @param wakeup  ends the wait of the agent, when the sender can take something again. Any thread.
     * @return its own, for all shards.
     */
    CommandSender sender(int ioAgent, Runnable wakeup);

    /**
     * Makes the way of a shard's sequencer, for ticks. Called once for each shard, before its sequencer starts.
     *
     * @param shard number of the shard.
     * @return the sequencer's own.
     */
    CommandSender tickSender(int shard);

    /**
     * Makes the way to a shard. Called once for each, before its sequencer starts.
     *
     * @param shard  number of the shard.
     * @param wakeup ends the wait of the sequencer, when there is something to be read. Any thread.
     * @return the sequencer's own.
     */
    CommandSource source(int shard, Runnable wakeup);

    /**
     * Whether this node leads, as far as it knows: only then it hands in ticks. Two that think so do no harm.
     *
     * @return true for one node, most of the time. Any thread.
     */
    boolean isLeading();

    /**
     * A shard of this node could not apply a command, and would differ from those of others from now on. This node has to leave.
     * Called by the sequencer, which reads nothing any more.
     *
     * @param shard  number of the shard.
     * @param reason what was thrown.
     */
    void onFailed(int shard, Throwable reason);

    /**
     * A command was dropped, since its bytes are none of a command. Every node drops it. Called by the sequencer.
     *
     * @param shard number of the shard.
     * @param wrong what is wrong with it, for people.
     */
    void onBadCommand(int shard, String wrong);
}
