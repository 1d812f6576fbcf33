package io.penstock.broker.shard.store;

import org.agrona.DirectBuffer;

/**
 * Looks at what the next changes of some keys will need, for all of them together, so that it lies in the CPU's cache when they
 * are applied. Each put alone waits for memory several times, one after the other: for the bucket of its key, the row, the version
 * that it replaces. Here the same step is taken for all keys, and the CPU waits for them at once. It changes nothing, and it is no
 * harm when a key is not put, or another row is changed first. Owned by the writer.
 */
public final class KeyLookahead {
    /** Keys that are looked at together. */
    public static final int CAPACITY = 16;

    private static final int CHAIN_LIMIT = 3;

    private final KeyIndex[] indexes = new KeyIndex[CAPACITY];
    private final int[] hashes = new int[CAPACITY];
    private final int[] rows = new int[CAPACITY];
    private final long[] versions = new long[CAPACITY];
    private int count;

    /** What was read, so that the compiler does not leave it out. */
    private long seen;

    /** Makes one without keys. */
    public KeyLookahead() {}

    /**
     * Adds a key, unless there are as many already as are looked at together.
     *
     * @param store  that it is to be put into.
     * @param key    buffer that holds the key; not needed any more when this returns.
     * @param offset of the key.
     * @param length of the key in bytes.
     */
    public void add(final StateStore store, final DirectBuffer key, final int offset, final int length) {
        key.boundsCheck(offset, length);
        final KeyIndex index = store.index();
        if (count < CAPACITY && !index.isEmpty()) {
            indexes[count] = index;
            hashes[count] = index.hash(key, offset, length);
            count++;
        }
    }

    /** Looks at everything, and forgets the keys. */
    public void look() {
        for (int i = 0; i < count; i++) {
            rows[i] = indexes[i].first(hashes[i]);
        }
        for (int i = 0; i < count; i++) {
            rows[i] = indexes[i].inChain(rows[i], hashes[i], CHAIN_LIMIT);
            versions[i] = rows[i] == StateStore.NO_ROW ? 0 : indexes[i].rows().version(rows[i]);
        }
        long sum = 0;
        for (int i = 0; i < count; i++) {
            if (versions[i] != 0) {
                sum += Version.lookAt(versions[i]) + indexes[i].rows().lookAtChanges(rows[i]);
            }
        }
        seen += sum;
        count = 0;
    }

    /** What depends on everything that was looked at. */
    long seen() {
        return seen;
    }
}
