package io.penstock.broker.query;

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
}
