package io.penstock.bench.state;

import io.penstock.bench.figure.Pace;
import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.OrderBy;
import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.query.QueryRun;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.query.QueryWorker;
import io.penstock.broker.query.ResultPage;
import io.penstock.broker.query.SelectList;
import io.penstock.broker.security.IdentityUse;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormats;
import io.penstock.standalone.CommandFailure;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The queries of the benchmark, answered by the broker's own plans and workers, each worker on a thread; only agents,
 * client and connection are left out. Owned by the main thread.
 */
final class StateQueries {
    static final String FILTER = "symbol = 'IBM' AND price > 100 AND side IN ('B', 'S')";
    static final int TOP_N = 10;

    private static final long TIMEOUT_NS = TimeUnit.HOURS.toNanos(1);

    /** All records that match, counted. */
    static final QueryPlan SCAN = plan(FILTER, null, -1, SelectList.parse("COUNT(*)", "", FilterLimits.DEFAULTS));

    /** The dearest records. */
    static final QueryPlan TOP = plan("", OrderBy.parse("price DESC"), TOP_N, null);

    /** Count and mean price of each symbol. */
    static final QueryPlan GROUPS =
            plan("", null, -1, SelectList.parse("symbol, COUNT(*), AVG(price)", "symbol", FilterLimits.DEFAULTS));

    private final StoredRows rows;
    private final FieldSet fields = new FieldSet();
    private final Filter filter = FilterCompiler.compile(FILTER, fields, FilterLimits.DEFAULTS);
    private final FieldReader reader = MessageFormats.formatFor("json").newReader(fields);

    StateQueries(final StoredRows rows) {
        this.rows = rows;
    }

    /**
     * Answers a query.
     *
     * @param plan        of the query.
     * @param threadCount threads that take part.
     * @return what came of it, over all rows.
     */
    Answer run(final QueryPlan plan, final int threadCount) throws InterruptedException {
        final QuerySource source = rows.open();
        final QueryRun run = new QueryRun(
                plan, List.of(source), threadCount, SystemNanoClock.INSTANCE, () -> {}, IdentityUse.ofNobody());
        final AtomicLong cpuNs = new AtomicLong();
        final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < run.workerCount(); i++) {
            final QueryWorker worker = run.worker(i);
            final Thread thread = new Thread(() -> work(worker, cpuNs), "bench-query-" + i);
            thread.setUncaughtExceptionHandler((failed, reason) -> failure.set(reason));
            threads.add(thread);
        }
        final long startNs = System.nanoTime();
        threads.forEach(Thread::start);
        for (final Thread thread : threads) {
            thread.join();
        }
        final long wallNs = System.nanoTime() - startNs;
        final long recordCount = takePages(run);
        rows.close(source);
        if (failure.get() != null || run.failure() != null) {
            throw CommandFailure.failed("bench: a query has failed: "
                    + (failure.get() == null ? String.valueOf(run.failure()) : String.valueOf(failure.get())));
        }
        return new Answer(new Pace(run.topicMatches(), wallNs, cpuNs.get()), run.matches(), recordCount);
    }

    private static void work(final QueryWorker worker, final AtomicLong cpuNs) {
        final Stopwatch watch = new Stopwatch();
        watch.start();
        while (!worker.isDone()) {
            worker.work();
        }
        watch.stop();
        cpuNs.addAndGet(watch.pace(0).cpuNs());
    }

    /** All answers fit into the pages that workers have, so they are taken when the workers are done. */
    private static long takePages(final QueryRun run) {
        long recordCount = 0;
        for (int i = 0; i < run.workerCount(); i++) {
            for (ResultPage page = run.poll(i); page != null; page = run.poll(i)) {
                recordCount += page.recordCount();
                run.recycle(i, page);
            }
        }
        run.free();
        return recordCount;
    }

    /**
     * The speed of the filter alone: documents of these rows that stay in the cache, over and over.
     *
     * @param documentCount in the cache.
     * @param count         of evaluations.
     */
    Pace filterInCache(final int documentCount, final int count) {
        final UnsafeBuffer documents =
                new UnsafeBuffer(ByteBuffer.allocateDirect(documentCount * OrderDocuments.LENGTH_MAX));
        final int[] starts = new int[documentCount + 1];
        for (int i = 0; i < documentCount; i++) {
            starts[i + 1] = starts[i] + OrderDocuments.write(i, 0, documents, starts[i]);
        }
        final Stopwatch watch = new Stopwatch();
        watch.start();
        long matches = 0;
        long evaluated = 0;
        for (; evaluated < count; evaluated += documentCount) {
            matches += matches(documents, starts);
        }
        watch.stop();
        if (matches == 0) {
            throw CommandFailure.failed("bench: no document matches: " + FILTER);
        }
        return watch.pace(evaluated);
    }

    private long matches(final UnsafeBuffer documents, final int[] starts) {
        long matches = 0;
        for (int i = 0; i < starts.length - 1; i++) {
            reader.wrap(documents, starts[i], starts[i + 1] - starts[i]);
            matches += filter.matches(reader) ? 1 : 0;
        }
        return matches;
    }

    private static QueryPlan plan(
            final String filter, final @Nullable OrderBy orderBy, final int topN, final @Nullable SelectList select) {
        return new QueryPlan(
                filter,
                orderBy,
                new QueryPlan.Excerpt(0, topN, 0),
                null,
                select,
                "",
                TIMEOUT_NS,
                QueryPlan.Found.RECORDS);
    }

    /**
     * The result of a query.
     *
     * @param pace        over the rows that it looked at.
     * @param matches     of its filter.
     * @param recordCount of the answer.
     */
    record Answer(Pace pace, long matches, long recordCount) {}
}
