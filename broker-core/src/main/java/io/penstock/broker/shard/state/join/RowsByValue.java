package io.penstock.broker.shard.state.join;

/**
 * Finds the rows of a topic that have a value, by its hash: linear hashing, as the state finds keys, of groups of rows with
 * the same hash. A row is found in steps that do not grow with the rows of other values, a value that very many rows have
 * included. Rows of a group stand in the order in which they were put. Owned by the sequencer.
 */
public final class RowsByValue {
    /** No row. */
    public static final int NONE = RowNumbers.NONE;

    private static final int HASH = 0;
    private static final int NEXT = 1;
    private static final int PREVIOUS = 2;

    /** Of the first row of a group: that of another group in the bucket. */
    private static final int NEXT_GROUP = 3;

    private static final int BUCKET_COUNT_INITIAL = 64;
    private static final int BUCKET_COUNT_MAX = 1 << 30;

    private final RowNumbers rows = new RowNumbers(4);

    /** The first row of the first group in each. */
    private final RowNumbers buckets = new RowNumbers(1);

    private int bucketCount = BUCKET_COUNT_INITIAL;

    /** Of the highest power of two that is not above the count of buckets. */
    private int mask = BUCKET_COUNT_INITIAL - 1;

    private int groupCount;

    /**
     * Puts a row at the end of the rows that have its value.
     *
     * @param row  that may have been put before, with any value.
     * @param hash of its value.
     */
    public void put(final int row, final int hash) {
        remove(row);
        rows.set(row, HASH, hash);
        final int first = first(hash);
        if (first != NONE) {
            join(rows.get(first, PREVIOUS), row);
            join(row, first);
            return;
        }
        join(row, row);
        push(bucket(hash), row);
        groupCount++;
        if (groupCount > bucketCount && bucketCount < BUCKET_COUNT_MAX) {
            split();
        }
    }

    /**
     * Takes a row out.
     *
     * @param row that was put, or was not.
     */
    public void remove(final int row) {
        final int next = rows.get(row, NEXT);
        if (next == NONE) {
            return;
        }
        final int hash = rows.get(row, HASH);
        final boolean isFirst = first(hash) == row;
        if (next == row) {
            replace(bucket(hash), row, rows.get(row, NEXT_GROUP));
            groupCount--;
        } else {
            join(rows.get(row, PREVIOUS), next);
            if (isFirst) {
                rows.set(next, NEXT_GROUP, rows.get(row, NEXT_GROUP));
                replace(bucket(hash), row, next);
            }
        }
        rows.set(row, NEXT, NONE);
    }

    /**
     * Whether a row is here.
     *
     * @param row that was put, or was not.
     * @return whether it was put and not taken out.
     */
    public boolean isIn(final int row) {
        return rows.get(row, NEXT) != NONE;
    }

    /**
     * The hash with which a row was put.
     *
     * @param row that is here.
     * @return hash of its value.
     */
    public int hash(final int row) {
        return rows.get(row, HASH);
    }

    /**
     * The first row with a hash.
     *
     * @param hash of a value.
     * @return row, or {@link #NONE}; its value may be another one with this hash.
     */
    public int first(final int hash) {
        int row = buckets.get(bucket(hash), 0);
        while (row != NONE && rows.get(row, HASH) != hash) {
            row = rows.get(row, NEXT_GROUP);
        }
        return row;
    }

    /**
     * The next row with the same hash.
     *
     * @param row that is there.
     * @return row, or {@link #NONE} after the last one.
     */
    public int next(final int row) {
        final int next = rows.get(row, NEXT);
        return next == row || first(rows.get(row, HASH)) == next ? NONE : next;
    }

    private void join(final int row, final int next) {
        rows.set(row, NEXT, next);
        rows.set(next, PREVIOUS, row);
    }

    private void push(final int bucket, final int row) {
        rows.set(row, NEXT_GROUP, buckets.get(bucket, 0));
        buckets.set(bucket, 0, row);
    }

    /** Puts another row, or none, in the place of the first one of a group. */
    private void replace(final int bucket, final int row, final int by) {
        int before = buckets.get(bucket, 0);
        if (before == row) {
            buckets.set(bucket, 0, by);
            return;
        }
        while (rows.get(before, NEXT_GROUP) != row) {
            before = rows.get(before, NEXT_GROUP);
        }
        rows.set(before, NEXT_GROUP, by);
    }

    /** Divides the first bucket that is not divided yet. */
    private void split() {
        final int bit = mask + 1;
        final int divided = bucketCount - bit;
        int row = buckets.get(divided, 0);
        buckets.set(divided, 0, NONE);
        while (row != NONE) {
            final int next = rows.get(row, NEXT_GROUP);
            push((rows.get(row, HASH) & bit) == 0 ? divided : bucketCount, row);
            row = next;
        }
        bucketCount++;
        if (bucketCount == bit << 1) {
            mask = bucketCount - 1;
        }
    }

    private int bucket(final int hash) {
        final int bucket = hash & mask;
        return bucket < bucketCount - mask - 1 ? hash & (mask << 1 | 1) : bucket;
    }

    /** Forgets all rows, and gives their memory back. */
    public void free() {
        rows.free();
        buckets.free();
        bucketCount = BUCKET_COUNT_INITIAL;
        mask = BUCKET_COUNT_INITIAL - 1;
        groupCount = 0;
    }

    /**
     * The memory of the rows.
     *
     * @return bytes.
     */
    public long memoryLength() {
        return rows.memoryLength() + buckets.memoryLength();
    }
}
