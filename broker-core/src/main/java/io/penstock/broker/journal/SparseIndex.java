package io.penstock.broker.journal;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.protocol.RecordDescriptor;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Where some records of a journal file are: one in each 64 KiB or so, by sequence and by time. It only saves a search:
 * a reader that begins at one of its places checks each record.
 *
 * <p>Written by one thread; read by any, which see a state in which all entries are whole.
 */
final class SparseIndex {
    /** Bytes of records between two entries, at least. */
    static final int STEP = 64 * 1024;

    static final int FIELDS = 3;

    private static final int SEQUENCE = 0;
    private static final int TIMESTAMP = 1;
    private static final int POSITION = 2;
    private static final int CAPACITY_INITIAL = 16;

    /** A longer array begins with what the one before had, and is there before the count that needs it. */
    private final AtomicReference<long[]> entries;

    private final AtomicInteger count = new AtomicInteger();
    private long nextPosition;

    SparseIndex() {
        this(CAPACITY_INITIAL * (long) STEP);
    }

    /**
     * An index that need not grow while a file is written.
     *
     * @param fileLength in bytes.
     */
    SparseIndex(final long fileLength) {
        entries = new AtomicReference<>(new long[(int) (fileLength / STEP + 1) * FIELDS]);
    }

    /** A record was written: it becomes an entry if it is far enough from the last. In the order of records. */
    void onRecord(final DirectBuffer buffer, final int offset, final long position) {
        if (position < nextPosition) {
            return;
        }
        final int at = count.getPlain() * FIELDS;
        long[] fields = entries.getPlain();
        if (at == fields.length) {
            fields = Arrays.copyOf(fields, Math.max(CAPACITY_INITIAL * FIELDS, 2 * fields.length));
            entries.setRelease(fields);
        }
        fields[at + SEQUENCE] = RecordDescriptor.sequence(buffer, offset);
        fields[at + TIMESTAMP] = RecordDescriptor.timestampNs(buffer, offset);
        fields[at + POSITION] = position;
        count.setRelease(at / FIELDS + 1);
        nextPosition = position + STEP;
    }

    /** Takes the entries that were stored for a file that is no longer written. Every caller takes the same entries. */
    void install(final long[] stored) {
        nextPosition = stored.length == 0 ? 0 : stored[stored.length - FIELDS + POSITION] + STEP;
        entries.setRelease(stored);
        count.setRelease(stored.length / FIELDS);
    }

    /** All entries: sequence, time and position of each. */
    long[] entries() {
        final int present = count.getAcquire();
        final long[] fields = entries.getAcquire();
        return Arrays.copyOf(fields, Math.min(present * FIELDS, fields.length));
    }

    /** How many entries there are. */
    int count() {
        return count.getAcquire();
    }

    /** Writes the first entries, as {@link #entries()} has them. */
    void copyTo(final MutableDirectBuffer buffer, final int offset, final int entryCount) {
        final long[] fields = entries.getAcquire();
        for (int i = 0; i < entryCount * FIELDS; i++) {
            buffer.putLong(offset + i * Long.BYTES, fields[i], LITTLE_ENDIAN);
        }
    }

    /** An index of the entries that are not after a sequence. */
    SparseIndex upTo(final long sequence) {
        final long[] all = entries();
        int length = 0;
        while (length < all.length && all[length + SEQUENCE] <= sequence) {
            length += FIELDS;
        }
        final SparseIndex index = new SparseIndex();
        index.install(Arrays.copyOf(all, length));
        return index;
    }

    /** The time of the first record; {@code Long.MAX_VALUE} if there is no entry. */
    long firstTimestampNs() {
        return count.getAcquire() == 0 ? Long.MAX_VALUE : entries.getAcquire()[TIMESTAMP];
    }

    /** The sequence of the last entry that is not after a sequence; 0 if there is none. */
    long floor(final long sequence) {
        return find(SEQUENCE, sequence, SEQUENCE);
    }

    /** The place in the file of the record of the last entry that is not after a sequence; 0 if there is none. */
    long position(final long sequence) {
        return find(SEQUENCE, sequence, POSITION);
    }

    /** The sequence of a record that is older than a time, near it; 0 if there is none. */
    long sequenceBefore(final long timestampNs) {
        return find(TIMESTAMP, timestampNs - 1, SEQUENCE);
    }

    /** A field of the last entry before which no entry's key is above a value; 0 when there is none. */
    private long find(final int key, final long value, final int field) {
        int low = 0;
        final int present = count.getAcquire();
        final long[] fields = entries.getAcquire();
        int high = Math.min(present, fields.length / FIELDS);
        while (low < high) {
            final int middle = (low + high) >>> 1;
            if (fields[middle * FIELDS + key] <= value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? 0 : fields[(low - 1) * FIELDS + field];
    }
}
