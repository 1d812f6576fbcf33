package io.penstock.broker.shard.store;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries that have something to do at some time, the earliest first and of one time that of the lowest rank, so that
 * nobody looks at the others. The cost
 * of a change grows with the logarithm of the number of entries. Allocates only to grow. Confined to one agent.
 *
 * @param <T> what is due.
 */
public final class DueHeap<T> {
    /** Not due at all. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final int CAPACITY_INITIAL = 8;
    private static final int ABSENT = -1;

    private @Nullable Entry<T>[] entries = newEntries(CAPACITY_INITIAL);
    private int count;

    /** Makes an empty heap. */
    public DueHeap() {}

    /**
     * The earliest time at which something is due.
     *
     * @return time, or {@link #NEVER}.
     */
    public long dueAt() {
        final Entry<T> first = entries[0];
        return first == null ? NEVER : first.dueAt;
    }

    /**
     * The entry that is due first.
     *
     * @return it, or null when nothing is due at all.
     */
    public @Nullable T first() {
        final Entry<T> first = entries[0];
        return first == null ? null : first.owner;
    }

    /**
     * The earliest time at which something is due but the first.
     *
     * @return time, or {@link #NEVER}.
     */
    public long dueAfterFirst() {
        final long left = count > 1 ? at(1).dueAt : NEVER;
        return count > 2 ? Math.min(left, at(2).dueAt) : left;
    }

    /**
     * Sets when something is due.
     *
     * @param entry of this heap.
     * @param dueAt time, or {@link #NEVER}.
     */
    public void dueAt(final Entry<T> entry, final long dueAt) {
        final long before = entry.dueAt;
        if (dueAt == before) {
            return;
        }
        entry.dueAt = dueAt;
        if (before == NEVER) {
            add(entry);
        } else if (dueAt == NEVER) {
            remove(entry);
        } else if (dueAt < before) {
            siftUp(entry);
        } else {
            siftDown(entry);
        }
    }

    /**
     * Sets when something is due, unless it is due before.
     *
     * @param entry of this heap.
     * @param dueAt time, or {@link #NEVER}.
     */
    public void dueNoLaterThan(final Entry<T> entry, final long dueAt) {
        if (dueAt < entry.dueAt) {
            dueAt(entry, dueAt);
        }
    }

    /**
     * Takes out what is due, the earliest first.
     *
     * @param time  up to which it is.
     * @param limit count of what is taken.
     * @param into  is added to.
     */
    public void takeDue(final long time, final int limit, final List<T> into) {
        for (int i = 0; i < limit; i++) {
            final Entry<T> first = entries[0];
            if (first == null || first.dueAt > time) {
                return;
            }
            into.add(first.owner);
            dueAt(first, NEVER);
        }
    }

    private void add(final Entry<T> entry) {
        if (count == entries.length) {
            entries = Arrays.copyOf(entries, 2 * count);
        }
        put(entry, count++);
        siftUp(entry);
    }

    private void remove(final Entry<T> entry) {
        final int place = entry.place;
        final Entry<T> last = at(--count);
        entries[count] = null;
        entry.place = ABSENT;
        if (last != entry) {
            put(last, place);
            siftUp(last);
            siftDown(last);
        }
    }

    private void siftUp(final Entry<T> entry) {
        int place = entry.place;
        while (place > 0) {
            final int parent = (place - 1) / 2;
            if (!entry.isBefore(at(parent))) {
                break;
            }
            put(at(parent), place);
            place = parent;
        }
        put(entry, place);
    }

    private void siftDown(final Entry<T> entry) {
        int place = entry.place;
        while (true) {
            int child = 2 * place + 1;
            if (child + 1 < count && at(child + 1).isBefore(at(child))) {
                child++;
            }
            if (child >= count || !at(child).isBefore(entry)) {
                break;
            }
            put(at(child), place);
            place = child;
        }
        put(entry, place);
    }

    private void put(final Entry<T> entry, final int place) {
        entries[place] = entry;
        entry.place = place;
    }

    private Entry<T> at(final int place) {
        final Entry<T> entry = entries[place];
        assert entry != null : place;
        return entry;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <T> @Nullable Entry<T>[] newEntries(final int length) {
        return new Entry[length];
    }

    /**
     * The place of one in a heap. Made once, so that its owner is found without a search.
     *
     * @param <T> what is due.
     */
    public static final class Entry<T> {
        private final T owner;
        private final long rank;
        private long dueAt = NEVER;
        private int place = ABSENT;

        /**
         * Makes an entry that is not due.
         *
         * @param owner that is due when the entry is.
         */
        public Entry(final T owner) {
            this(owner, 0);
        }

        /**
         * Makes an entry that is not due.
         *
         * @param owner that is due when the entry is.
         * @param rank  among those that are due at the same time, the lowest first.
         */
        public Entry(final T owner, final long rank) {
            this.owner = owner;
            this.rank = rank;
        }

        private boolean isBefore(final Entry<T> other) {
            return dueAt < other.dueAt || (dueAt == other.dueAt && rank < other.rank);
        }
    }
}
