package io.penstock.broker.shard.store;

import java.util.Arrays;
import org.agrona.UnsafeApi;

/**
 * Finds rows whose newest version expires: for each group of rows, block, section and the whole store a time before
 * which none of its rows does. A put lowers these times; they are raised when a search finds that they were too low. So
 * it needs no memory for each row, and a key that is put again before it expires costs one look at its row in each
 * lifetime. Owned by the writer.
 */
final class ExpiryIndex {
    private static final int DESCENT_LIMIT = 4;

    private final RowTable rows;
    private long[] sections = new long[0];
    private long earliest = Long.MAX_VALUE;

    /** The group that is being searched, and the first row of it that was not looked at yet. */
    private int group = -1;

    private int nextRow;

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
        final int block = row >> RowTable.BLOCK_SHIFT;
        lower(groupAddress(row >> RowTable.GROUP_SHIFT), expiresNs);
        lower(rows.earliestOfBlock(block), expiresNs);
        final int section = block / RowTable.SECTION_BLOCK_COUNT;
        if (section >= sections.length) {
            final int count = sections.length;
            sections = Arrays.copyOf(sections, section + 1);
            Arrays.fill(sections, count, sections.length, Long.MAX_VALUE);
        }
        sections[section] = Math.min(sections[section], expiresNs);
        earliest = Math.min(earliest, expiresNs);
    }

    /** A row that has expired, which is not one any more when this is called again; or none, for now. */
    int next(final long nowNs) {
        int descents = 0;
        while (true) {
            if (group >= 0) {
                final int row = searchGroup(nowNs);
                if (row != StateStore.NO_ROW) {
                    return row;
                }
                raise(group);
                group = -1;
            }
            if (earliest > nowNs || descents++ == DESCENT_LIMIT) {
                return StateStore.NO_ROW;
            }
            descend();
        }
    }

    private int searchGroup(final long nowNs) {
        final int end = Math.min((group + 1) << RowTable.GROUP_SHIFT, rows.rowCount());
        while (nextRow < end) {
            final int row = nextRow++;
            if (expiresNs(row) <= nowNs) {
                return row;
            }
        }
        return StateStore.NO_ROW;
    }

    private void descend() {
        int section = 0;
        while (sections[section] != earliest) {
            section++;
        }
        int block = section * RowTable.SECTION_BLOCK_COUNT;
        while (UnsafeApi.getLong(rows.earliestOfBlock(block)) != earliest) {
            block++;
        }
        int found = block * RowTable.GROUP_COUNT;
        while (UnsafeApi.getLong(groupAddress(found)) != earliest) {
            found++;
        }
        group = found;
        nextRow = found << RowTable.GROUP_SHIFT;
    }

    /** Sets the times above a group to what its rows say. */
    private void raise(final int raised) {
        final int firstRow = raised << RowTable.GROUP_SHIFT;
        final int end = Math.min(firstRow + RowTable.GROUP_LENGTH, rows.rowCount());
        long time = Long.MAX_VALUE;
        for (int row = firstRow; row < end; row++) {
            time = Math.min(time, expiresNs(row));
        }
        UnsafeApi.putLong(groupAddress(raised), time);
        final int block = firstRow >> RowTable.BLOCK_SHIFT;
        final long groups = rows.earliestOfGroups(block);
        time = Long.MAX_VALUE;
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
