package io.penstock.broker.query;

import io.penstock.broker.query.collect.BestScores;
import io.penstock.broker.query.collect.BlockCollector;
import io.penstock.broker.query.collect.CollectedRoom;
import io.penstock.broker.query.collect.CommonBound;
import io.penstock.broker.query.collect.QueryMemory;
import io.penstock.broker.query.collect.TopOrder;
import io.penstock.broker.query.collect.TopRows;
import io.penstock.broker.query.column.Column;
import io.penstock.broker.query.column.ColumnLease;
import io.penstock.format.MessageEditor;
import io.penstock.format.MessageFormat;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The results of one worker for a query whose results are merged before the first is sent: records in an order, or
 * groups of them. Owned by its worker; after the scan by the last worker.
 */
final class CollectedRecords {
    private final QueryPlan plan;
    private final RecordSorter sorter;
    private final GroupCollector groups;
    private final CollectedRoom room;
    private int[] order = new int[0];

    /** Of the rows that are ordered; null when too many of them are wanted. */
    private final @Nullable BestScores best;

    /**
     * @param memory of all queries.
     * @param bound  of all workers of the query.
     */
    CollectedRecords(final QueryPlan plan, final QueryMemory memory, final CommonBound bound) {
        this.plan = plan;
        room = new CollectedRoom(memory);
        sorter = new RecordSorter(plan.limit(), QueryRun.COLLECTED_LENGTH_MAX, room);
        groups = new GroupCollector(plan, room);
        best = plan.limit() > 0 && plan.limit() <= TopRows.COUNT_MAX ? new BestScores((int) plan.limit(), bound) : null;
    }

    /** What takes rows by columns of a source, so that they need not be added; null when it does not help. */
    @Nullable
    BlockCollector columns(final ColumnLease of, final MessageFormat format) {
        if (plan.isAggregate()) {
            return groups.columns(of, format);
        }
        final OrderBy orderBy = plan.orderBy();
        if (orderBy == null || best == null) {
            return null;
        }
        final OrderBy.Term first = orderBy.terms().get(0);
        final Column column = first.path().isHeader() ? null : of.column(first.path());
        final TopOrder order = new TopOrder(
                first.isDescending(), first.isNullFirst(), orderBy.terms().size() == 1);
        return column == null ? null : new TopRows(column, order, best);
    }

    /** Nothing is added any more by columns. */
    void flush() {
        groups.flush();
    }

    /** Adds a record. Returns why the query cannot go on, or null. */
    @Nullable
    QueryFailure add(
            final SourceReader reader,
            final UnsafeBuffer message,
            final long version,
            final int source,
            final int row) {
        if (plan.isAggregate()) {
            return groups.add(reader, message) ? null : groups.failure();
        }
        if (!sorter.ensureKey(OrderBy.KEY_LENGTH_MAX)) {
            return tooMuchToSort();
        }
        final int length = reader.sortKey(message, sorter.keys(), sorter.keysLength(), OrderBy.KEY_LENGTH_MAX);
        if (length == MessageEditor.TOO_LONG) {
            return QueryFailure.SORT_KEY_TOO_LONG;
        }
        sorter.add(version, source, row, length);
        return null;
    }

    /** Adds so many records to a query that only counts them. */
    void addCount(final SourceReader reader, final int count) {
        groups.addCount(reader, count);
    }

    /** Adds what another worker has found. Returns why the query cannot go on, or null. */
    @Nullable
    QueryFailure addAll(final CollectedRecords other) {
        final boolean isSorted = sorter.addAll(other.sorter);
        if (!groups.addAll(other.groups)) {
            return groups.failure();
        }
        return isSorted ? null : tooMuchToSort();
    }

    private QueryFailure tooMuchToSort() {
        return room.isRefused() ? QueryFailure.NO_MEMORY : QueryFailure.TOO_MUCH_TO_SORT;
    }

    /** Nothing is added any more. Rows of groups may have so many bytes. Returns why the query cannot go on, or null. */
    @Nullable
    QueryFailure finish(final MessageFormat format, final int rowLengthMax) {
        if (plan.isAggregate()) {
            return groups.finish(format, rowLengthMax);
        }
        order = sorter.sorted();
        return null;
    }

    /** Forgets everything, and gives its memory back. */
    void release() {
        sorter.clear();
        groups.clear();
        order = new int[0];
        room.release();
    }

    /** Records, or groups. */
    int count() {
        return plan.isAggregate() ? groups.count() : order.length;
    }

    /** The row of a group, by its place in the order. */
    UnsafeBuffer group(final int place) {
        return groups.row(place);
    }

    /** Version of the record at a place in the order. */
    long version(final int place) {
        return sorter.version(order[place]);
    }

    /** Which of the query's sources has the record at a place in the order. */
    int source(final int place) {
        return sorter.source(order[place]);
    }
}
