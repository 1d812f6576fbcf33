package io.penstock.jmh.query;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.query.QueryRun;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.query.ResultPage;
import io.penstock.broker.security.IdentityUse;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Asks for rows of a store of orders, a million by default, on one thread, and prints what a row costs: by reading the
 * records, by columns the first time, and after that. Times are of the thread's processor; the clock is measured by a
 * loop in which each addition waits for the one before, so that they can be given in cycles.
 */
public final class ColumnScan {
    private static final int ROW_COUNT_DEFAULT = 1_000_000;
    private static final int QUERY_COUNT = 300;
    private static final int ROUND_COUNT = 5;
    private static final long ADD_COUNT = 1_000_000_000L;
    private static final String[] FILTERS = {
        "symbol LIKE 'AB%' AND price > 90 AND qty BETWEEN 100 AND 300",
        "symbol LIKE 'A%' AND price > 90 AND qty BETWEEN 100 AND 300",
        "price > 90 AND qty BETWEEN 100 AND 300",
        "qty BETWEEN 100 AND 110",
        "symbol = 'AB3'"
    };

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ColumnScan() {}

    /**
     * Runs it.
     *
     * @param args count of rows.
     */
    public static void main(final String[] args) {
        final int rowCount = args.length == 0 ? ROW_COUNT_DEFAULT : Integer.parseInt(args[0]);
        final double clockGhz = clockGhz();
        System.out.printf("clock: %.2f GHz%n", clockGhz);
        try (OrderRows rows = new OrderRows(rowCount, 0)) {
            final QuerySource source = rows.open();
            for (final String filter : FILTERS) {
                print("records", filter, ask(source, filter), rowCount, clockGhz);
                print("records", filter, ask(source, filter), rowCount, clockGhz);
            }
        }
        try (OrderRows rows = new OrderRows(rowCount, 1L << 30)) {
            final QuerySource source = rows.open();
            for (final String filter : FILTERS) {
                print("columns, first time", filter, ask(source, filter), rowCount, clockGhz);
                for (int round = 0; round < ROUND_COUNT; round++) {
                    long least = Long.MAX_VALUE;
                    long sum = 0;
                    for (int i = 0; i < QUERY_COUNT; i++) {
                        final long ns = ask(source, filter);
                        least = Math.min(least, ns);
                        sum += ns;
                    }
                    print("columns, mean", filter, sum / QUERY_COUNT, rowCount, clockGhz);
                    print("columns, least", filter, least, rowCount, clockGhz);
                }
            }
            System.out.printf(
                    "columns: %.1f bytes a row%n",
                    (double) rows.memory.columns().length() / rowCount);
        }
    }

    /** Time of the processor that the caller's thread has had, in nanoseconds. */
    static long cpuNs() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /** The clock, measured. */
    static double clockGhz() {
        double ghz = 0;
        for (int round = 0; round < 3; round++) {
            final long startNs = cpuNs();
            final long sum = add(ADD_COUNT);
            final long ns = cpuNs() - startNs;
            ghz = Math.max(ghz, sum == 0 ? 0 : (double) ADD_COUNT / ns);
        }
        return ghz;
    }

    /** Each step is a shift and an addition, which wait for one another: a cycle each. */
    private static long add(final long count) {
        long value = 0x5851F42D4C957F2DL;
        for (long i = 0; i < count; i += 2) {
            value += value >>> 1;
        }
        return value;
    }

    private static void print(
            final String subject, final String filter, final long ns, final int rowCount, final double clockGhz) {
        final double rowsPerSecond = rowCount * 1e9 / ns;
        System.out.printf(
                "%s: %s: %.1f M rows/s, %.1f M rows/s a GHz, %.2f cycles a row%n",
                subject, filter, rowsPerSecond / 1e6, rowsPerSecond / 1e6 / clockGhz, ns * clockGhz / rowCount);
    }

    /** Answers a query, and returns the nanoseconds that it took. */
    private static long ask(final QuerySource source, final String filter) {
        final String text = FilterCompiler.canonicalText(filter, FilterLimits.DEFAULTS);
        final QueryRun run = new QueryRun(
                QueryPlan.rows(text, TimeUnit.HOURS.toNanos(1)),
                List.of(source),
                1,
                SystemNanoClock.INSTANCE,
                () -> {},
                IdentityUse.ofNobody());
        final long startNs = cpuNs();
        while (!run.isDone()) {
            run.worker(0).work();
            for (ResultPage page = run.poll(0); page != null; page = run.poll(0)) {
                run.recycle(0, page);
            }
        }
        final long ns = cpuNs() - startNs;
        run.free();
        return ns;
    }
}
