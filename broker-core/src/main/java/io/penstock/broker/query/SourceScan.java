package io.penstock.broker.query;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.syntax.CanonicalText;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.query.block.RowWalk;
import io.penstock.broker.query.collect.BlockCollector;
import io.penstock.broker.query.collect.BlockReader;
import io.penstock.broker.query.column.BlockColumns;
import io.penstock.broker.query.column.Column;
import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnLease;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.column.StoreColumns;
import io.penstock.broker.query.explain.SourceReport;
import io.penstock.broker.query.scan.BlockFilter;
import io.penstock.broker.shard.store.StateStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of a source that a query has to look at, by columns: those that match, and those of which columns do not
 * know. All others it counts. Confined to one query agent.
 *
 * <p>If the columns of a block are of a later sequence than the source's snapshot, rows that have changed in between are
 * among those that have to be looked at.
 */
final class SourceScan {
    /** Rows of a source from which on columns are worth their while. */
    static final int ROW_COUNT_MIN = 4096;

    /** How often it comes back to a block that another agent has, before it reads the rows. */
    private static final int TRY_COUNT_MAX = 64;

    private static final int WORD_COUNT = ColumnPart.WORD_COUNT;

    private final ColumnLease columns;
    private final BlockReader reader;
    private final @Nullable BlockFilter limit;
    private final @Nullable BlockFilter filter;
    private final boolean hasFilter;
    private final long sequence;
    private final long[] candidates = new long[WORD_COUNT];
    private final long[] matching = new long[WORD_COUNT];
    private final long[] asked = new long[WORD_COUNT];
    private Progress progress = Progress.NONE;
    private final Counts counts = new Counts();
    private int block;
    private int tryCount;

    /** How far it is with some rows. */
    enum Progress {
        /** {@link #prepare} goes on. */
        READING,
        /** {@link #next} finds the rows. */
        READY,
        /** There are no columns now: all rows have to be looked at. */
        NONE
    }

    private SourceScan(
            final QuerySource source,
            final ColumnLease columns,
            final @Nullable BlockFilter limit,
            final @Nullable BlockFilter filter,
            final @Nullable BlockCollector collector,
            final boolean hasFilter) {
        this.columns = columns;
        this.limit = limit;
        this.filter = filter;
        this.hasFilter = hasFilter;
        sequence = source.snapshot().sequence();
        final List<Column> wanted = new ArrayList<>();
        addColumns(wanted);
        reader = new BlockReader(
                source.store(),
                columns.ofStore(),
                wanted,
                collector,
                source.topic().format());
    }

    /**
     * Makes it.
     *
     * @param source    of the rows.
     * @param limit     that rows have to match to be seen, or null.
     * @param filter    that rows have to match, or null.
     * @param collected what rows that match are brought together in, or null.
     * @param nowNs     by the broker's nanosecond clock.
     * @return null when columns are of no use.
     */
    static @Nullable SourceScan of(
            final QuerySource source,
            final @Nullable Filter limit,
            final @Nullable Filter filter,
            final @Nullable CollectedRecords collected,
            final long nowNs) {
        final boolean hasCondition = limit != null || filter != null;
        if (!source.isWhole() || source.count() < ROW_COUNT_MIN || (!hasCondition && collected == null)) {
            return null;
        }
        final StoreColumns ofStore = StoreColumns.of(source.store());
        if (ofStore == null) {
            return null;
        }
        final ColumnLease columns = new ColumnLease(ofStore, nowNs);
        final BlockFilter ofLimit = limit == null ? null : BlockFilter.of(limit, columns);
        final BlockFilter ofFilter = filter == null ? null : BlockFilter.of(filter, columns);
        // Who may not be seen is not looked at, so a limit that columns know nothing of leaves nothing to decide.
        if (!hasCondition || (limit == null ? ofFilter != null : ofLimit != null)) {
            final boolean mayMatch = (ofLimit == null || !ofLimit.onlyRulesOut())
                    && (filter == null || (ofFilter != null && !ofFilter.onlyRulesOut()));
            final BlockCollector collector = collected == null || !mayMatch
                    ? null
                    : collected.columns(columns, source.topic().format());
            final SourceScan scan = new SourceScan(source, columns, ofLimit, ofFilter, collector, filter != null);
            if (scan.reader.isOfUse()) {
                return scan;
            }
        }
        columns.release(nowNs);
        return null;
    }

    /** How often a test has looked at the values of a block. */
    private long lookedCount() {
        return (limit == null ? 0 : limit.lookedCount()) + (filter == null ? 0 : filter.lookedCount());
    }

    /** Says what it has done so far. The columns are those that are leased still. */
    void describe(final SourceReport to) {
        to.byColumns(filter == null ? null : filter.describe(), counts.ready, counts.empty);
        to.collected(counts.collectedInAll);
        final List<Column> used = new ArrayList<>();
        addColumns(used);
        reader.addColumns(used);
        for (final Column column : used) {
            final int kinds =
                    (limit == null ? 0 : limit.seenKinds(column)) | (filter == null ? 0 : filter.seenKinds(column));
            to.column(new SourceReport.ColumnUse(
                    CanonicalText.of(new Node.Field(column.path())),
                    ColumnKind.names(kinds),
                    column.length(),
                    column.texts().count()));
        }
    }

    private void addColumns(final List<Column> to) {
        if (limit != null) {
            limit.addColumns(to);
        }
        if (filter != null) {
            filter.addColumns(to);
        }
    }

    /** Why there would be none, for people. */
    static String whyNone(final QuerySource source, final boolean hasCondition) {
        if (!source.hidden().paths().isEmpty()) {
            return "fields are hidden";
        }
        if (!source.isWhole()) {
            return "keys are asked for";
        }
        if (source.count() < ROW_COUNT_MIN) {
            return "less than " + ROW_COUNT_MIN + " rows";
        }
        if (StoreColumns.of(source.store()) == null) {
            return "columns are not made here";
        }
        return hasCondition ? "no test that a column could answer" : "no filter";
    }

    /** Looks at no columns any more: others may have their memory. */
    void release(final long nowNs) {
        columns.release(nowNs);
    }

    /** Rows whose messages were read for columns so far. */
    long rowsRead() {
        return reader.rowsRead();
    }

    /** How far it is with them. */
    Progress progress() {
        return progress;
    }

    /**
     * Begins with a block. Its rows are counted as collected if what the columns say of all of them together suffices for that.
     *
     * @param walk  at the block; then behind its rows, if they were counted.
     * @param tally gets what was done.
     * @return whether they were counted; otherwise they come next.
     */
    boolean collectAll(final RowWalk walk, final QueryTally tally) {
        progress = Progress.READING;
        tryCount = 0;
        if (limit != null
                || hasFilter
                || walk.end() - walk.next() < StateStore.BLOCK_LENGTH
                || !reader.mayCollectAll()) {
            return false;
        }
        block = walk.next() / StateStore.BLOCK_LENGTH;
        final BlockColumns of = columns.block(block);
        if (!of.tryTake()) {
            return false;
        }
        try {
            // Rows that are stale are read by and by.
            if (!reader.ensure(of) || !reader.isRead(of, block, sequence) || !reader.collectAll(of, walk.next())) {
                return false;
            }
            final int count = of.presentCount();
            counts.ready++;
            counts.empty++;
            counts.collectedInAll += count;
            tally.onMatches(count);
        } finally {
            of.release();
        }
        tally.publish(walk.end() - walk.next());
        walk.next(walk.end());
        return true;
    }

    /**
     * Finds the rows among some of a block, or goes some way there.
     *
     * @param first     row.
     * @param end       row behind the last one, of the same block.
     * @param readLimit of the rows that are read, about.
     */
    void prepare(final int first, final int end, final int readLimit) {
        block = first / StateStore.BLOCK_LENGTH;
        counts.passed = 0;
        counts.collected = 0;
        progress = Progress.NONE;
        final BlockColumns of = columns.block(block);
        if (!of.tryTake()) {
            progress = tryCount++ < TRY_COUNT_MAX ? Progress.READING : Progress.NONE;
            return;
        }
        boolean isEnsured = false;
        try {
            isEnsured = reader.ensure(of);
            if (isEnsured && (reader.hasAll() || tryCount >= TRY_COUNT_MAX || columns.isMemoryShort())) {
                progress = Progress.READING;
                prepare(of, first, end, readLimit);
                return;
            }
        } finally {
            of.release();
        }
        final boolean mayHaveRoom = tryCount++ < TRY_COUNT_MAX && columns.makeRoom();
        progress = mayHaveRoom || isEnsured ? Progress.READING : Progress.NONE;
    }

    private void prepare(final BlockColumns of, final int first, final int end, final int readLimit) {
        if (reader.read(of, block, sequence, readLimit) && areTextsKnown(readLimit)) {
            final int base = block * StateStore.BLOCK_LENGTH;
            final long before = lookedCount();
            select(of, first - base, end - base);
            final int last = (end - base + Long.SIZE - 1) / Long.SIZE;
            counts.collected = reader.collect(of, base, matching, (first - base) / Long.SIZE, last);
            counts.collectedInAll += counts.collected;
            progress = Progress.READY;
            counts.ready++;
            counts.empty += lookedCount() == before && counts.collected == 0 && next(first, end) == end ? 1 : 0;
        }
    }

    /** Whether the filters have been asked about all texts that the block may have. */
    private boolean areTextsKnown(final int countMax) {
        return (limit == null || limit.update(countMax)) && (filter == null || filter.update(countMax));
    }

    private void select(final BlockColumns of, final int first, final int end) {
        final int from = first / Long.SIZE;
        final int to = (end + Long.SIZE - 1) / Long.SIZE;
        reader.readChanged(of, block, sequence, asked);
        for (int word = from; word < to; word++) {
            final long inRange = inRange(word * Long.SIZE, first, end);
            final long changed = asked[word] & inRange;
            candidates[word] = of.present(word) & inRange & ~changed;
            asked[word] = changed;
        }
        long[] visible = candidates;
        if (limit != null) {
            limit.evaluate(of, candidates, from, to);
            visible = limit.held();
            for (int word = from; word < to; word++) {
                asked[word] |= limit.unknown()[word];
            }
        }
        match(of, visible, from, to);
    }

    private void match(final BlockColumns of, final long[] visible, final int from, final int to) {
        if (filter != null) {
            filter.evaluate(of, visible, from, to);
        }
        for (int word = from; word < to; word++) {
            final long unknown = filter == null ? hasFilter ? visible[word] : 0 : filter.unknown()[word];
            final long held = filter == null ? hasFilter ? 0 : visible[word] : filter.held()[word];
            matching[word] = held;
            asked[word] |= unknown;
            counts.passed += Long.bitCount(visible[word] & ~(held | unknown));
        }
    }

    /** Rows among them that may be seen and do not match; 0 as long as that is not known. */
    long passedCount() {
        return counts.passed;
    }

    /** Counts the rows among them that match for certain, which need not be looked at then. */
    int takeMatches(final int first, final int end) {
        final int base = block * StateStore.BLOCK_LENGTH;
        int count = 0;
        for (int word = (first - base) / Long.SIZE; word * Long.SIZE < end - base; word++) {
            count += Long.bitCount(matching[word]);
            matching[word] = 0;
        }
        return count;
    }

    /** Rows among them that match and were collected; 0 as long as that is not known. */
    int collectedCount() {
        return counts.collected;
    }

    /** The first row from one on that has to be looked at, or the end. */
    int next(final int row, final int end) {
        final int base = block * StateStore.BLOCK_LENGTH;
        int at = row - base;
        final int last = end - base;
        while (at < last) {
            final long rows = (matching[at / Long.SIZE] | asked[at / Long.SIZE]) >>> at;
            if (rows != 0) {
                return base + Math.min(last, at + Long.numberOfTrailingZeros(rows));
            }
            at = (at / Long.SIZE + 1) * Long.SIZE;
        }
        return end;
    }

    /** Whether a row matches for certain. */
    boolean isMatch(final int row) {
        final int at = row - block * StateStore.BLOCK_LENGTH;
        return (matching[at / Long.SIZE] & 1L << at) != 0;
    }

    /** Rows of the block, and blocks for those who ask. */
    private static final class Counts {
        /** Rows that may be seen and do not match. */
        private long passed;

        /** Rows that match and were collected by columns. */
        private int collected;

        /** The same of all blocks. */
        private long collectedInAll;

        /** Such whose columns were there. */
        private long ready;

        /** Of these, such in which no row is to be looked at, as what is known of the whole block says. */
        private long empty;
    }

    private static long inRange(final int start, final int first, final int end) {
        final long fromFirst = start >= first ? -1L : -1L << (first - start);
        return end - start >= Long.SIZE ? fromFirst : fromFirst & (1L << (end - start)) - 1;
    }
}
