package io.penstock.broker.shard.store;

import java.util.Arrays;
import org.agrona.UnsafeApi;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows whose newest version expires: for each group of rows, block, section and the whole store a time before
 * which none of its rows does. A put lowers these times; they are raised when a search finds that they were too low. So
 * it needs no memory for each row, and a key that is put again before it expires costs one look at its row in each
 * lifetime. A search looks at groups in the order of these times, so that the rows it finds are those that expire first.
 * Owned by the writer.
 */
final class ExpiryIndex {
    private final RowTable rows;
    private long[] sections = new long[0];
    private long earliest = Long.MAX_VALUE;

    /** What has rows of this store, as far as it is known; null when none has. */
    private @Nullable ExpirySearch found;

    ExpiryIndex(final RowTable rows) {
        this.rows = rows;
    }

    boolean mayExpire(final long nowNs) {
        return earliest <= nowNs;
    }

    /** Before this time nothing expires; {@code Long.MAX_VALUE} when nothing ever does. */
    long earliestNs() {
        return earliest;
    }

    /** Notes that a row's version expires. */
    void add(final int row, final long expiresNs) {
        final ExpirySearch search = found;
        if (search != null) {
            forget(search, expiresNs);
        }
        final int section = (row >> RowTable.BLOCK_SHIFT) / RowTable.SECTION_BLOCK_COUNT;
        if (section >= sections.length) {
            final int count = sections.length;
            sections = Arrays.copyOf(sections, section + 1);
            Arrays.fill(sections, count, sections.length, Long.MAX_VALUE);
        }
        lower(row >> RowTable.GROUP_SHIFT, expiresNs);
    }

    /** What was found is not what expires first any more, if a row was added before the last of that. */
    private void forget(final ExpirySearch search, final long expiresNs) {
        if (!search.isOf(this) || search.isEmpty()) {
            found = null;
        } else if (expiresNs < search.lastTime()) {
            search.clear();
            found = null;
        }
    }

    /** Lowers the time of a group, and those above it. */
    private void lower(final int group, final long time) {
        final int block = group / RowTable.GROUP_COUNT;
        final int section = block / RowTable.SECTION_BLOCK_COUNT;
        lower(groupAddress(group), time);
        lower(rows.earliestOfBlock(block), time);
        sections[section] = Math.min(sections[section], time);
        earliest = Math.min(earliest, time);
    }

    /**
     * The row that expires first, of one time that with the lowest sequence, if it has expired. It is not one any more when
     * this is called again. None when there is no such row, or when it is not found in this turn.
     */
    int next(final ExpirySearch search, final long nowNs, final long untilNs) {
        while (true) {
            final int row = search.isOf(this) ? first(search, nowNs) : StateStore.NO_ROW;
            if (row != StateStore.NO_ROW || earliest > untilNs) {
                return row;
            }
            collect(search, untilNs);
            if (search.isEmpty()) {
                return StateStore.NO_ROW;
            }
        }
    }

    /** The first row of those that were found, if it has expired; those are passed over that have changed. */
    private int first(final ExpirySearch search, final long nowNs) {
        while (!search.isEmpty()) {
            final int row = search.row();
            final long version = rows.newest(row);
            if (version != 0 && Version.sequence(version) == search.sequence()) {
                if (search.time() <= nowNs) {
                    return row;
                }
                // The clock was put back.
                search.clear();
                return StateStore.NO_ROW;
            }
            search.pass();
        }
        return StateStore.NO_ROW;
    }

    /**
     * Finds the rows that expire first and not after a time. Groups are looked at in the order of their times, and hidden
     * until all are found.
     */
    private void collect(final ExpirySearch search, final long untilNs) {
        search.begin(this);
        found = search;
        boolean isWhole = false;
        while (!(isWhole = earliest > untilNs || (search.isFull() && earliest > search.lastTime()))) {
            // Those of one time are found together, however many there are: the first of them may be in the last group.
            if (!search.lookAtGroup() && !search.hasFoundUpTo(earliest)) {
                break;
            }
            final int group = firstGroup();
            final long time = time(group);
            if (time == earliest) {
                addRows(search, group, untilNs);
                search.hide(group, time);
                set(group, Long.MAX_VALUE);
            } else {
                set(group, time);
            }
        }
        final long foundBefore = isWhole ? Long.MAX_VALUE : earliest;
        for (int i = 0; i < search.hiddenCount(); i++) {
            lower(search.hiddenGroup(i), search.hiddenTime(i));
        }
        search.end(foundBefore);
    }

    private void addRows(final ExpirySearch search, final int group, final long untilNs) {
        final int firstRow = group << RowTable.GROUP_SHIFT;
        final int end = Math.min(firstRow + RowTable.GROUP_LENGTH, rows.rowCount());
        for (int row = firstRow; row < end; row++) {
            final long version = rows.newest(row);
            if (version != 0 && Version.expiresNs(version) <= untilNs) {
                search.add(row, Version.expiresNs(version), Version.sequence(version));
            }
        }
    }

    /** The first group whose time is the earliest. */
    private int firstGroup() {
        int section = 0;
        while (sections[section] != earliest) {
            section++;
        }
        int block = section * RowTable.SECTION_BLOCK_COUNT;
        while (UnsafeApi.getLong(rows.earliestOfBlock(block)) != earliest) {
            block++;
        }
        int group = block * RowTable.GROUP_COUNT;
        while (UnsafeApi.getLong(groupAddress(group)) != earliest) {
            group++;
        }
        return group;
    }

    /** When the first row of a group expires. */
    private long time(final int group) {
        final int firstRow = group << RowTable.GROUP_SHIFT;
        final int end = Math.min(firstRow + RowTable.GROUP_LENGTH, rows.rowCount());
        long time = Long.MAX_VALUE;
        for (int row = firstRow; row < end; row++) {
            time = Math.min(time, expiresNs(row));
        }
        return time;
    }

    /** Sets the time of a group, and those above it. */
    private void set(final int group, final long groupTime) {
        UnsafeApi.putLong(groupAddress(group), groupTime);
        final int block = group / RowTable.GROUP_COUNT;
        final long groups = rows.earliestOfGroups(block);
        long time = Long.MAX_VALUE;
        for (int i = 0; i < RowTable.GROUP_COUNT; i++) {
            time = Math.min(time, UnsafeApi.getLong(groups + (long) i * Long.BYTES));
        }
        UnsafeApi.putLong(rows.earliestOfBlock(block), time);
        raiseSection(block / RowTable.SECTION_BLOCK_COUNT);
    }

    private void raiseSection(final int section) {
        final int firstBlock = section * RowTable.SECTION_BLOCK_COUNT;
        final int end = Math.min(firstBlock + RowTable.SECTION_BLOCK_COUNT, rows.blockCount());
        long time = Long.MAX_VALUE;
        for (int block = firstBlock; block < end; block++) {
            time = Math.min(time, UnsafeApi.getLong(rows.earliestOfBlock(block)));
        }
        sections[section] = time;
        time = Long.MAX_VALUE;
        for (final long each : sections) {
            time = Math.min(time, each);
        }
        earliest = time;
    }

    private long expiresNs(final int row) {
        final long version = rows.newest(row);
        return version == 0 ? Long.MAX_VALUE : Version.expiresNs(version);
    }

    private long groupAddress(final int number) {
        return rows.earliestOfGroups(number / RowTable.GROUP_COUNT)
                + (long) (number % RowTable.GROUP_COUNT) * Long.BYTES;
    }

    private static void lower(final long address, final long time) {
        if (time < UnsafeApi.getLong(address)) {
            UnsafeApi.putLong(address, time);
        }
    }
}
