package io.penstock.broker.shard.match.index;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hash table that grows and shrinks by one bucket at a time, as linear hashing does (Litwin, Linear hashing, VLDB 1980):
 * one thing more or less costs the same however many there are. Finding allocates nothing. Confined to one agent.
 *
 * @param <T> kind of things.
 */
public final class GrowingTable<T extends Chained<T>> {
    private static final int CHUNK_BITS = 8;
    private static final int CHUNK_LENGTH = 1 << CHUNK_BITS;
    private static final int CHUNK_MASK = CHUNK_LENGTH - 1;
    private static final int BUCKETS_MIN = 4;
    private static final int SHRINK_FACTOR = 4;

    /** The buckets of a table without things, which are not written. */
    private static final @Nullable Chained<?>[][] NOTHING = {new Chained<?>[BUCKETS_MIN]};

    /** Only the first one is shorter than others, while there is no other. */
    private @Nullable Chained<?>[][] chunks = NOTHING;

    private int bucketCount = BUCKETS_MIN;
    private int lowMask = BUCKETS_MIN - 1;
    private int highMask = 2 * BUCKETS_MIN - 1;
    private int size;

    /** Makes it, without anything. */
    public GrowingTable() {}

    /**
     * How many things there are.
     *
     * @return count.
     */
    public int size() {
        return size;
    }

    /**
     * The first of the things that may have a hash; the others are behind it.
     *
     * @param hash of what is looked for.
     * @return null when there is none.
     */
    public @Nullable T head(final int hash) {
        return bucket(index(mixed(hash)));
    }

    /**
     * Adds a thing.
     *
     * @param added that is in no table.
     */
    public void add(final T added) {
        if (size == 0) {
            chunks = new Chained<?>[][] {new Chained<?>[BUCKETS_MIN]};
        }
        if (++size > bucketCount) {
            grow();
        }
        push(index(mixed(added.chainHash())), added);
    }

    /**
     * Removes a thing.
     *
     * @param removed that was added.
     */
    @SuppressWarnings("ReferenceEquality")
    public void remove(final T removed) {
        final int index = index(mixed(removed.chainHash()));
        final T head = bucket(index);
        if (head == removed) {
            bucket(index, removed.nextInChain());
        } else {
            T before = head;
            while (before != null && before.nextInChain() != removed) {
                before = before.nextInChain();
            }
            if (before == null) {
                throw new IllegalStateException("table: does not have what is removed: " + removed);
            }
            before.nextInChain(removed.nextInChain());
        }
        removed.nextInChain(null);
        if (--size == 0) {
            clear();
        } else if (size * SHRINK_FACTOR < bucketCount && bucketCount > BUCKETS_MIN) {
            shrink();
        }
    }

    /**
     * Hands over all things, in no order.
     *
     * @param handler that changes nothing here.
     */
    public void forEach(final Consumer<T> handler) {
        for (int i = 0; i < bucketCount; i++) {
            for (T each = bucket(i); each != null; each = each.nextInChain()) {
                handler.accept(each);
            }
        }
    }

    private void clear() {
        chunks = NOTHING;
        bucketCount = BUCKETS_MIN;
        lowMask = BUCKETS_MIN - 1;
        highMask = 2 * BUCKETS_MIN - 1;
    }

    private void push(final int index, final T added) {
        added.nextInChain(bucket(index));
        bucket(index, added);
    }

    private void grow() {
        final int added = bucketCount;
        makeRoom(added);
        T moving = bucket(added & lowMask);
        bucket(added & lowMask, null);
        while (moving != null) {
            final T next = moving.nextInChain();
            push((mixed(moving.chainHash()) & highMask) == added ? added : added & lowMask, moving);
            moving = next;
        }
        bucketCount++;
        if (bucketCount > highMask) {
            lowMask = highMask;
            highMask = 2 * highMask + 1;
        }
    }

    private void makeRoom(final int index) {
        final int chunk = index >>> CHUNK_BITS;
        if (chunk == 0) {
            if (index >= chunks[0].length) {
                chunks[0] = Arrays.copyOf(chunks[0], 2 * chunks[0].length);
            }
            return;
        }
        if (chunk >= chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * chunks.length);
        }
        if ((index & CHUNK_MASK) == 0) {
            chunks[chunk] = new Chained<?>[CHUNK_LENGTH];
        }
    }

    private void shrink() {
        if (bucketCount == lowMask + 1) {
            highMask = lowMask;
            lowMask >>>= 1;
        }
        final int removed = bucketCount - 1;
        T moving = bucket(removed);
        bucket(removed, null);
        bucketCount = removed;
        while (moving != null) {
            final T next = moving.nextInChain();
            push(removed & lowMask, moving);
            moving = next;
        }
        if (removed >= CHUNK_LENGTH && (removed & CHUNK_MASK) == 0) {
            chunks[removed >>> CHUNK_BITS] = NOTHING[0];
        }
    }

    private int index(final int mixed) {
        final int index = mixed & highMask;
        return index < bucketCount ? index : index & lowMask;
    }

    @SuppressWarnings("unchecked")
    private @Nullable T bucket(final int index) {
        return (T) chunks[index >>> CHUNK_BITS][index & CHUNK_MASK];
    }

    private void bucket(final int index, final @Nullable T head) {
        chunks[index >>> CHUNK_BITS][index & CHUNK_MASK] = head;
    }

    /** Lower bits that depend on all of a hash. */
    private static int mixed(final int hash) {
        final int mixed = (hash ^ hash >>> 16) * 0x85EBCA6B;
        return mixed ^ mixed >>> 13;
    }
}
