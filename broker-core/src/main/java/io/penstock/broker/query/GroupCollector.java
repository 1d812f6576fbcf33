package io.penstock.broker.query;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.collect.BlockCollector;
import io.penstock.broker.query.collect.CollectedRoom;
import io.penstock.broker.query.collect.ColumnGroups;
import io.penstock.broker.query.column.ColumnLease;
import io.penstock.broker.query.join.PairReader;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageEditor;
import io.penstock.format.MessageFormat;
import io.penstock.format.RecordReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** The groups that one worker of an aggregating query has found, and at the end their rows. Confined to one agent. */
final class GroupCollector {
    private static final int ROW_LENGTH_INITIAL = 1024;

    /** Bytes of a row or a key beside its own, about. */
    private static final int ROW_LENGTH = 64;

    private final QueryPlan plan;
    private final List<UnsafeBuffer> rows = new ArrayList<>();
    private final List<ColumnGroups> columns = new ArrayList<>();
    private final CollectedRoom room;
    private long rowsLength;
    private @Nullable Aggregation aggregation;
    private @Nullable MessageFormat format;
    private UnsafeBuffer scratch = new UnsafeBuffer(new byte[0]);
    private boolean isRowTooLong;

    /** @param room for the groups and their rows. */
    GroupCollector(final QueryPlan plan, final CollectedRoom room) {
        this.plan = plan;
        this.room = room;
    }

    /** Adds a record; false when there are too many groups, or values, or they take too much memory. */
    boolean add(final SourceReader reader, final UnsafeBuffer message) {
        final Aggregation to = of(reader.source.topic().format());
        final PairReader pairs = reader.pairs();
        if (pairs != null) {
            return room.ensure(to.length()) && to.add(pairs.reader(to.fields())) != null;
        }
        to.headers(reader.headers(), 0, reader.headers().capacity());
        return room.ensure(to.length()) && to.add(message, 0, message.capacity());
    }

    /** Adds so many records, whatever is in them. */
    void addCount(final SourceReader reader, final int count) {
        of(reader.source.topic().format()).addCount(count);
    }

    /** What adds rows by columns of a source; null when it does not help. */
    @Nullable
    BlockCollector columns(final ColumnLease of, final MessageFormat formatOfSource) {
        final SelectList select = plan.select();
        if (select == null) {
            return null;
        }
        // No rows come any more of the sources before.
        flush();
        columns.clear();
        final Aggregation to = of(formatOfSource);
        final ColumnGroups made =
                ColumnGroups.of(to.fields(), GroupFeed.shape(select.syntax(), to), new GroupFeed(to, room), of);
        if (made != null) {
            columns.add(made);
        }
        return made;
    }

    /** Nothing is added any more by columns. */
    void flush() {
        columns.forEach(ColumnGroups::flush);
    }

    /** Why nothing could be added. */
    QueryFailure failure() {
        if (room.isRefused()) {
            return QueryFailure.NO_MEMORY;
        }
        return aggregation != null && aggregation.isFull()
                ? QueryFailure.TOO_MANY_VALUES
                : QueryFailure.TOO_MANY_GROUPS;
    }

    /** Adds the groups of another worker; false when there are too many, or they take too much memory. */
    boolean addAll(final GroupCollector other) {
        final Aggregation theirs = other.aggregation;
        if (theirs == null || other.format == null) {
            return true;
        }
        final Aggregation to = of(other.format);
        return room.ensure(to.length() + theirs.length()) && to.merge(theirs);
    }

    /**
     * Makes the rows of all groups, in the order that was asked for.
     *
     * @param formatOfNone of the rows when there is no record.
     * @param rowLengthMax of each, in bytes.
     * @return why it cannot, or null.
     */
    @Nullable
    QueryFailure finish(final MessageFormat formatOfNone, final int rowLengthMax) {
        scratch = new UnsafeBuffer(new byte[ROW_LENGTH_INITIAL]);
        final MessageFormat of = format == null ? formatOfNone : format;
        final FieldSet fields = new FieldSet();
        final Filter having =
                plan.having().isEmpty() ? null : FilterCompiler.compile(plan.having(), fields, FilterLimits.COMBINED);
        final FieldReader reader = RecordReader.of(of, fields);
        final Aggregation groups = of(of);
        groups.forEach((key, offset, length, messageCount, row) -> {
            if (room.isRefused() || isRowTooLong) {
                return;
            }
            final int rowLength = write(row, rowLengthMax);
            if (isRowTooLong) {
                return;
            }
            reader.wrap(scratch, 0, rowLength);
            if ((having == null || having.matches(reader)) && hasRoom(rowLength)) {
                rows.add(new UnsafeBuffer(Arrays.copyOf(scratch.byteArray(), rowLength)));
            }
        });
        aggregation = null;
        if (isRowTooLong) {
            return QueryFailure.ROW_TOO_LONG;
        }
        return room.isRefused() ? QueryFailure.NO_MEMORY : sort(of);
    }

    private int write(final GroupRow row, final int lengthMax) {
        int length;
        UnsafeBuffer longer = scratch;
        do {
            scratch = longer;
            length = row.write(scratch, 0, Math.min(scratch.capacity(), lengthMax));
            longer = length == MessageEditor.TOO_LONG ? ItemWriter.longer(scratch, lengthMax) : null;
        } while (longer != null);
        isRowTooLong = length == MessageEditor.TOO_LONG;
        return length;
    }

    private boolean hasRoom(final int rowLength) {
        final Aggregation groups = aggregation;
        rowsLength += ROW_LENGTH + rowLength;
        return room.ensure((groups == null ? 0 : groups.length()) + rowsLength);
    }

    /** Forgets everything. */
    void clear() {
        aggregation = null;
        columns.clear();
        rows.clear();
        scratch = new UnsafeBuffer(new byte[0]);
    }

    int count() {
        return rows.size();
    }

    UnsafeBuffer row(final int index) {
        return rows.get(index);
    }

    private Aggregation of(final MessageFormat of) {
        Aggregation present = aggregation;
        final SelectList select = plan.select();
        if (present == null && select != null) {
            present = Aggregation.scan(select, of, QueryRun.GROUP_COUNT_MAX);
            aggregation = present;
            format = of;
        }
        if (present == null) {
            throw new IllegalStateException("query: no aggregate: " + plan);
        }
        return present;
    }

    private @Nullable QueryFailure sort(final MessageFormat of) {
        final OrderBy orderBy = plan.orderBy();
        if (orderBy == null) {
            return null;
        }
        final SortKeyWriter writer = orderBy.newWriter();
        final FieldReader reader = RecordReader.of(of, orderBy.fields());
        final UnsafeBuffer key = new UnsafeBuffer(new byte[OrderBy.KEY_LENGTH_MAX]);
        final List<SortedRow> sorted = new ArrayList<>(rows.size());
        for (final UnsafeBuffer row : rows) {
            reader.wrap(row, 0, row.capacity());
            final int length = writer.write(reader, key, 0, OrderBy.KEY_LENGTH_MAX);
            if (length == MessageEditor.TOO_LONG) {
                return QueryFailure.SORT_KEY_TOO_LONG;
            }
            if (!hasRoom(length)) {
                return QueryFailure.NO_MEMORY;
            }
            sorted.add(new SortedRow(Arrays.copyOf(key.byteArray(), length), row));
        }
        sorted.sort((one, other) -> Arrays.compareUnsigned(one.key, other.key));
        rows.clear();
        sorted.forEach(each -> rows.add(each.row));
        return null;
    }

    /** A row and its place. */
    private static final class SortedRow {
        private final byte[] key;
        private final UnsafeBuffer row;

        private SortedRow(final byte[] key, final UnsafeBuffer row) {
            this.key = key;
            this.row = row;
        }
    }
}
