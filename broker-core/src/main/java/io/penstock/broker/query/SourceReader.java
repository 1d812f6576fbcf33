package io.penstock.broker.query;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.explain.SourceReport;
import io.penstock.broker.query.join.PairReader;
import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.CutMessage;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSelection;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageEditor;
import io.penstock.format.MessageFormat;
import io.penstock.format.RecordReader;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Reads the records of one source as a query wants it. Confined to one query agent. */
final class SourceReader {
    private static final int LENGTH_INITIAL = 4 * 1024;
    private static final int LENGTH_MARGIN = 1024;

    final QuerySource source;
    private final @Nullable Filter limit;
    private final @Nullable Filter filter;
    private final FieldReader filterReader;
    private final @Nullable SortKeyWriter sortKeys;
    private final @Nullable FieldReader sortReader;
    private final @Nullable MessageEditor editor;
    private final @Nullable FieldSelection selection;
    private final @Nullable Projection projection;
    private final boolean readsHeaders;

    /** Finds rows by columns, unless all have to be read. */
    private final @Nullable SourceScan scan;

    /** Headers of the present record; empty when no headers are read. */
    private final UnsafeBuffer headers = new UnsafeBuffer(0, 0);

    /** Null when all of a message is shown. */
    private final @Nullable CutMessage cut;

    /** Null for records of one topic. */
    private final @Nullable Pairs pairs;

    private final SourceReaders.RowBuffer scratch;

    /**
     * Makes it.
     *
     * @param source       of the records.
     * @param plan         of the query; of a join what it asks of the records of the topic alone.
     * @param collected    what they are brought together in; null when no rows are looked for any more.
     * @param pairs        that are made of them; null for records of one topic.
     * @param scratch      for what is computed of one.
     * @param nowNs        by the broker's nanosecond clock.
     */
    private SourceReader(
            final QuerySource source,
            final QueryPlan plan,
            final @Nullable CollectedRecords collected,
            final @Nullable Pairs pairs,
            final SourceReaders.RowBuffer scratch,
            final long nowNs) {
        this.source = source;
        this.pairs = pairs;
        this.scratch = scratch;
        final var format = source.topic().format();
        final FieldSet fields = new FieldSet();
        limit = filter(source.condition(), fields);
        filter = filter(plan.filter(), fields);
        filterReader = RecordReader.of(format, fields);
        final OrderBy orderBy = plan.orderBy();
        sortKeys = orderBy == null || plan.isAggregate() ? null : orderBy.newWriter();
        sortReader = orderBy == null || plan.isAggregate() ? null : RecordReader.of(format, orderBy.fields());
        editor = format.editorSupport().canSelect() ? format.newEditor() : null;
        selection = plan.selection();
        cut = source.hidden().paths().isEmpty() || plan.rowsOnly() ? null : new CutMessage(format, source.hidden());
        // Whether a message can be cut is known only when it is read.
        final CollectedRecords byColumns = plan.isCollected() && !plan.countsOnly() ? collected : null;
        scan = cut == null && collected != null ? SourceScan.of(source, limit, filter, byColumns, nowNs) : null;
        final SelectList select = plan.select();
        projection = select == null || select.isAggregate() ? null : new Projection(select, format);
        readsHeaders = fields.hasHeaders()
                || (orderBy != null && orderBy.fields().hasHeaders())
                || (select != null && select.fields().hasHeaders());
    }

    /** Makes it for the records of one topic of a join, before there are pairs. */
    static SourceReader ofSide(final QuerySource source, final QueryPlan plan, final long nowNs) {
        return new SourceReader(source, plan.ofSide(), null, null, new SourceReaders.RowBuffer(0), nowNs);
    }

    /** Makes it for a source of a query, whose records are the left ones if there is a join. */
    static SourceReader of(
            final QueryRun run,
            final int index,
            final @Nullable CollectedRecords collected,
            final SourceReaders.RowBuffer scratch) {
        final QuerySource source = run.sources().get(index);
        final JoinedSource joined = run.joined();
        return joined == null
                ? new SourceReader(source, run.plan(), collected, null, scratch, run.nowNs())
                : new SourceReader(
                        source,
                        run.plan().ofSide(),
                        null,
                        new Pairs(run.plan(), source.topic().format(), joined),
                        scratch,
                        run.nowNs());
    }

    /** The pairs of a record; null when it has none to look for. */
    @Nullable
    PairReader pairs() {
        return pairs == null ? null : pairs.reader;
    }

    /** What finds rows by columns; null when all have to be read. */
    @Nullable
    SourceScan scan() {
        return scan;
    }

    /** Says how its rows were found. */
    void describe(final SourceReport to) {
        if (scan == null) {
            to.withoutColumns(SourceScan.whyNone(source, limit != null || filter != null));
        } else {
            scan.describe(to);
        }
    }

    /** Looks for no more rows. */
    void releaseColumns(final long nowNs) {
        if (scan != null) {
            scan.release(nowNs);
        }
    }

    private static @Nullable Filter filter(final String text, final FieldSet fields) {
        return text.isEmpty() ? null : FilterCompiler.compile(text, fields, FilterLimits.COMBINED);
    }

    /** Moves a buffer to the message of a version, whose headers are read with it. */
    void wrap(final UnsafeBuffer message, final long version) {
        Version.wrapMessage(message, version);
        if (readsHeaders) {
            Version.wrapHeaders(headers, version);
        }
    }

    /** The headers of the present record, for what reads it for this. */
    UnsafeBuffer headers() {
        return headers;
    }

    /** Whether the client may see a message. One that it may not see is not looked at, and counts nowhere. */
    boolean isVisible(final UnsafeBuffer message) {
        return (limit == null || limit.matches(read(message))) && (cut == null || cut.isShown(message));
    }

    boolean matches(final UnsafeBuffer message) {
        return filter == null || filter.matches(limit == null ? read(message) : filterReader);
    }

    /** Whether the filter takes more work for the present message than it may. */
    boolean hasGivenUp() {
        return filter != null && filter.hasGivenUp();
    }

    private FieldReader read(final UnsafeBuffer message) {
        filterReader.headers(headers, 0, headers.capacity());
        filterReader.wrap(message, 0, message.capacity());
        return filterReader;
    }

    int sortKey(final UnsafeBuffer message, final UnsafeBuffer to, final int offset, final int lengthMax) {
        if (pairs != null) {
            return pairs.sortKey(to, offset, lengthMax);
        }
        if (sortKeys == null || sortReader == null) {
            return 0;
        }
        sortReader.headers(headers, 0, headers.capacity());
        sortReader.wrap(message, 0, message.capacity());
        return sortKeys.write(sortReader, to, offset, lengthMax);
    }

    /**
     * Makes what is to be sent of a message. Returns its length; it lies in {@link #projected}. It is {@link Projection#TOO_LONG}
     * when it is computed, and longer than a row may be.
     */
    int project(final UnsafeBuffer whole) {
        if (pairs != null) {
            return project(pairs);
        }
        final UnsafeBuffer message = cut == null ? whole : cut.of(whole);
        if (projection != null) {
            int length;
            scratch.ensure(LENGTH_INITIAL);
            do {
                length = project(projection, message);
            } while (length == MessageEditor.TOO_LONG && scratch.grow());
            return length;
        }
        if (selection == null || editor == null) {
            return message.capacity();
        }
        scratch.ensure(message.capacity() + LENGTH_MARGIN);
        return editor.select(
                message,
                0,
                message.capacity(),
                FieldSelection.NONE,
                selection,
                false,
                scratch.buffer(),
                0,
                scratch.buffer().capacity());
    }

    private int project(final Pairs by) {
        int length;
        scratch.ensure(LENGTH_INITIAL);
        do {
            length = by.write(scratch.buffer(), scratch.rowLength());
        } while (length == MessageEditor.TOO_LONG && scratch.grow());
        return length;
    }

    private int project(final Projection by, final UnsafeBuffer message) {
        by.headers(headers, 0, headers.capacity());
        return by.project(message, 0, message.capacity(), scratch.buffer(), 0, scratch.rowLength());
    }

    UnsafeBuffer projected(final UnsafeBuffer message) {
        if (pairs != null || projection != null || (selection != null && editor != null)) {
            return scratch.buffer();
        }
        return cut == null ? message : cut.present();
    }

    /** Pairs, and what is made of them. */
    private static final class Pairs {
        private final PairReader reader;
        private final @Nullable SortKeyWriter sortKeys;
        private final @Nullable ItemWriter items;

        private Pairs(final QueryPlan plan, final MessageFormat format, final JoinedSource joined) {
            final FieldSet fields = new FieldSet();
            final OrderBy orderBy = plan.orderBy();
            sortKeys = orderBy == null || plan.isAggregate() ? null : orderBy.newWriter(fields);
            final SelectList select = plan.select();
            items = select == null || plan.isAggregate() ? null : ItemWriter.of(select, fields, format);
            reader = joined.newPairs(format, fields);
        }

        private int sortKey(final UnsafeBuffer to, final int offset, final int lengthMax) {
            return sortKeys == null ? 0 : sortKeys.write(reader.reader(), to, offset, lengthMax);
        }

        private int write(final UnsafeBuffer to, final int length) {
            return items == null ? 0 : items.write(reader.reader(), to, 0, length);
        }
    }
}
