package io.penstock.broker.shard.replica;

import org.agrona.DirectBuffer;

/**
 * Hands commands to whoever decides the order. A command that was taken may still be lost, and may come more than once: the one
 * who handed it over sees it applied, or hands it over again. Owned by one agent, and never blocks it.
 */
public interface CommandSender {
    /**
     * Hands over a command.
     *
     * @param buffer that holds it, which is the caller's again after the call.
     * @param offset of its first byte.
     * @param length in bytes, at most {@link io.penstock.broker.shard.order.CommandHeader#COMMAND_LENGTH_MAX}.
     * @return false when it cannot be taken now: nobody leads, or there is no room. To be called again later.
     */
    boolean offer(DirectBuffer buffer, int offset, int length);

    /**
     * Whether commands that were taken may be lost.
     *
     * @return a number that changes whenever they may be: there is another leader, or the way to it was made anew.
     */
    long generation();

    /**
     * Does what keeps the way to the leader open. Called in each duty cycle of its agent, several times at that.
     *
     * @return work done.
     */
    int doWork();
}
