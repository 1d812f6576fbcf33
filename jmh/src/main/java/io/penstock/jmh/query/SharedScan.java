package io.penstock.jmh.query;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.query.QueryRun;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.query.QueryWorker;
import io.penstock.broker.query.ResultPage;
import io.penstock.broker.query.SelectList;
import io.penstock.broker.query.block.ScanPositions;
import io.penstock.broker.security.IdentityUse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Asks many queries for counts over one store of orders, by columns, on one thread, and prints what an evaluation costs: a
 * row looked at for one query. The queries are asked one after the other, together, and together where each begins some
 * blocks after the one before; the latter with and without sharing blocks, in rounds that take turns. Then one query beside
 * a thread that changes rows at random. Times are of the thread's processor.
 */
public final class SharedScan {
    private static final int ROW_COUNT_DEFAULT = 1_000_000;
    private static final int QUERY_COUNT_DEFAULT = 20;
    private static final int ROUND_COUNT = 25;
    private static final int WARM_UP_COUNT = 40;
    private static final int CYCLES_BETWEEN = 13;
    private static final int BESIDE_COUNT = 200;
    private static final int[] UPDATES_PER_S = {0, 100_000, 300_000, 1_000_000};

    private SharedScan() {}

    /**
     * Runs it.
     *
     * @param args count of rows, and of queries; whatever follows leaves updates out.
     */
    public static void main(final String[] args) throws InterruptedException {
        final int rowCount = args.length == 0 ? ROW_COUNT_DEFAULT : Integer.parseInt(args[0]);
        final int queryCount = args.length < 2 ? QUERY_COUNT_DEFAULT : Integer.parseInt(args[1]);
        final double clockGhz = ColumnScan.clockGhz();
        System.out.printf("clock: %.2f GHz%n", clockGhz);
        try (OrderRows rows = new OrderRows(rowCount, 1L << 30)) {
            final QuerySource source = rows.open();
            final List<QueryPlan> plans = plans(queryCount);
            final String[] subjects = {"one after the other", "together", "joining, shared", "joining, not shared"};
            final long[][] ns = new long[subjects.length][ROUND_COUNT];
            for (int round = -WARM_UP_COUNT; round < ROUND_COUNT; round++) {
                final long[] of = new long[subjects.length];
                of[0] = plans.stream()
                        .mapToLong(plan -> ask(List.of(plan), source, 0, true))
                        .sum();
                of[1] = ask(plans, source, 0, true);
                of[2] = ask(plans, source, CYCLES_BETWEEN, true);
                of[3] = ask(plans, source, CYCLES_BETWEEN, false);
                for (int i = 0; round >= 0 && i < of.length; i++) {
                    ns[i][round] = of[i];
                }
            }
            for (int i = 0; i < subjects.length; i++) {
                print(subjects[i], ns[i], (long) rowCount * queryCount, clockGhz);
            }
            rows.close(source);
            for (final int updatesPerS : args.length > 2 ? new int[0] : UPDATES_PER_S) {
                beside(rows, plans.get(0), updatesPerS, clockGhz);
            }
        }
    }

    private static List<QueryPlan> plans(final int count) {
        final List<QueryPlan> plans = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final String filter = String.format(
                    "symbol LIKE '%c%%' AND price > %d AND qty BETWEEN %d AND %d",
                    'A' + i % 26, 40 + i * 7 % 50, 37 * i % 700, 37 * i % 700 + 200);
            plans.add(new QueryPlan(
                    FilterCompiler.canonicalText(filter, FilterLimits.DEFAULTS),
                    null,
                    QueryPlan.Excerpt.ALL,
                    null,
                    SelectList.parse("COUNT(*)", "", FilterLimits.DEFAULTS),
                    "",
                    TimeUnit.HOURS.toNanos(1),
                    QueryPlan.Found.RECORDS));
        }
        return plans;
    }

    /** Answers queries as a query agent does, and returns the nanoseconds that it took. */
    private static long ask(
            final List<QueryPlan> plans, final QuerySource source, final int cyclesBetween, final boolean isShared) {
        final ScanPositions positions = new ScanPositions();
        final List<QueryRun> runs = new ArrayList<>();
        final List<QueryWorker> active = new ArrayList<>();
        final long startNs = ColumnScan.cpuNs();
        for (int cycle = 0; runs.size() < plans.size() || !active.isEmpty(); cycle++) {
            while (runs.size() < plans.size() && cycle >= runs.size() * cyclesBetween) {
                final QueryRun run = new QueryRun(
                        plans.get(runs.size()),
                        List.of(source),
                        1,
                        SystemNanoClock.INSTANCE,
                        () -> {},
                        IdentityUse.ofNobody());
                runs.add(run);
                if (isShared) {
                    run.worker(0).join(positions);
                }
                active.add(run.worker(0));
            }
            for (int i = 0; i < active.size(); i++) {
                active.get(i).work();
            }
            active.removeIf(QueryWorker::isDone);
        }
        final long ns = ColumnScan.cpuNs() - startNs;
        for (final QueryRun run : runs) {
            for (ResultPage page = run.poll(0); page != null; page = run.poll(0)) {
                run.recycle(0, page);
            }
            run.free();
        }
        return ns;
    }

    private static void beside(final OrderRows rows, final QueryPlan plan, final int updatesPerS, final double clockGhz)
            throws InterruptedException {
        final long[] ns = new long[BESIDE_COUNT];
        final long updates;
        try (OrderRows.Updates beside = rows.update(updatesPerS)) {
            for (int i = -BESIDE_COUNT / 4; i < BESIDE_COUNT; i++) {
                final QuerySource source = beside.open();
                final long each = ask(List.of(plan), source, 0, true);
                beside.close(source);
                if (i >= 0) {
                    ns[i] = each;
                }
            }
            updates = beside.reachedPerS();
        }
        print("beside " + updates + " updates/s", ns, rows.rowCount(), clockGhz);
    }

    private static void print(final String subject, final long[] ns, final long count, final double clockGhz) {
        Arrays.sort(ns);
        final double least = ns[0];
        final double median = ns[ns.length / 2];
        System.out.printf(
                "%s: least %.2f, median %.2f cycles; %.0f and %.0f M a second a GHz%n",
                subject,
                least * clockGhz / count,
                median * clockGhz / count,
                count * 1e3 / least / clockGhz,
                count * 1e3 / median / clockGhz);
    }
}
