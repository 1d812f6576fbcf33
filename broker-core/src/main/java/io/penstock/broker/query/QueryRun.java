package io.penstock.broker.query;

import io.penstock.broker.query.block.QueryBlocks;
import io.penstock.broker.query.block.RowWalk;
import io.penstock.broker.query.collect.CommonBound;
import io.penstock.broker.query.collect.QueryMemory;
import io.penstock.broker.query.join.JoinTable;
import io.penstock.broker.query.join.QueryJoin;
import io.penstock.broker.security.IdentityUse;
import io.penstock.broker.shard.store.StateStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * A query that is being answered: the query agents that take part in it take blocks of rows in turn, and the I/O agent
 * of its client takes the pages. Created by the I/O agent.
 */
public final class QueryRun {
    /** Memory for bringing records together, of one query in bytes. */
    static final long COLLECTED_LENGTH_MAX = 1L << 28;

    static final int GROUP_COUNT_MAX = 1_000_000;

    private static final int ROW_LENGTH_MAX_DEFAULT = 1 << 24;

    private final QueryPlan plan;
    private final List<QuerySource> sources;
    private final @Nullable JoinedSource joined;
    private final NanoClock clock;
    private final long startNs;
    private final Runnable wakeup;
    private final IdentityUse use;
    private final QueryWorker[] workers;
    private final AtomicInteger scanning;
    private final AtomicInteger working;
    private final CommonBound bound = new CommonBound();
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final AtomicReference<@Nullable QueryFailure> failure = new AtomicReference<>();
    private boolean isExplained;
    private int rowLengthMax = ROW_LENGTH_MAX_DEFAULT;

    /**
     * Prepares a run.
     *
     * @param plan       of the query.
     * @param sources    that it looks at, with open snapshots: of a join the left one and then the right one, or none.
     * @param agentCount query agents that could take part.
     * @param clock      for its deadline.
     * @param wakeup     ends the I/O agent's wait; called from any thread.
     * @param use        to which its work counts.
     */
    public QueryRun(
            final QueryPlan plan,
            final List<QuerySource> sources,
            final int agentCount,
            final NanoClock clock,
            final Runnable wakeup,
            final IdentityUse use) {
        this.plan = plan;
        this.sources = List.copyOf(sources);
        this.clock = clock;
        this.wakeup = wakeup;
        this.use = use;
        startNs = clock.nanoTime();
        joined = joined(plan, this.sources);
        final QueryBlocks blocks = new QueryBlocks(
                this.sources.stream()
                        .limit(joined == null ? Long.MAX_VALUE : 1)
                        .map(QuerySource::blockRows)
                        .toList(),
                blockLength(plan),
                plan.isParallel());
        final int workerCount = plan.isParallel() ? (int) Math.max(1, Math.min(agentCount, blocks.count())) : 1;
        workers = new QueryWorker[workerCount];
        for (int i = 0; i < workerCount; i++) {
            workers[i] = new QueryWorker(
                    this,
                    new RowWalk(blocks, i, workerCount),
                    new ResultPages(plan.excerpt().batchSize(), wakeup, QueryMemory.OF_PAGES));
        }
        scanning = new AtomicInteger(workerCount);
        working = new AtomicInteger(workerCount);
    }

    private static @Nullable JoinedSource joined(final QueryPlan plan, final List<QuerySource> sources) {
        final QueryJoin join = plan.join();
        if (join == null || sources.isEmpty()) {
            return null;
        }
        if (sources.size() != 2) {
            throw new IllegalArgumentException("join: not of two topics: " + sources.size());
        }
        return new JoinedSource(join, sources.get(1), plan, JoinTable.COUNT_MAX);
    }

    /** The right topic of a join; null when there is none. */
    @Nullable
    JoinedSource joined() {
        return joined;
    }

    /**
     * When it began.
     *
     * @return by the broker's nanosecond clock.
     */
    public long startNs() {
        return startNs;
    }

    /**
     * How many query agents take part.
     *
     * @return count, at least 1.
     */
    public int workerCount() {
        return workers.length;
    }

    /**
     * One agent's part.
     *
     * @param index below {@link #workerCount()}.
     * @return the worker, for one query agent.
     */
    public QueryWorker worker(final int index) {
        return workers[index];
    }

    /**
     * How long the rows may be that it computes; with a longer one it fails. Called before it is started.
     *
     * @param length in bytes, 16 MiB unless given.
     */
    public void rowLengthMax(final int length) {
        rowLengthMax = length;
    }

    int rowLengthMax() {
        return rowLengthMax;
    }

    /** It is to be {@linkplain #explanation explained}. Called before it is started. */
    public void explain() {
        isExplained = true;
    }

    boolean isExplained() {
        return isExplained;
    }

    /**
     * What it has done, for its client. Right once {@link #isDone()}.
     *
     * @param isConditionShown whether the client may see permissions.
     * @return lines of text; null when it is not to be explained.
     */
    public @Nullable String explanation(final boolean isConditionShown) {
        return isExplained ? new QueryExplanation(this, isConditionShown).text(clock.nanoTime()) : null;
    }

    /** To which its work counts. */
    public IdentityUse use() {
        return use;
    }

    /** What workers tell each other of the first rows of an order. */
    CommonBound bound() {
        return bound;
    }

    /** The time when a worker begins some work. */
    long nowNs() {
        return clock.nanoTime();
    }

    /** A worker has done some. */
    void onWorked(final long sinceNs) {
        final long nowNs = clock.nanoTime();
        use.onQueryWorked(nowNs - sinceNs, nowNs);
    }

    public List<QuerySource> sources() {
        return sources;
    }

    public QueryPlan plan() {
        return plan;
    }

    /**
     * Gives the query up, unless it was given up before. Called from any thread.
     *
     * @param reason sent to its client.
     */
    public void fail(final QueryFailure reason) {
        failure.compareAndSet(null, reason);
    }

    /** Gives the query up if there is a reason to. */
    void failIf(final @Nullable QueryFailure reason) {
        if (reason != null) {
            fail(reason);
        }
    }

    /**
     * Gives the query up when its time is up. Called from any thread.
     *
     * @return true when it is.
     */
    public boolean isOverdue() {
        final boolean isOverdue = clock.nanoTime() - startNs > plan.timeoutNs();
        if (isOverdue) {
            fail(QueryFailure.TIMED_OUT);
        }
        return isOverdue;
    }

    /** Nobody wants the rest of the answer. Called from any thread. */
    public void cancel() {
        cancelled.set(true);
    }

    /**
     * Takes a page that is to be sent. Called by the I/O agent.
     *
     * @param worker whose pages.
     * @return the page, or null when there is none now.
     */
    public @Nullable ResultPage poll(final int worker) {
        return workers[worker].pages.poll();
    }

    /**
     * A page was sent and is no longer needed. Called by the I/O agent.
     *
     * @param worker whose page.
     * @param page   of it.
     */
    public void recycle(final int worker, final ResultPage page) {
        workers[worker].pages.recycle(page);
    }

    /**
     * Whether no query agent looks at anything any more. What they found may still be in pages.
     *
     * @return true when the snapshots may be closed.
     */
    public boolean isDone() {
        return working.get() == 0;
    }

    /**
     * Why the query was given up.
     *
     * @return null when it was not.
     */
    public @Nullable QueryFailure failure() {
        return failure.get();
    }

    /**
     * Records looked at. Right once {@link #isDone()}.
     *
     * @return count.
     */
    public long topicMatches() {
        long sum = 0;
        for (final QueryWorker worker : workers) {
            sum += worker.tally.topicMatches;
        }
        return sum;
    }

    /**
     * Records that matched. Right once {@link #isDone()}.
     *
     * @return count.
     */
    public long matches() {
        long sum = 0;
        for (final QueryWorker worker : workers) {
            sum += worker.tally.matches;
        }
        return sum;
    }

    /**
     * Rows whose messages were read to find those that match, or to have columns by which they are found. Right once
     * {@link #isDone()}.
     *
     * @return count.
     */
    public long rowsRead() {
        long sum = 0;
        for (final QueryWorker worker : workers) {
            sum += worker.tally.rowsRead;
        }
        return sum;
    }

    /**
     * Rows that there are to look at.
     *
     * @return count, over all topics.
     */
    public long rowCount() {
        long sum = 0;
        for (int i = 0; i < sources.size(); i++) {
            sum += sources.get(i).count();
        }
        return sum;
    }

    /**
     * Rows looked at so far. Called by the I/O agent.
     *
     * @return count.
     */
    public long scanned() {
        long sum = 0;
        for (final QueryWorker worker : workers) {
            sum += worker.tally.rowsScanned();
        }
        return sum;
    }

    /**
     * Records that matched so far. Called by the I/O agent.
     *
     * @return count.
     */
    public long found() {
        long sum = 0;
        for (final QueryWorker worker : workers) {
            sum += worker.tally.recordsFound();
        }
        return sum;
    }

    /** Forgets what was brought together. Called by the I/O agent when the run is done; what is in pages stays. */
    public void release() {
        for (final QueryWorker worker : workers) {
            worker.release();
        }
        if (joined != null) {
            joined.release();
        }
    }

    /** Frees the pages and all else. Called by the I/O agent when the run is done and it has given all pages back. */
    public void free() {
        release();
        for (final QueryWorker worker : workers) {
            worker.pages.free();
        }
    }

    /** Whether workers shall stop. */
    boolean isStopped() {
        return cancelled.get() || failure.get() != null;
    }

    /** Looks at the time and at the snapshots, now and then. */
    void check() {
        isOverdue();
        for (int i = 0; i < sources.size(); i++) {
            if (sources.get(i).snapshot().isTooOld()) {
                fail(QueryFailure.SNAPSHOT_TOO_OLD);
            }
        }
    }

    /** Rows taken at a time: by several workers those that have their columns together. */
    private static int blockLength(final QueryPlan plan) {
        return plan.isParallel() ? StateStore.BLOCK_LENGTH : QueryWorker.SCAN_LIMIT;
    }

    /** A worker has no more blocks; true for the last one. */
    boolean onScanned() {
        return scanning.decrementAndGet() == 0;
    }

    void onWorkerDone() {
        working.decrementAndGet();
        wakeup.run();
    }

    QueryWorker[] workers() {
        return workers;
    }
}
