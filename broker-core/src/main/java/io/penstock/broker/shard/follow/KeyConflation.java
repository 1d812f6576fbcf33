package io.penstock.broker.shard.follow;

import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.format.KeyReader;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntHashSet;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Chooses which of one follower's changed rows with the same conflation key is sent: the one that changed last. Owned
 * by the sequencer; bounded by the rows there are, and allocates nothing once warm.
 *
 * <p>The client does not know the present version of a row that is passed over. So the row is later sent whole, not as
 * a delta.
 */
final class KeyConflation {
    private static final long NO_ROW = StateStore.NO_ROW;
    private static final int CAPACITY_KEPT = 64 * 1024;
    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

    private final StateStore store;
    private final KeyReader key;
    private final KeyReader otherKey;
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);

    /** The newest row of each key, by the key's hash; by the next free number when another key has that hash. */
    private Long2LongHashMap newest = new Long2LongHashMap(NO_ROW);

    private IntHashSet passedOver = new IntHashSet();

    /** Rows of earlier intervals that were passed over since they were sent. */
    private final IntHashSet unnotified = new IntHashSet();

    /** Rows of this interval that were among {@link #unnotified}. */
    private IntHashSet whole = new IntHashSet();

    private int lookedAt;

    KeyConflation(final StateStore store, final KeyReader key, final KeyReader otherKey) {
        this.store = store;
        this.key = key;
        this.otherKey = otherKey;
    }

    /** An interval has ended: its changed rows are looked at. */
    void begin() {
        lookedAt = 0;
        if (newest.capacity() > CAPACITY_KEPT) {
            newest = new Long2LongHashMap(NO_ROW);
            passedOver = new IntHashSet();
            whole = new IntHashSet();
        } else {
            newest.clear();
            passedOver.clear();
            whole.clear();
        }
    }

    /** How many of the changed rows were looked at. */
    int lookedAt() {
        return lookedAt;
    }

    /** The next row is not to be sent as a changed record; it has changed if there is another version. */
    void onOther(final int row, final boolean hasChanged) {
        lookedAt++;
        if (hasChanged) {
            unnotified.remove(row);
        }
    }

    /** The next row is a changed record that matches. */
    void onRecord(final int row, final long version, final long sequence) {
        lookedAt++;
        if (unnotified.remove(row)) {
            whole.add(row);
        }
        // A row without such a key is not merged.
        if (tryRead(key, version)) {
            put(row, version, sequence);
        }
    }

    private void put(final int row, final long version, final long sequence) {
        long slot = hash(key.buffer(), key.length());
        long known = newest.get(slot);
        while (known != NO_ROW && !hasSameKey((int) known, sequence)) {
            slot++;
            known = newest.get(slot);
        }
        if (known == NO_ROW) {
            newest.put(slot, row);
        } else if (Version.sequence(version) > Version.sequence(store.versionAt((int) known, sequence))) {
            newest.put(slot, row);
            passOver((int) known);
        } else {
            passOver(row);
        }
    }

    private boolean hasSameKey(final int row, final long sequence) {
        return tryRead(otherKey, store.versionAt(row, sequence))
                && otherKey.length() == key.length()
                && isSame(otherKey.buffer(), key.buffer(), key.length());
    }

    private boolean tryRead(final KeyReader by, final long version) {
        Version.wrapContent(message, version);
        final int length = Version.messageLength(version);
        if (by.readsHeaders()) {
            by.headers(message, length, Version.headersLength(version));
        }
        return by.tryRead(message, 0, length);
    }

    private void passOver(final int row) {
        passedOver.add(row);
        unnotified.add(row);
    }

    /** Whether a changed record is not sent, because of a newer one with the same key. */
    boolean isPassedOver(final int row) {
        return passedOver.contains(row);
    }

    /** Whether a changed record is sent whole, because its client was not sent an earlier change. */
    boolean isWhole(final int row) {
        return whole.contains(row);
    }

    private static long hash(final DirectBuffer buffer, final int length) {
        long hash = length;
        for (int i = 0; i < length; i++) {
            hash = (hash ^ buffer.getByte(i)) * HASH_FACTOR;
            hash ^= hash >>> 29;
        }
        return hash;
    }

    private static boolean isSame(final DirectBuffer one, final DirectBuffer other, final int length) {
        for (int i = 0; i < length; i++) {
            if (one.getByte(i) != other.getByte(i)) {
                return false;
            }
        }
        return true;
    }
}
