package io.penstock.broker.shard.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one store that expire first, in their order: by the times when they expire and, of one time, by the sequences
 * of their versions. So the order follows from the records and not from where they lie. What is here is not in the
 * {@link ExpiryIndex} of the store meanwhile. One for all stores of an agent, which owns it. Allocates only to grow.
 */
public final class ExpirySearch {
    /** Rows after which no others are looked for: as many as a batch has with one time of expiration. */
    static final int ROW_COUNT = 1024;

    /** Room for so many rows is kept; for more it is made each time. */
    private static final int ROWS_KEPT_MAX = 64 * ROW_COUNT;

    /** Groups that are looked at in one turn, in about a millisecond. */
    private static final int GROUP_LIMIT = 256;

    private long[] times = new long[0];
    private long[] sequences = new long[0];
    private int[] rows = new int[0];
    private int count;

    /** The first one that was not passed over. */
    private int next;

    private long firstTime = Long.MAX_VALUE;
    private @Nullable ExpiryIndex owner;
    private int groupsLeft = GROUP_LIMIT;

    /** Makes one without rows. */
    public ExpirySearch() {}

    /** Another turn begins: as many groups as in any turn may be looked at. */
    public void beginTurn() {
        groupsLeft = GROUP_LIMIT;
    }

    /** The rows of a store are wanted. Those that are left of another one are given back to it. */
    void begin(final ExpiryIndex of) {
        giveBack();
        owner = of;
    }

    /** Gives back what is left to the store that has it. */
    void giveBack() {
        final ExpiryIndex from = owner;
        if (from != null) {
            for (int i = next; i < count; i++) {
                from.takeBack(rows[i], times[i]);
            }
        }
        clear();
    }

    /** Forgets all rows: their store is no more. */
    void clear() {
        count = 0;
        next = 0;
        firstTime = Long.MAX_VALUE;
        owner = null;
        if (rows.length > ROWS_KEPT_MAX) {
            times = new long[0];
            sequences = new long[0];
            rows = new int[0];
        }
    }

    @SuppressWarnings("ReferenceEquality")
    boolean isOf(final ExpiryIndex index) {
        return owner == index;
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

    long lastTime() {
        return times[count - 1];
    }

    /** Passes over the first row. */
    void pass() {
        next++;
    }

    /**
     * Whether another group is to be looked at, in which nothing expires before a time. Those of one time are found together,
     * however many there are: the first of them may be in the last group.
     */
    boolean goesOn(final long time) {
        return count == 0 ? groupsLeft > 0 : time <= firstTime || (groupsLeft > 0 && count < ROW_COUNT);
    }

    /** A group is looked at. */
    void onGroup() {
        groupsLeft--;
    }

    /** Adds a row that was found. */
    void add(final int row, final long time, final long sequence) {
        if (count == rows.length) {
            final int length = Math.max(2 * ROW_COUNT, 2 * count);
            times = Arrays.copyOf(times, length);
            sequences = Arrays.copyOf(sequences, length);
            rows = Arrays.copyOf(rows, length);
        }
        put(count++, row, time, sequence);
        firstTime = Math.min(firstTime, time);
    }

    /** All rows were found that expire before a time: puts them in order, and gives the others back. */
    void end(final ExpiryIndex of, final long before) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (times[i] < before) {
                put(kept++, rows[i], times[i], sequences[i]);
            } else {
                of.takeBack(rows[i], times[i]);
            }
        }
        count = kept;
        for (int place = count / 2 - 1; place >= 0; place--) {
            siftDown(place, count);
        }
        for (int end = count - 1; end > 0; end--) {
            swap(0, end);
            siftDown(0, end);
        }
    }

    private void siftDown(final int from, final int end) {
        int place = from;
        while (true) {
            int child = 2 * place + 1;
            if (child >= end) {
                return;
            }
            if (child + 1 < end && isBefore(child, child + 1)) {
                child++;
            }
            if (!isBefore(place, child)) {
                return;
            }
            swap(place, child);
            place = child;
        }
    }

    private boolean isBefore(final int a, final int b) {
        return times[a] < times[b] || (times[a] == times[b] && sequences[a] < sequences[b]);
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
}
