package io.penstock.broker.shard.follow;

import org.agrona.collections.IntArrayList;
import org.agrona.collections.IntHashSet;

/** Rows in the order in which they were added first. Confined to one agent; bounded by the rows there are. */
final class RowSet {
    private static final int CAPACITY_KEPT = 64 * 1024;

    private IntHashSet members = new IntHashSet();
    private IntArrayList rows = new IntArrayList();
    private int next;

    void add(final int row) {
        if (members.add(row)) {
            rows.addInt(row);
        }
    }

    boolean isEmpty() {
        return next == rows.size();
    }

    int size() {
        return rows.size() - next;
    }

    /** A row by its place, those that were taken counted. */
    int at(final int index) {
        return rows.getInt(index);
    }

    /** How many rows there are, those that were taken counted. */
    int count() {
        return rows.size();
    }

    /** The next row, which stays until {@link #taken()}. */
    int peek() {
        return rows.getInt(next);
    }

    void taken() {
        next++;
    }

    /** How many rows were taken, to go back to. */
    int mark() {
        return next;
    }

    /** Goes back to before the rows that were taken since. */
    void back(final int mark) {
        next = mark;
    }

    void clear() {
        next = 0;
        if (rows.capacity() > CAPACITY_KEPT) {
            members = new IntHashSet();
            rows = new IntArrayList();
        } else {
            members.clear();
            rows.clear();
        }
    }
}
