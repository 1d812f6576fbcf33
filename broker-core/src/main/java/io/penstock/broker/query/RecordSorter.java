package io.penstock.broker.query;

import io.penstock.broker.query.collect.CollectedRoom;
import io.penstock.broker.query.collect.QueryMemory;
import java.util.Arrays;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Brings records into order by their sort keys, keeping no more than are wanted. Confined to one agent at a time.
 * Records with equal keys are in the order of their sources and rows.
 */
final class RecordSorter {
    private static final int COUNT_INITIAL = 64;

    /** Records that are kept beyond twice the limit before the worst are forgotten. */
    private static final int SPARE_COUNT = 1024;

    private static final int KEYS_LENGTH_INITIAL = 1024;

    /** Bytes of what is kept of a record beside its key. */
    private static final int PLACE_LENGTH = Long.BYTES + 4 * Integer.BYTES;

    private final long limit;
    private final long lengthMax;
    private final CollectedRoom room;
    private long[] versions = new long[COUNT_INITIAL];
    private int[] sources = new int[COUNT_INITIAL];
    private int[] rows = new int[COUNT_INITIAL];
    private int[] keyEnds = new int[COUNT_INITIAL];
    private int[] keyStarts = new int[COUNT_INITIAL];
    private UnsafeBuffer keys = new UnsafeBuffer(new byte[KEYS_LENGTH_INITIAL]);
    private int keysLength;
    private int count;

    /** The last of the best that were found when others were forgotten: what comes after it is not wanted. -1 for none. */
    private int last = -1;

    /**
     * @param limit     records that are wanted.
     * @param lengthMax of all keys that are kept, in bytes.
     * @param room      for keys and places.
     */
    RecordSorter(final long limit, final long lengthMax, final CollectedRoom room) {
        this.limit = limit;
        this.room = room;
        this.lengthMax = Math.min(lengthMax, Integer.MAX_VALUE - 64);
    }

    int count() {
        return count;
    }

    /** Where the key of the next record is to be written, with room for that many bytes; false when there is none. */
    boolean ensureKey(final int length) {
        if (limit < Integer.MAX_VALUE / 4 && count >= 2 * limit + SPARE_COUNT) {
            prune();
        }
        final long needed = (long) keysLength + length;
        if (needed > lengthMax) {
            return false;
        }
        if (count == versions.length && !room.ensure(keys.capacity() + PLACE_LENGTH * 2L * count)) {
            return false;
        }
        if (needed > keys.capacity()) {
            final long doubled = Math.min(lengthMax, Math.max(2L * keys.capacity(), needed));
            if (!room.ensure(doubled + PLACE_LENGTH * 2L * count)) {
                return false;
            }
            final UnsafeBuffer more = new UnsafeBuffer(new byte[(int) doubled]);
            more.putBytes(0, keys, 0, keysLength);
            keys = more;
        }
        return true;
    }

    UnsafeBuffer keys() {
        return keys;
    }

    int keysLength() {
        return keysLength;
    }

    /** Adds a record whose key was written at {@link #keysLength()}. */
    void add(final long version, final int source, final int row, final int keyLength) {
        if (last >= 0 && isAfterLast(source, row, keyLength)) {
            return;
        }
        if (count == versions.length) {
            final int capacity = BitUtil.findNextPositivePowerOfTwo(count + 1);
            versions = Arrays.copyOf(versions, capacity);
            sources = Arrays.copyOf(sources, capacity);
            rows = Arrays.copyOf(rows, capacity);
            keyStarts = Arrays.copyOf(keyStarts, capacity);
            keyEnds = Arrays.copyOf(keyEnds, capacity);
        }
        versions[count] = version;
        sources[count] = source;
        rows[count] = row;
        keyStarts[count] = keysLength;
        keysLength += keyLength;
        keyEnds[count] = keysLength;
        count++;
    }

    /** Adds all records of another; false when they are too many. */
    boolean addAll(final RecordSorter other) {
        for (int i = 0; i < other.count; i++) {
            final int length = other.keyEnds[i] - other.keyStarts[i];
            if (!ensureKey(length)) {
                return false;
            }
            keys.putBytes(keysLength, other.keys, other.keyStarts[i], length);
            add(other.versions[i], other.sources[i], other.rows[i], length);
        }
        return true;
    }

    /** Forgets all records. */
    void clear() {
        count = 0;
        keysLength = 0;
        last = -1;
        versions = new long[0];
        sources = new int[0];
        rows = new int[0];
        keyStarts = new int[0];
        keyEnds = new int[0];
        keys = new UnsafeBuffer(new byte[0]);
    }

    /** The records in order, as indexes. */
    int[] sorted() {
        int[] from = new int[count];
        for (int i = 0; i < count; i++) {
            from[i] = i;
        }
        int[] to = new int[count];
        for (int width = 1; width < count && width > 0; width *= 2) {
            for (int start = 0; start < count; start += 2 * width) {
                merge(from, to, start, Math.min(start + width, count), Math.min(start + 2 * width, count));
                if (start > count - 2 * width) {
                    break;
                }
            }
            final int[] swap = from;
            from = to;
            to = swap;
        }
        return from;
    }

    long version(final int index) {
        return versions[index];
    }

    int source(final int index) {
        return sources[index];
    }

    private void merge(final int[] from, final int[] to, final int start, final int middle, final int end) {
        int left = start;
        int right = middle;
        for (int i = start; i < end; i++) {
            if (left < middle && (right >= end || compare(from[left], from[right]) <= 0)) {
                to[i] = from[left++];
            } else {
                to[i] = from[right++];
            }
        }
    }

    private int compare(final int one, final int other) {
        final byte[] bytes = keys.byteArray();
        final int order =
                Arrays.compareUnsigned(bytes, keyStarts[one], keyEnds[one], bytes, keyStarts[other], keyEnds[other]);
        if (order != 0) {
            return order;
        }
        return sources[one] == sources[other]
                ? Integer.compare(rows[one], rows[other])
                : Integer.compare(sources[one], sources[other]);
    }

    /** Whether a record whose key was just written would come after all that are wanted. */
    private boolean isAfterLast(final int source, final int row, final int keyLength) {
        final byte[] bytes = keys.byteArray();
        final int order = Arrays.compareUnsigned(
                bytes, keysLength, keysLength + keyLength, bytes, keyStarts[last], keyEnds[last]);
        if (order != 0) {
            return order > 0;
        }
        return source == sources[last] ? row > rows[last] : source > sources[last];
    }

    /** Forgets the records that will not be among those wanted. */
    private void prune() {
        final int[] order = sorted();
        final int kept = (int) Math.min(limit, count);
        // No more than there is already.
        final RecordSorter best =
                new RecordSorter(limit, lengthMax, new CollectedRoom(new QueryMemory(Long.MAX_VALUE)));
        for (int i = 0; i < kept; i++) {
            final int index = order[i];
            final int length = keyEnds[index] - keyStarts[index];
            best.ensureKey(length);
            best.keys.putBytes(best.keysLength, keys, keyStarts[index], length);
            best.add(versions[index], sources[index], rows[index], length);
        }
        versions = best.versions;
        sources = best.sources;
        rows = best.rows;
        keyStarts = best.keyStarts;
        keyEnds = best.keyEnds;
        keys = best.keys;
        keysLength = best.keysLength;
        count = best.count;
        last = count - 1;
    }
}
