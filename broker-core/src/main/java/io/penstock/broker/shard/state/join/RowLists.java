package io.penstock.broker.shard.state.join;

/** Lists of rows, each of one owner. A row is in one list at most. Owned by the sequencer. */
final class RowLists {
    private static final int NONE = RowNumbers.NONE;
    private static final int NEXT = 0;
    private static final int PREVIOUS = 1;

    /** The first of each owner. */
    private final RowNumbers heads = new RowNumbers(1);

    /** Rings: the last one is before the first. */
    private final RowNumbers links = new RowNumbers(2);

    /** None yet. */
    RowLists() {}

    int first(final int owner) {
        return heads.get(owner, 0);
    }

    /** The row after one of the owner's; {@link RowNumbers#NONE} after the last one. */
    int next(final int owner, final int row) {
        final int next = links.get(row, NEXT);
        return next == first(owner) ? NONE : next;
    }

    /** Adds a row that is in no list. */
    void append(final int owner, final int row) {
        final int first = first(owner);
        if (first == NONE) {
            heads.set(owner, 0, row);
            join(row, row);
            return;
        }
        join(links.get(first, PREVIOUS), row);
        join(row, first);
    }

    /** Adds a row that is in no list, before all others of the owner. */
    void prepend(final int owner, final int row) {
        append(owner, row);
        heads.set(owner, 0, row);
    }

    /** Takes out a row of the owner. */
    void remove(final int owner, final int row) {
        final int next = links.get(row, NEXT);
        if (next == row) {
            heads.set(owner, 0, NONE);
            return;
        }
        join(links.get(row, PREVIOUS), next);
        if (first(owner) == row) {
            heads.set(owner, 0, next);
        }
    }

    private void join(final int row, final int next) {
        links.set(row, NEXT, next);
        links.set(next, PREVIOUS, row);
    }

    /** Has none any more. */
    void free() {
        heads.free();
        links.free();
    }

    /** The memory of the lists, in bytes. */
    long memoryLength() {
        return heads.memoryLength() + links.memoryLength();
    }
}
