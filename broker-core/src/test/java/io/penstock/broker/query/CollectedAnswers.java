package io.penstock.broker.query;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.QueryPlan.Excerpt;
import io.penstock.broker.query.QueryPlan.Found;
import io.penstock.broker.shard.store.Version;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.protocol.RecordDescriptor;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/** Answers to queries for groups and in an order: by a run as the broker has it, and by reading each row. */
final class CollectedAnswers {
    private static final long TIMEOUT_NS = 3_600_000_000_000L;
    private static final int KEY_LENGTH_MAX = 64 * 1024;

    private CollectedAnswers() {}

    /**
     * An answer.
     *
     * @param found        groups as texts, in the order of the texts; or rows in the order that was asked for.
     * @param topicMatches rows that were looked at.
     * @param matches      rows that matched.
     */
    record Answer(List<?> found, long topicMatches, long matches) {}

    /**
     * A query.
     *
     * @param filter of rows.
     * @param select of groups; empty when rows are asked for.
     * @param by     what is grouped by, or the order.
     * @param skipN  rows that are left out first.
     * @param topN   rows that are wanted; negative for all.
     */
    record Query(String filter, String select, String by, int skipN, int topN) {
        static Query groups(final String filter, final String select, final String groupBy) {
            return new Query(filter, select, groupBy, 0, -1);
        }

        boolean isOfGroups() {
            return !select.isEmpty();
        }

        private QueryPlan plan() {
            return new QueryPlan(
                    filter,
                    isOfGroups() ? null : OrderBy.parse(by),
                    new Excerpt(skipN, topN, 0),
                    null,
                    isOfGroups() ? SelectList.parse(select, by, FilterLimits.DEFAULTS) : null,
                    "",
                    TIMEOUT_NS,
                    isOfGroups() ? Found.RECORDS : Found.ROWS);
        }
    }

    /** A run of a query, to be worked on by the caller. */
    static QueryRun run(final Query query, final QuerySource source, final int workerCount) {
        return ColumnStore.run(query.plan(), source, workerCount);
    }

    /** Answers it with workers that take turns. */
    static Answer ask(final QuerySource source, final Query query, final int workerCount) {
        return ask(run(query, source, workerCount), query);
    }

    /** The same, where the last worker looks at all rows before the others begin. */
    static Answer askLastFirst(final QuerySource source, final Query query, final int workerCount) {
        final QueryRun run = run(query, source, workerCount);
        for (int i = 0; i < source.count(); i++) {
            run.worker(workerCount - 1).work();
        }
        return ask(run, query);
    }

    private static Answer ask(final QueryRun run, final Query query) {
        final List<String> groups = new ArrayList<>();
        final LongArrayList rows = new LongArrayList();
        while (!run.isDone()) {
            for (int i = 0; i < run.workerCount(); i++) {
                run.worker(i).work();
                take(run, i, query, groups, rows);
            }
        }
        for (int i = 0; i < run.workerCount(); i++) {
            take(run, i, query, groups, rows);
        }
        run.free();
        if (run.failure() != null) {
            throw new AssertionError("query: " + run.failure());
        }
        final List<?> found = query.isOfGroups() ? groups.stream().sorted().toList() : rowNumbers(rows);
        return new Answer(found, run.topicMatches(), run.matches());
    }

    private static List<Long> rowNumbers(final LongArrayList rowsAndVersions) {
        final List<Long> rows = new ArrayList<>();
        for (int i = 0; i < rowsAndVersions.size(); i += 2) {
            rows.add(rowsAndVersions.getLong(i));
        }
        return rows;
    }

    private static void take(
            final QueryRun run,
            final int worker,
            final Query query,
            final List<String> groups,
            final LongArrayList rows) {
        for (ResultPage page = run.poll(worker); page != null; page = run.poll(worker)) {
            if (query.isOfGroups()) {
                addTexts(page, groups);
            } else {
                ColumnStore.addRows(page, rows);
            }
            run.recycle(worker, page);
        }
    }

    private static void addTexts(final ResultPage page, final List<String> into) {
        final UnsafeBuffer buffer = page.buffer();
        for (int at = 0; at < page.length(); ) {
            final int length = buffer.getInt(at + RecordDescriptor.LENGTH_OFFSET, ByteOrder.LITTLE_ENDIAN);
            into.add(buffer.getStringWithoutLengthUtf8(
                    at + RecordDescriptor.HEADER_LENGTH, length - RecordDescriptor.HEADER_LENGTH));
            at += RecordDescriptor.alignedLength(length);
        }
    }

    /** Answers it by reading each row. */
    static Answer expected(final QuerySource source, final Query query) {
        final FieldSet fields = new FieldSet();
        final Filter limit = FilterCompiler.compile(source.condition(), fields, FilterLimits.COMBINED);
        final Filter filter = FilterCompiler.compile(query.filter(), fields, FilterLimits.COMBINED);
        final FieldReader reader = source.topic().format().newReader(fields);
        final Collected collected = query.isOfGroups() ? new Groups(query) : new Ordered(query);
        final UnsafeBuffer message = new UnsafeBuffer(0, 0);
        long seen = 0;
        long matches = 0;
        for (int row = 0; row < source.count(); row++) {
            final long version = source.store().versionAt(row, source.snapshot().sequence());
            if (version != 0) {
                Version.wrapMessage(message, version);
                reader.wrap(message, 0, message.capacity());
                if (source.condition().isEmpty() || limit.matches(reader)) {
                    seen++;
                    if (query.filter().isEmpty() || filter.matches(reader)) {
                        matches++;
                        collected.add(message, row);
                    }
                }
            }
        }
        return new Answer(collected.found(), seen, matches);
    }

    /** What rows that match are brought together in. */
    private interface Collected {
        void add(UnsafeBuffer message, long row);

        List<?> found();
    }

    private static final class Groups implements Collected {
        private final Aggregation aggregation;

        Groups(final Query query) {
            aggregation = Aggregation.scan(
                    SelectList.parse(query.select(), query.by(), FilterLimits.DEFAULTS), Rows.JSON, 1_000_000);
        }

        @Override
        public void add(final UnsafeBuffer message, final long row) {
            aggregation.add(message, 0, message.capacity());
        }

        @Override
        public List<?> found() {
            return Rows.all(aggregation).stream().sorted().toList();
        }
    }

    /** A row and its place. */
    private static final class Row {
        private final byte[] key;
        private final long number;

        Row(final byte[] key, final long number) {
            this.key = key;
            this.number = number;
        }
    }

    private static final class Ordered implements Collected {
        private final Query query;
        private final SortKeyWriter keys;
        private final FieldReader reader;
        private final List<Row> rows = new ArrayList<>();

        Ordered(final Query query) {
            this.query = query;
            final OrderBy orderBy = OrderBy.parse(query.by());
            keys = orderBy.newWriter();
            reader = Rows.JSON.newReader(orderBy.fields());
        }

        @Override
        public void add(final UnsafeBuffer message, final long row) {
            final UnsafeBuffer key = new UnsafeBuffer(new byte[KEY_LENGTH_MAX]);
            reader.wrap(message, 0, message.capacity());
            final int length = keys.write(reader, key, 0, KEY_LENGTH_MAX);
            rows.add(new Row(Arrays.copyOf(key.byteArray(), length), row));
        }

        @Override
        public List<?> found() {
            rows.sort((one, other) -> {
                final int order = Arrays.compareUnsigned(one.key, other.key);
                return order != 0 ? order : Long.compare(one.number, other.number);
            });
            final int end = query.topN() < 0 ? rows.size() : Math.min(rows.size(), query.skipN() + query.topN());
            return rows.subList(Math.min(query.skipN(), end), end).stream()
                    .map(row -> row.number)
                    .toList();
        }
    }
}
