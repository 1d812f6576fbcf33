package io.penstock.broker.journal;

import io.penstock.protocol.RecordDescriptor;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;

/**
 * Where some records of a journal file are: one in each 64 KiB or so, by sequence and by time. It only saves a search:
 * whoever reads from a place it names checks each record it finds there.
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

    private final AtomicReference<Entries> published = new AtomicReference<>(new Entries(new long[0], 0));
    private long[] entries = new long[CAPACITY_INITIAL * FIELDS];
    private int count;
    private long nextPosition;

    /** A record was written: it becomes an entry if it is far enough from the last. In the order of records. */
    void onRecord(final DirectBuffer buffer, final int offset, final long position) {
        if (position < nextPosition) {
            return;
        }
        if (count * FIELDS == entries.length) {
            entries = Arrays.copyOf(entries, Math.max(CAPACITY_INITIAL * FIELDS, 2 * entries.length));
        }
        final int at = count * FIELDS;
        entries[at + SEQUENCE] = RecordDescriptor.sequence(buffer, offset);
        entries[at + TIMESTAMP] = RecordDescriptor.timestampNs(buffer, offset);
        entries[at + POSITION] = position;
        count++;
        nextPosition = position + STEP;
        published.setRelease(new Entries(entries, count));
    }

    /** Takes the entries that were stored for a file that nobody writes. Whoever does so takes the same. */
    void install(final long[] stored) {
        entries = stored;
        count = stored.length / FIELDS;
        nextPosition = count == 0 ? 0 : stored[stored.length - FIELDS + POSITION] + STEP;
        published.setRelease(new Entries(stored, stored.length / FIELDS));
    }

    /** All entries: sequence, time and position of each. */
    long[] entries() {
        final Entries present = published.getAcquire();
        return Arrays.copyOf(present.fields, present.count * FIELDS);
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
        final Entries present = published.getAcquire();
        return present.count == 0 ? Long.MAX_VALUE : present.fields[TIMESTAMP];
    }

    /** The sequence of the last entry that is not after a sequence; 0 if there is none. */
    long floor(final long sequence) {
        return published.getAcquire().find(SEQUENCE, sequence, SEQUENCE);
    }

    /** The place in the file of the record of the last entry that is not after a sequence; 0 if there is none. */
    long position(final long sequence) {
        return published.getAcquire().find(SEQUENCE, sequence, POSITION);
    }

    /** The sequence of a record that is older than a time, near it; 0 if there is none. */
    long sequenceBefore(final long timestampNs) {
        return published.getAcquire().find(TIMESTAMP, timestampNs - 1, SEQUENCE);
    }

    /** Entries that never change again, though more may follow them in the same array. */
    private static final class Entries {
        private final long[] fields;
        private final int count;

        private Entries(final long[] fields, final int count) {
            this.fields = fields;
            this.count = count;
        }

        /** A field of the last entry before which no entry's key is above a value; 0 when there is none. */
        private long find(final int key, final long value, final int field) {
            int low = 0;
            int high = count;
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
}
