package io.penstock.broker.query;

import org.agrona.DirectBuffer;

/** The messages with equal values of the group by. */
final class Group {
    /** Bytes of a group without its key and its accumulators, and of its places in a table, about. */
    private static final int LENGTH = 160;

    private final DirectBuffer key;
    private final int hash;
    private final Accumulator[] accumulators;
    private long messageCount;
    private boolean isChanged;
    private int index;
    private int mark;

    Group(final DirectBuffer key, final int hash, final Accumulator[] accumulators) {
        this.key = key;
        this.hash = hash;
        this.accumulators = accumulators;
    }

    DirectBuffer key() {
        return key;
    }

    /** Bytes of memory that it takes, about. */
    int length() {
        int length = LENGTH + key.capacity();
        for (final Accumulator accumulator : accumulators) {
            length += accumulator.length();
        }
        return length;
    }

    int hash() {
        return hash;
    }

    Accumulator accumulator(final int part) {
        return accumulators[part];
    }

    long messageCount() {
        return messageCount;
    }

    void messageCount(final long count) {
        messageCount = count;
    }

    boolean isEmpty() {
        return messageCount == 0;
    }

    boolean isChanged() {
        return isChanged;
    }

    void isChanged(final boolean value) {
        isChanged = value;
    }

    /** A number that whoever aggregates keeps with the group. */
    int mark() {
        return mark;
    }

    void mark(final int number) {
        mark = number;
    }

    /** Its place among all groups. */
    int index() {
        return index;
    }

    void index(final int place) {
        index = place;
    }
}
