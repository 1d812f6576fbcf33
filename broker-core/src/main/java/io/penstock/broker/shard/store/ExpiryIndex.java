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
        return earliestNs() <= nowNs;
    }

    /** Before this time nothing expires; {@code Long.MAX_VALUE} when nothing ever does. */
    long earliestNs() {
        final ExpirySearch search = found;
        return search == null || !search.isOf(this) || search.isEmpty() ? earliest : Math.min(earliest, search.time());
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
        if (!search.isOf(this)) {
            found = null;
        } else if (!search.isEmpty() && expiresNs < search.lastTime()) {
            search.giveBack();
            found = null;
        }
    }

    /** A row that was found is to be found again. */
    void takeBack(final int row, final long time) {
        lower(row >> RowTable.GROUP_SHIFT, time);
    }

    /** The rows are about to be freed: nobody asks for them any more. */
    void end() {
        final ExpirySearch search = found;
        if (search != null && search.isOf(this)) {
            search.clear();
        }
        found = null;
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
                search.giveBack();
                return StateStore.NO_ROW;
            }
            search.pass();
        }
        return StateStore.NO_ROW;
    }

    /**
     * Finds the rows that expire first and not after a time. Groups are looked at in the order of their times; their rows that
     * are found are not looked for in them any more.
     */
    private void collect(final ExpirySearch search, final long untilNs) {
        search.begin(this);
        found = search;
        while (earliest <= untilNs && search.goesOn(earliest)) {
            search.onGroup();
            final int group = firstGroup();
            set(group, addRows(search, group, untilNs));
        }
        search.end(this, earliest > untilNs ? Long.MAX_VALUE : earliest);
    }

    /** Adds the rows of a group that expire up to a time. Returns when the first of the others does. */
    private long addRows(final ExpirySearch search, final int group, final long untilNs) {
        final int firstRow = group << RowTable.GROUP_SHIFT;
        final int end = Math.min(firstRow + RowTable.GROUP_LENGTH, rows.rowCount());
        long othersNs = Long.MAX_VALUE;
        for (int row = firstRow; row < end; row++) {
            final long version = rows.newest(row);
            final long time = version == 0 ? Long.MAX_VALUE : Version.expiresNs(version);
            if (time <= untilNs && version != 0) {
                search.add(row, time, Version.sequence(version));
            } else {
                othersNs = Math.min(othersNs, time);
            }
        }
        return othersNs;
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
