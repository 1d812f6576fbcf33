package io.penstock.broker.shard;

import org.agrona.concurrent.status.AtomicCounter;

/**
 * The order in which a shard takes what I/O agents hand over. They put messages in by their ports, and the shard's sequencer
 * takes them out: a message of one agent never overtakes an earlier one of that agent. Nothing is applied that is not in the
 * order for good, and what is in it is applied once.
 *
 * <p>A broker that is alone takes everything as it comes: in the call of its I/O agent ({@link DirectLog}), or from a ring
 * ({@link InboxLog}). Owned by the sequencer.
 */
public interface OrderedLog {
    /**
     * Makes the way into it for an I/O agent. Called once for each agent, before it and the sequencer start.
     *
     * @param sequencer          of the shard, which takes everything out.
     * @param ioAgent            index of the agent, from 0.
     * @param payloadBytesCopied counts the bytes that are copied on the way. Written by the agent.
     * @return the agent's own.
     */
    ShardPort newPort(Sequencer sequencer, int ioAgent, AtomicCounter payloadBytesCopied);

    /**
     * Applies what comes next, as much as is good for one turn. Called by the sequencer, which ends the batch after it.
     *
     * @param to whose order it is.
     * @return count of messages; fewer than there are when the shard has no room now.
     */
    int read(Shard to);

    /**
     * Has a shard delete what has expired at a time. Called by the sequencer, which ends the batch after it.
     *
     * @param to    whose order it is.
     * @param nowNs since 1970, by the clock of this broker.
     * @return how much was deleted.
     */
    int expire(Shard to, long nowNs);

    /**
     * Notifies I/O agents that everything taken from them so far is applied and enqueued. Called by the sequencer.
     *
     * @return false when one has no room for the notice now; to be called again then.
     */
    boolean onApplied();

    /**
     * Whether something that was taken waits for room, so that there is work without anything new.
     *
     * @return false when what is read next is new.
     */
    default boolean isRetrying() {
        return false;
    }
}
