package io.penstock.bench.state;

import io.penstock.bench.figure.Pace;
import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.ProgressLine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/** Loads a store, queries and updates it, each beside a plain loop in the same round. Owned by the main thread. */
final class StoreRun implements AutoCloseable {
    private static final int DOCUMENTS_IN_CACHE = 512;
    private static final int EVALUATIONS_MAX = 2_000_000;
    private static final int LOOK_UPS_MAX = 1_000_000;
    private static final int COPIES_MAX = 1_000_000;
    private static final int WARM_UP_ROWS = 50_000;
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(2);

    private final int rowCount;
    private final int roundCount;
    private final ProgressLine progress = ProgressLine.onErr();
    private final StoredRows rows;
    private final StateStore store;
    private final StateQueries queries;
    private final PlainLoops plain;
    private final StoreFigures figures = new StoreFigures();
    private long lookedUp;

    StoreRun(final int rowCount, final int roundCount) {
        this.rowCount = rowCount;
        this.roundCount = roundCount;
        rows = new StoredRows(rowCount);
        store = rows.store();
        queries = new StateQueries(rows);
        plain = new PlainLoops(store);
    }

    /** Measures everything, and adds it. */
    void run(final Json json) throws InterruptedException {
        if (rowCount >= WARM_UP_ROWS) {
            warmUp();
        }
        progress.draw("loading " + rowCount + " rows");
        figures.load.add(rows.put(Walk.inOrder(rowCount), rowCount, 0), rows.copy(Math.min(rowCount, COPIES_MAX)));
        final long lengthAfterLoad = rows.reservedLength();

        final long matches = plain.count();
        final PlainIndex index = new PlainIndex(store);
        for (int round = 0; round < roundCount; round++) {
            progress.draw("round " + (round + 1) + " of " + roundCount);
            figures.lookUp.add(lookUp(Walk.spread(rowCount)), lookUpPlain(Walk.spread(rowCount), index));
            scan(matches, figures.inCache, figures.scan, figures.twoThreads);
            figures.top.add(
                    rowsOf(StateQueries.TOP, Math.min(rowCount, StateQueries.TOP_N)),
                    pace(() -> plain.top(StateQueries.TOP_N) > 0));
            figures.groups.add(rowsOf(StateQueries.GROUPS, -1), pace(() -> plain.group() == rowCount));
        }
        progress.draw("updating " + rowCount + " rows");
        final Pace updated = rows.put(Walk.spread(rowCount), rowCount, 1);
        final long matchesAfter = plain.count();
        for (int round = 0; round < roundCount; round++) {
            progress.draw("after updates: round " + (round + 1) + " of " + roundCount);
            scan(matchesAfter, figures.inCacheAfter, figures.scanAfter, new ArrayList<>());
        }
        final long lengthAfterUpdates = rows.reservedLength();
        figures.update.add(updated, rows.overwrite(new PlainIndex(store), Walk.spread(rowCount), rowCount, 2));
        json.field("matches", matches);
        reportLengths(json, lengthAfterLoad, lengthAfterUpdates);
        figures.report(json);
    }

    /** Lets the JVM compile what is measured, over a store of its own, before the large one is loaded. */
    private void warmUp() throws InterruptedException {
        try (StoreRun small = new StoreRun(WARM_UP_ROWS - 1, 1)) {
            final long endNs = System.nanoTime() + WARM_UP_NS;
            progress.draw("warming up");
            small.run(new Json());
            while (System.nanoTime() - endNs < 0) {
                small.rows.put(Walk.spread(small.rowCount), small.rowCount, 3);
                small.queries.run(StateQueries.SCAN, 2);
                small.queries.run(StateQueries.TOP, 1);
                small.queries.run(StateQueries.GROUPS, 1);
                small.queries.filterInCache(DOCUMENTS_IN_CACHE, small.rowCount);
                small.plain.count();
            }
        }
    }

    private void scan(final long matches, final List<Pace> cached, final Figure figure, final List<Pace> parallel)
            throws InterruptedException {
        cached.add(queries.filterInCache(DOCUMENTS_IN_CACHE, Math.min(rowCount, EVALUATIONS_MAX)));
        final StateQueries.Answer one = queries.run(StateQueries.SCAN, 1);
        final StateQueries.Answer two = queries.run(StateQueries.SCAN, 2);
        if (one.matches() != matches || two.matches() != matches) {
            throw CommandFailure.failed("bench: " + one.matches() + " and " + two.matches() + " rows match, not "
                    + matches + " as for the plain loop");
        }
        figure.add(one.pace(), pace(() -> plain.count() == matches));
        parallel.add(two.pace());
    }

    private Pace rowsOf(final QueryPlan plan, final int recordCount) throws InterruptedException {
        final StateQueries.Answer answer = queries.run(plan, 1);
        if (answer.matches() != rowCount || (recordCount >= 0 && answer.recordCount() != recordCount)) {
            throw CommandFailure.failed("bench: a query found " + answer.matches() + " rows and returned "
                    + answer.recordCount() + " records");
        }
        return answer.pace();
    }

    /** Measures a loop over all rows, which says whether it did what it should. */
    private Pace pace(final Supplier<Boolean> loop) {
        final Stopwatch watch = new Stopwatch();
        watch.start();
        final boolean isRight = loop.get();
        watch.stop();
        if (!isRight) {
            throw CommandFailure.failed("bench: a plain loop is wrong");
        }
        return watch.pace(rowCount);
    }

    private Pace lookUp(final Walk walk) {
        final int count = Math.min(rowCount, LOOK_UPS_MAX);
        final UnsafeBuffer key = new UnsafeBuffer(new byte[OrderDocuments.ID_LENGTH]);
        final Stopwatch watch = new Stopwatch();
        watch.start();
        for (int i = 0; i < count; i++) {
            key.putNaturalLongAscii(0, OrderDocuments.FIRST_ID + walk.next());
            final int row = store.find(key, 0, OrderDocuments.ID_LENGTH);
            lookedUp += UnsafeApi.getLong(Version.messageAddress(store.newest(row)));
        }
        watch.stop();
        return watch.pace(count);
    }

    private Pace lookUpPlain(final Walk walk, final PlainIndex index) {
        final int count = Math.min(rowCount, LOOK_UPS_MAX);
        final UnsafeBuffer key = new UnsafeBuffer(new byte[OrderDocuments.ID_LENGTH]);
        final long before = lookedUp;
        final Stopwatch watch = new Stopwatch();
        watch.start();
        for (int i = 0; i < count; i++) {
            key.putNaturalLongAscii(0, OrderDocuments.FIRST_ID + walk.next());
            lookedUp -= UnsafeApi.getLong(Version.messageAddress(index.find(key, 0)));
        }
        watch.stop();
        if (lookedUp != 0) {
            throw CommandFailure.failed("bench: look-ups differ: " + before + ", " + (before - lookedUp));
        }
        return watch.pace(count);
    }

    private void reportLengths(final Json json, final long lengthAfterLoad, final long lengthAfterUpdates) {
        final double length = (double) (store.keyLength() + store.messageLength()) / rowCount;
        json.field("key_and_message_bytes", length)
                .field("store_bytes_per_row", (double) lengthAfterLoad / rowCount)
                .field("overhead_bytes_per_row", (double) lengthAfterLoad / rowCount - length)
                .field("overhead_bytes_per_row_after_updates", (double) lengthAfterUpdates / rowCount - length);
    }

    @Override
    public void close() {
        progress.close();
        rows.close();
    }
}
