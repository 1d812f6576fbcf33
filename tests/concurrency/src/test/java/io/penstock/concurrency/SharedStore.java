package io.penstock.concurrency;

import io.penstock.broker.shard.store.ChangeRing;
import io.penstock.broker.shard.store.Snapshot;
import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateMemory;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A store with one row, a snapshot of it, and what a reader sees by that. Each byte of a message follows from its
 * sequence. Stores lie outside the heap and are costly to make, so they are taken from a shelf and put back.
 */
final class SharedStore {
    /** There is no version. */
    static final int NONE = 0;

    /** The version that was there when the snapshot was opened, all of it. */
    static final int AS_OF_SNAPSHOT = 1;

    /** A newer version, all of it. */
    static final int NEWER = 2;

    /** Bytes that are no version's. */
    static final int TORN = 3;

    private static final int MEMORY_LENGTH = 2 << 20;
    private static final int CHUNK_LENGTH = 128 << 10;
    private static final int VERSION_LENGTH_MAX = 64 << 10;
    private static final int MESSAGE_LENGTH_MIN = 16;
    private static final ConcurrentLinkedQueue<SharedStore> SHELF = new ConcurrentLinkedQueue<>();

    final int row;
    private final Snapshots snapshots = new Snapshots();
    private final StateStore store;
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[Long.BYTES]);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[VERSION_LENGTH_MAX]);
    private long sequence;
    private Snapshot snapshot;

    private SharedStore() {
        store = new StateStore(new StateMemory(MEMORY_LENGTH, CHUNK_LENGTH), snapshots, VERSION_LENGTH_MAX);
        put(1);
        row = store.find(key, 0, Long.BYTES);
        snapshot = snapshots.open(sequence);
    }

    /** A store with key 1 in its only row, and a snapshot of that. */
    static SharedStore withKey() {
        final SharedStore taken = take();
        taken.put(1);
        taken.open();
        return taken;
    }

    /** A store whose only row was given up, and a snapshot of that. */
    static SharedStore withFreeRow() {
        final SharedStore taken = take();
        taken.put(1);
        taken.delete(1);
        taken.open();
        return taken;
    }

    private static SharedStore take() {
        final SharedStore known = SHELF.poll();
        return known == null ? new SharedStore() : known;
    }

    /** Nobody uses it any more: its row is free again. */
    void putBack() {
        snapshots.close(snapshot);
        for (int number = 1; number <= 2; number++) {
            key.putLong(0, number);
            if (store.find(key, 0, Long.BYTES) != StateStore.NO_ROW) {
                delete(number);
            }
        }
        reclaim();
        SHELF.add(this);
    }

    private void open() {
        snapshots.close(snapshot);
        reclaim();
        snapshot = snapshots.open(sequence);
    }

    /** A change by the writer. */
    void put(final long number) {
        put(number, MESSAGE_LENGTH_MIN + (int) (sequence % 5) * Long.BYTES);
    }

    void put(final long number, final int length) {
        key.putLong(0, number);
        sequence++;
        message.setMemory(0, length, (byte) sequence);
        store.put(
                store.find(key, 0, Long.BYTES),
                key,
                0,
                Long.BYTES,
                message,
                0,
                length,
                0,
                sequence,
                sequence,
                Long.MAX_VALUE);
    }

    void delete(final long number) {
        key.putLong(0, number);
        store.delete(store.find(key, 0, Long.BYTES), ++sequence);
    }

    void reclaim() {
        while (store.reclaim(64) > 0) {
            // Goes on while there is something.
        }
    }

    /** Keeps more former versions than it may, so that the snapshot becomes too old. */
    void exceedVersions() {
        put(1, VERSION_LENGTH_MAX / 2);
        put(1, VERSION_LENGTH_MAX / 2);
        put(1, VERSION_LENGTH_MAX / 2);
        put(1);
        reclaim();
    }

    /** What a reader finds by the snapshot. */
    int read() {
        return look(store.versionAt(row, snapshot.sequence()));
    }

    /** What a reader finds without it, which has to be a version as long as the snapshot is open. */
    int readNewest() {
        return look(store.newest(row));
    }

    boolean isTooOld() {
        return snapshot.isTooOld();
    }

    /** Changes as often as the block remembers changes, and once more. */
    void putMany() {
        for (int i = 0; i <= ChangeRing.CAPACITY; i++) {
            put(1);
        }
    }

    /**
     * What a reader finds to be the last change before the snapshot: {@link #NONE} when it is not known any more, {@link
     * #AS_OF_SNAPSHOT} when it is that change and no other.
     */
    int readLastChange() {
        final long[] changes = new long[ChangeRing.CAPACITY];
        final long upTo = snapshot.sequence();
        final int count = store.readChanges(0, upTo - 1, upTo, changes);
        if (count < 0) {
            return NONE;
        }
        return count == 1 && ChangeRing.row(changes[0]) == row && ChangeRing.sequence(changes[0], upTo - 1) == upTo
                ? AS_OF_SNAPSHOT
                : TORN;
    }

    /** Whether a reader is notified after its read that there may be something newer. */
    boolean isChanged() {
        return store.changedAt(0) > snapshot.sequence();
    }

    private int look(final long version) {
        if (version == 0) {
            return NONE;
        }
        final long of = Version.sequence(version);
        final int length = Version.messageLength(version);
        if (of <= 0 || length < MESSAGE_LENGTH_MIN || length > VERSION_LENGTH_MAX || Version.row(version) != row) {
            return TORN;
        }
        final long start = Version.messageAddress(version);
        for (int i = 0; i < length; i++) {
            if (UnsafeApi.getByte(start + i) != (byte) of) {
                return TORN;
            }
        }
        return of <= snapshot.sequence() ? AS_OF_SNAPSHOT : NEWER;
    }
}
