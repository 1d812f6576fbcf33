package io.penstock.broker.query;

import org.agrona.DirectBuffer;

/** Takes the groups of an {@link Aggregation}, one after the other. */
@FunctionalInterface
public interface GroupConsumer {
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
