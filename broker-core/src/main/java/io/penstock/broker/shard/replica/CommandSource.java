package io.penstock.broker.shard.replica;

import org.agrona.DirectBuffer;

/** The commands of one shard that are decided, in their order. Owned by the shard's sequencer. */
public interface CommandSource {
    /**
     * Reads the next commands.
     *
     * @param handler takes them.
     * @param limit   of commands.
     * @return count of those that the handler has done with.
     */
    int read(Handler handler, int limit);

    /** Takes decided commands. */
    @FunctionalInterface
    interface Handler {
        /**
         * Takes the next one.
         *
         * @param timestampNs since 1970: the time that the order gives it, the same on all nodes.
         * @param buffer      that holds it, valid until the call returns.
         * @param offset      of its first byte.
         * @param length      in bytes.
         * @return false when it is not done, since there was no room: the same command has to come again, with the same bytes
         *     and the same time.
         */
        boolean onCommand(long timestampNs, DirectBuffer buffer, int offset, int length);
    }
}
