package io.penstock.broker.shard.state;

import org.agrona.DirectBuffer;

/** The messages that the log has of an earlier run. Used before the sequencer starts, by the thread that starts it. */
@FunctionalInterface
public interface MessageHistory {
    /** There are none. */
    MessageHistory NONE = (topicId, sinceNs, count, handler) -> {};

    /**
     * Hands over messages of a topic in their order, and it may be older ones before them.
     *
     * @param topicId of the topic.
     * @param sinceNs time since 1970 after which they are wanted, with all that comes after a matching one of these, also
     *                where the clock was put back; {@link Long#MIN_VALUE} for all.
     * @param count   of those that match, up to the newest, which are wanted; {@link Long#MAX_VALUE} for all.
     * @param handler of the messages.
     * @throws java.io.UncheckedIOException when the log cannot be read.
     */
    void forEach(int topicId, long sinceNs, long count, Handler handler);

    /** Takes messages. */
    interface Handler {
        /**
         * Whether a message is one of those that are counted.
         *
         * @param record buffer that holds its record until the call returns.
         * @param offset of the record.
         * @return whether it matches.
         */
        boolean matches(DirectBuffer record, int offset);

        /**
         * A message.
         *
         * @param record buffer that holds its record until the call returns.
         * @param offset of the record.
         */
        void onMessage(DirectBuffer record, int offset);
    }
}
