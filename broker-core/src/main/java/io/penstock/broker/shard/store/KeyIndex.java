package io.penstock.broker.shard.store;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

/**
 * Finds the row of a key: linear hashing, that is buckets of rows chained through the row table, of which one is split
 * with each new key once there are as many keys as buckets. So it grows without ever moving more than one chain. It does
 * not shrink. Owned by the writer.
 */
final class KeyIndex {
    private static final int SEGMENT_SHIFT = 12;
    private static final int SEGMENT_LENGTH = 1 << SEGMENT_SHIFT;
    private static final byte NO_ROWS = (byte) StateStore.NO_ROW;

    private final StateMemory memory;
    private final RowTable rows;
    private final KeyHash hash;

    private long[] segments = new long[4];
    private int segmentCount;
    private int bucketCount;
    /** Mask of the highest power of two that is not above the bucket count. */
    private int mask;

    private int keyCount;

    KeyIndex(final StateMemory memory, final RowTable rows, final KeyHash hash) {
        this.memory = memory;
        this.rows = rows;
        this.hash = hash;
    }

    /** Takes the first segment; false when there is no memory for it. */
    boolean prepare() {
        if (bucketCount == 0 && addSegment()) {
            bucketCount = SEGMENT_LENGTH;
            mask = SEGMENT_LENGTH - 1;
        }
        return bucketCount != 0;
    }

    int find(final DirectBuffer key, final int offset, final int length) {
        if (keyCount == 0) {
            return StateStore.NO_ROW;
        }
        final byte[] base = key.byteArray();
        final long start = key.addressOffset() + offset;
        final int keyHash = hash.hash(base, start, length);
        int row = UnsafeApi.getInt(bucket(keyHash));
        while (row != StateStore.NO_ROW) {
            if (rows.hash(row) == keyHash) {
                final long version = rows.version(row);
                if (Version.keyLength(version) == length
                        && KeyHash.isSame(base, start, Version.keyAddress(version), length)) {
                    return row;
                }
            }
            row = rows.next(row);
        }
        return StateStore.NO_ROW;
    }

    RowTable rows() {
        return rows;
    }

    boolean isEmpty() {
        return keyCount == 0;
    }

    int hash(final DirectBuffer key, final int offset, final int length) {
        return hash.hash(key.byteArray(), key.addressOffset() + offset, length);
    }

    /** The first row of the bucket of a hash, or {@link StateStore#NO_ROW}. There must be keys. */
    int first(final int keyHash) {
        return UnsafeApi.getInt(bucket(keyHash));
    }

    /** The first row of a chain that has a hash, among so many; or {@link StateStore#NO_ROW}. */
    int inChain(final int first, final int keyHash, final int limit) {
        int row = first;
        for (int i = 0; i < limit && row != StateStore.NO_ROW; i++) {
            if (rows.hash(row) == keyHash) {
                return row;
            }
            row = rows.next(row);
        }
        return StateStore.NO_ROW;
    }

    /** Adds a row whose key is not there yet. */
    void add(final int row, final DirectBuffer key, final int offset, final int length) {
        final int keyHash = hash.hash(key.byteArray(), key.addressOffset() + offset, length);
        rows.hash(row, keyHash);
        push(bucket(keyHash), row);
        keyCount++;
        if (keyCount > bucketCount && bucketCount < 1 << 30) {
            split();
        }
    }

    /** Takes out a row that is there. */
    void remove(final int row) {
        final long bucket = bucket(rows.hash(row));
        int before = UnsafeApi.getInt(bucket);
        if (before == row) {
            UnsafeApi.putInt(bucket, rows.next(row));
        } else {
            while (rows.next(before) != row) {
                before = rows.next(before);
            }
            rows.next(before, rows.next(row));
        }
        keyCount--;
    }

    /** Gives back some pages. Returns how many; below the limit when none is left. */
    int free(final int limit) {
        bucketCount = 0;
        keyCount = 0;
        int count = 0;
        while (count < limit && segmentCount > 0) {
            memory.freePages(segments[--segmentCount], 1);
            count++;
        }
        return count;
    }

    /** Divides the first bucket that is not divided yet. Without memory for it, chains grow longer instead. */
    private void split() {
        if (bucketCount >> SEGMENT_SHIFT == segmentCount && !addSegment()) {
            return;
        }
        final int divided = bucketCount - mask - 1;
        final long low = address(divided);
        final long high = address(bucketCount);
        final int bit = mask + 1;
        int row = UnsafeApi.getInt(low);
        UnsafeApi.putInt(low, StateStore.NO_ROW);
        while (row != StateStore.NO_ROW) {
            final int next = rows.next(row);
            push((rows.hash(row) & bit) == 0 ? low : high, row);
            row = next;
        }
        bucketCount++;
        if (bucketCount == bit << 1) {
            mask = bucketCount - 1;
        }
    }

    private void push(final long bucket, final int row) {
        rows.next(row, UnsafeApi.getInt(bucket));
        UnsafeApi.putInt(bucket, row);
    }

    private boolean addSegment() {
        final long page = memory.allocatePages(1);
        if (page == 0) {
            return false;
        }
        UnsafeApi.setMemory(page, Page.LENGTH, NO_ROWS);
        if (segmentCount == segments.length) {
            segments = Arrays.copyOf(segments, 2 * segmentCount);
        }
        segments[segmentCount++] = page;
        return true;
    }

    private long bucket(final int keyHash) {
        final int bucket = keyHash & mask;
        final int divided = bucketCount - mask - 1;
        return address(bucket < divided ? keyHash & ((mask << 1) | 1) : bucket);
    }

    private long address(final int bucket) {
        return segments[bucket >> SEGMENT_SHIFT] + (long) (bucket & SEGMENT_LENGTH - 1) * Integer.BYTES;
    }
}
