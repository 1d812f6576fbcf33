package io.penstock.broker.shard.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one store that expire first, in their order: by the times when they expire and, of one time, by the sequences
 * of their versions. So the order follows from the records and not from where they lie. It has some rows at a time, found
 * by looking at groups of rows, and says when the groups are enough for one turn. One for all stores of an agent, which
 * owns it. Allocates only to grow.
 */
public final class ExpirySearch {
    /** Rows that are found at a time: as many as a batch has with one time of expiration. */
    static final int CAPACITY = 1024;

    /** Groups that are looked at in one turn, in about a millisecond. */
    private static final int GROUP_LIMIT = 1024;

    private long[] times = new long[0];
    private long[] sequences = new long[0];
    private int[] rows = new int[0];
    private int count;

    /** The first one that was not passed over. */
    private int next;

    private boolean isSorted;
    private @Nullable ExpiryIndex owner;

    /** Groups that are hidden until all are found, and their times. */
    private int[] groups = new int[64];

    private long[] groupTimes = new long[64];
    private int groupCount;

    private int groupsLeft = GROUP_LIMIT;

    /** Makes one without rows. */
    public ExpirySearch() {}

    /** Another turn begins: as many groups as in any turn may be looked at. */
    public void beginTurn() {
        groupsLeft = GROUP_LIMIT;
    }

    /** A group is looked at. Returns false when there were enough in this turn. */
    boolean lookAtGroup() {
        return --groupsLeft >= 0;
    }

    /** The rows of another store are wanted, or its rows anew. */
    void begin(final ExpiryIndex of) {
        if (rows.length == 0) {
            times = new long[CAPACITY];
            sequences = new long[CAPACITY];
            rows = new int[CAPACITY];
        }
        owner = of;
        count = 0;
        next = 0;
        isSorted = false;
        groupCount = 0;
    }

    /** Forgets all rows. */
    void clear() {
        count = 0;
        next = 0;
        owner = null;
    }

    boolean isOf(final ExpiryIndex index) {
        return owner == index;
    }

    boolean isFull() {
        return count == CAPACITY;
    }

    boolean isEmpty() {
        return next == count;
    }

    /** The first row. */
    int row() {
        return rows[next];
    }

    long time() {
        return times[next];
    }

    long sequence() {
        return sequences[next];
    }

    /** Passes over the first row. */
    void pass() {
        next++;
    }

    /** The time of the last row; of those found so far, while they are not sorted. */
    long lastTime() {
        return times[isSorted ? count - 1 : 0];
    }

    /** Adds a row; the last one makes room when there is none. */
    void add(final int row, final long time, final long sequence) {
        if (count < CAPACITY) {
            put(count, row, time, sequence);
            siftUp(count++);
        } else if (isBefore(time, sequence, times[0], sequences[0])) {
            put(0, row, time, sequence);
            siftDown(count);
        }
    }

    /** Notes a group that is hidden. */
    void hide(final int group, final long time) {
        if (groupCount == groups.length) {
            groups = Arrays.copyOf(groups, 2 * groupCount);
            groupTimes = Arrays.copyOf(groupTimes, 2 * groupCount);
        }
        groups[groupCount] = group;
        groupTimes[groupCount++] = time;
    }

    int hiddenCount() {
        return groupCount;
    }

    int hiddenGroup(final int number) {
        return groups[number];
    }

    long hiddenTime(final int number) {
        return groupTimes[number];
    }

    /** Whether one was found whose time is not after another one. */
    boolean hasFoundUpTo(final long time) {
        // The group that was hidden first has the earliest time of all.
        return groupCount > 0 && groupTimes[0] >= time;
    }

    /** All were found that expire before a time. The first comes first. */
    void end(final long before) {
        final int found = count;
        // The last one is the first of the heap.
        for (int end = found - 1; end > 0; end--) {
            swap(0, end);
            siftDown(end);
        }
        while (count > 0 && times[count - 1] >= before) {
            count--;
        }
        isSorted = true;
    }

    private void siftUp(final int from) {
        int place = from;
        while (place > 0) {
            final int parent = (place - 1) / 2;
            if (!isBefore(times[parent], sequences[parent], times[place], sequences[place])) {
                return;
            }
            swap(parent, place);
            place = parent;
        }
    }

    private void siftDown(final int end) {
        int place = 0;
        while (true) {
            int child = 2 * place + 1;
            if (child >= end) {
                return;
            }
            if (child + 1 < end && isBefore(times[child], sequences[child], times[child + 1], sequences[child + 1])) {
                child++;
            }
            if (!isBefore(times[place], sequences[place], times[child], sequences[child])) {
                return;
            }
            swap(place, child);
            place = child;
        }
    }

    private void swap(final int a, final int b) {
        final int row = rows[a];
        final long time = times[a];
        final long sequence = sequences[a];
        put(a, rows[b], times[b], sequences[b]);
        put(b, row, time, sequence);
    }

    private void put(final int place, final int row, final long time, final long sequence) {
        rows[place] = row;
        times[place] = time;
        sequences[place] = sequence;
    }

    private static boolean isBefore(final long time, final long sequence, final long thanTime, final long thanSequence) {
        return time < thanTime || (time == thanTime && sequence < thanSequence);
    }
}
