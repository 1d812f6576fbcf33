package io.penstock.broker.shard.state;

import static io.penstock.broker.shard.state.WindowCells.AFTER_IN_GROUP_OFFSET;
import static io.penstock.broker.shard.state.WindowCells.GROUP_OFFSET;
import static io.penstock.broker.shard.state.WindowCells.NONE;

import java.util.Arrays;

/** The messages of each group in the order in which they came, when only so many of a group count. Owned by the sequencer. */
final class WindowGroups {
    private static final int CAPACITY_INITIAL = 16;

    private final WindowCells cells;
    private int[] oldest = new int[CAPACITY_INITIAL];
    private int[] newest = new int[CAPACITY_INITIAL];
    private int[] counts = new int[CAPACITY_INITIAL];
    private int madeCount;

    /** The first group that is free; the next one is where its oldest message would be. */
    private int free = NONE;

    /** @param cells that have the messages. */
    WindowGroups(final WindowCells cells) {
        this.cells = cells;
    }

    /** Makes a group without messages. */
    int make() {
        final int group;
        if (free != NONE) {
            group = free;
            free = oldest[group];
        } else {
            if (madeCount == oldest.length) {
                oldest = Arrays.copyOf(oldest, 2 * madeCount);
                newest = Arrays.copyOf(newest, 2 * madeCount);
                counts = Arrays.copyOf(counts, 2 * madeCount);
            }
            group = madeCount++;
        }
        oldest[group] = NONE;
        newest[group] = NONE;
        counts[group] = 0;
        return group;
    }

    /** Adds the newest message of a group. */
    void add(final int group, final int entry) {
        cells.putInt(entry, GROUP_OFFSET, group);
        cells.putInt(entry, AFTER_IN_GROUP_OFFSET, NONE);
        if (counts[group]++ == 0) {
            oldest[group] = entry;
        } else {
            cells.putInt(newest[group], AFTER_IN_GROUP_OFFSET, entry);
        }
        newest[group] = entry;
    }

    int count(final int group) {
        return counts[group];
    }

    int oldest(final int group) {
        return oldest[group];
    }

    /** Removes the oldest message of a group. Returns false when that was the last, and the group is there no more. */
    boolean removeOldest(final int group) {
        if (--counts[group] > 0) {
            oldest[group] = cells.getInt(oldest[group], AFTER_IN_GROUP_OFFSET);
            return true;
        }
        oldest[group] = free;
        free = group;
        return false;
    }
}
