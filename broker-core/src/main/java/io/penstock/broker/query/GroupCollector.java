package io.penstock.broker.query;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.collect.BlockCollector;
import io.penstock.broker.query.collect.ColumnGroups;
import io.penstock.broker.query.column.ColumnLease;
import io.penstock.broker.query.join.PairReader;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageEditor;
import io.penstock.format.MessageFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** The groups that one worker of an aggregating query has found, and at the end their rows. Confined to one agent. */
final class GroupCollector {
    private static final int ROW_LENGTH_INITIAL = 1024;
    private static final int KEY_LENGTH_MAX = 64 * 1024;

    private final QueryPlan plan;
    private final List<UnsafeBuffer> rows = new ArrayList<>();
    private final List<ColumnGroups> columns = new ArrayList<>();
    private @Nullable Aggregation aggregation;
    private @Nullable MessageFormat format;
    private UnsafeBuffer scratch = new UnsafeBuffer(new byte[0]);

    GroupCollector(final QueryPlan plan) {
        this.plan = plan;
    }

    /** Adds a record; false when there are too many groups, or values. */
    boolean add(final SourceReader reader, final UnsafeBuffer message) {
        final Aggregation to = of(reader.source.topic().format());
        final PairReader pairs = reader.pairs();
        if (pairs != null) {
            return to.add(pairs.reader(to.fields())) != null;
        }
        to.headers(reader.headers(), 0, reader.headers().capacity());
        return to.add(message, 0, message.capacity());
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
                ColumnGroups.of(to.fields(), GroupFeed.shape(select.syntax(), to), new GroupFeed(to), of);
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
        return aggregation != null && aggregation.isFull()
                ? QueryFailure.TOO_MANY_VALUES
                : QueryFailure.TOO_MANY_GROUPS;
    }

    /** Adds the groups of another worker; false when there are too many, or too many values. */
    boolean addAll(final GroupCollector other) {
        final Aggregation theirs = other.aggregation;
        return theirs == null || other.format == null || of(other.format).merge(theirs);
    }

    /** Makes the rows of all groups, in the order that was asked for. */
    void finish(final MessageFormat formatOfNone) {
        scratch = new UnsafeBuffer(new byte[ROW_LENGTH_INITIAL]);
        final MessageFormat of = format == null ? formatOfNone : format;
        final FieldSet fields = new FieldSet();
        final Filter having =
                plan.having().isEmpty() ? null : FilterCompiler.compile(plan.having(), fields, FilterLimits.DEFAULTS);
        final FieldReader reader = of.newReader(fields);
        of(of).forEach((key, offset, length, messageCount, row) -> {
            int rowLength;
            while ((rowLength = row.write(scratch, 0, scratch.capacity())) == MessageEditor.TOO_LONG) {
                scratch = new UnsafeBuffer(new byte[2 * scratch.capacity()]);
            }
            reader.wrap(scratch, 0, rowLength);
            if (having == null || having.matches(reader)) {
                rows.add(new UnsafeBuffer(Arrays.copyOf(scratch.byteArray(), rowLength)));
            }
        });
        aggregation = null;
        sort(of);
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

    private void sort(final MessageFormat of) {
        final OrderBy orderBy = plan.orderBy();
        if (orderBy == null) {
            return;
        }
        final SortKeyWriter writer = orderBy.newWriter();
        final FieldReader reader = of.newReader(orderBy.fields());
        final UnsafeBuffer key = new UnsafeBuffer(new byte[KEY_LENGTH_MAX]);
        final List<SortedRow> sorted = new ArrayList<>(rows.size());
        for (final UnsafeBuffer row : rows) {
            reader.wrap(row, 0, row.capacity());
            final int length = writer.write(reader, key, 0, KEY_LENGTH_MAX);
            sorted.add(new SortedRow(Arrays.copyOf(key.byteArray(), Math.max(0, length)), row));
        }
        sorted.sort((one, other) -> Arrays.compareUnsigned(one.key, other.key));
        rows.clear();
        sorted.forEach(each -> rows.add(each.row));
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
