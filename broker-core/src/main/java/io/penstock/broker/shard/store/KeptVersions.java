package io.penstock.broker.shard.store;

import java.util.concurrent.atomic.AtomicLong;
import org.agrona.UnsafeApi;

/**
 * Versions that only snapshots need, in the order in which they ended: replaced versions, and deleted rows. A queue
 * through the links of the versions that replaced others and of the deleted rows, so that it needs no memory of its
 * own. A place in it is the address of such a version, or twice the row and 1. Owned by the writer.
 */
final class KeptVersions {
    private static final long END = 0;
    private static final long ROW_BIT = 1;
    private static final int LAPSE_LIMIT = 64;

    private final StateMemory memory;
    private final Snapshots snapshots;
    private final RowTable rows;
    private final long budgetLength;

    private long head = END;
    private long tail = END;
    /** The first place that snapshots need which are not too old; what lies before goes when the others are closed. */
    private long firstInTime = END;

    private final AtomicLong length = new AtomicLong();
    private long lapsedLength;

    KeptVersions(final StateMemory memory, final Snapshots snapshots, final RowTable rows, final long budgetLength) {
        this.memory = memory;
        this.snapshots = snapshots;
        this.rows = rows;
        this.budgetLength = budgetLength;
    }

    /** All bytes that only snapshots need. Any thread may ask. */
    long length() {
        return length.getAcquire();
    }

    /** Whether a version, or what lies after it, has to stay when it ends at a sequence. */
    boolean needs(final long version, final long end) {
        return snapshots.oldest() < end || Version.older(version) != 0;
    }

    void addReplaced(final long replacement) {
        UnsafeApi.putLong(Version.linkAddress(replacement), END);
        append(replacement);
    }

    void addDeleted(final int row) {
        UnsafeApi.putLong(rows.linkAddress(row), END);
        append(((long) row << 1) | ROW_BIT);
    }

    /** The sequence at which the first of the queue ended; {@code Long.MAX_VALUE} when there is none. */
    long firstEnd() {
        return head == END ? Long.MAX_VALUE : end(head);
    }

    /** Frees the first of the queue, if no snapshot needs it. */
    boolean freeFirst() {
        if (head == END || end(head) > snapshots.oldest()) {
            return false;
        }
        final long place = head;
        final long version = version(place);
        final long versionLength = Version.length(version);
        head = next(place);
        if (head == END) {
            tail = END;
        }
        if (firstInTime == place) {
            firstInTime = head;
        } else {
            lapsedLength -= versionLength;
        }
        length.setRelease(length.getPlain() - versionLength);
        snapshots.onFreed(end(place));
        if ((place & ROW_BIT) == 0) {
            Version.unchain(place);
        } else {
            final int row = row(place);
            rows.clear(row);
            rows.give(row);
        }
        memory.free(Version.block(version));
        return true;
    }

    /** Frees a version that has ended at a sequence and that no snapshot {@link #needs}. */
    void freeAtOnce(final long version, final long end) {
        snapshots.onFreed(end);
        memory.free(Version.block(version));
    }

    private void append(final long place) {
        if (tail == END) {
            head = place;
        } else {
            UnsafeApi.putLong(link(tail), place);
        }
        tail = place;
        if (firstInTime == END) {
            firstInTime = place;
        }
        length.setRelease(length.getPlain() + Version.length(version(place)));
        if (length.getPlain() - lapsedLength > budgetLength) {
            lapse();
        }
    }

    /** Passes over what goes with the snapshots that are too old; if that is not enough, the next ones become so. */
    private void lapse() {
        final long oldestInTime = snapshots.oldestInTime();
        int limit = LAPSE_LIMIT;
        while (firstInTime != END && end(firstInTime) <= oldestInTime) {
            if (limit-- == 0) {
                return;
            }
            lapsedLength += Version.length(version(firstInTime));
            firstInTime = next(firstInTime);
        }
        if (length.getPlain() - lapsedLength > budgetLength) {
            snapshots.expireOldest();
        }
    }

    private long version(final long place) {
        return (place & ROW_BIT) == 0 ? Version.older(place) : rows.version(row(place));
    }

    private long end(final long place) {
        return (place & ROW_BIT) == 0 ? Version.sequence(place) : rows.deletedAt(row(place));
    }

    private long next(final long place) {
        return UnsafeApi.getLong(link(place));
    }

    private long link(final long place) {
        return (place & ROW_BIT) == 0 ? Version.linkAddress(place) : rows.linkAddress(row(place));
    }

    private static int row(final long place) {
        return (int) (place >> 1);
    }
}
