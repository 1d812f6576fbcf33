package io.penstock.broker.shard.state;

import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Rows of a store in the order of the sequences of their newest versions. Where rows lie depends on readers and on how the
 * broker was started, and that order does not. Takes time for all rows and memory for those that are wanted: for starts.
 */
final class RowsInOrder {
    private RowsInOrder() {}

    /**
     * The rows that have a version.
     *
     * @param store  that has them.
     * @param wanted which of them.
     * @return rows, that of the lowest sequence first.
     */
    static int[] of(final StateStore store, final IntPredicate wanted) {
        final int rowCount = store.rowCount();
        int wantedCount = 0;
        for (int row = 0; row < rowCount; row++) {
            if (store.newest(row) != 0 && wanted.test(row)) {
                wantedCount++;
            }
        }
        final long[] sequences = new long[wantedCount];
        int count = 0;
        for (int row = 0; row < rowCount; row++) {
            if (store.newest(row) != 0 && wanted.test(row)) {
                sequences[count++] = Version.sequence(store.newest(row));
            }
        }
        Arrays.sort(sequences);
        final int[] ordered = new int[count];
        for (int row = 0; row < rowCount; row++) {
            if (store.newest(row) != 0 && wanted.test(row)) {
                final long sequence = Version.sequence(store.newest(row));
                ordered[Arrays.binarySearch(sequences, sequence)] = row;
            }
        }
        return ordered;
    }
}
