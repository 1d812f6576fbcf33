package io.penstock.broker.query;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** The row of a select list for one group of messages. */
@FunctionalInterface
public interface GroupRow {
    /**
     * Writes the items of the list as a message.
     *
     * @param to     where it goes.
     * @param offset of its first byte.
     * @param length that it may have, in bytes.
     * @return its length in bytes, or {@link Projection#TOO_LONG}.
     */
    int write(MutableDirectBuffer to, int offset, int length);

    /** Takes the groups of an {@link Aggregation}, one after the other. */
    @FunctionalInterface
    interface Consumer {
        /**
         * Takes a group. The aggregation may not be called meanwhile.
         *
         * @param key          holding the group's key: the values of the group by in a form in which equal values have
         *                     equal bytes. Valid until the call returns.
         * @param offset       of the key's first byte.
         * @param length       of the key in bytes, 0 without a group by.
         * @param messageCount in the group; 0 when the group has ended, or of no messages at all without a group by.
         * @param row          writes the group's message; valid until the call returns.
         */
        void onGroup(DirectBuffer key, int offset, int length, long messageCount, GroupRow row);
    }
}
