package io.penstock.jmh.query;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.OrderBy;
import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.query.QueryPlan.Excerpt;
import io.penstock.broker.query.QueryRun;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.query.ResultPage;
import io.penstock.broker.query.SelectList;
import io.penstock.broker.security.IdentityUse;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Asks for rows of a store of orders, a million by default, for groups of them and for the first of an order, on one
 * thread, and prints what a row costs: by reading the
 * records, by columns the first time, and after that. Times are of the thread's processor; the clock is measured by a
 * loop in which each addition waits for the one before, so that they can be given in cycles.
 */
public final class ColumnScan {
    private static final int ROW_COUNT_DEFAULT = 1_000_000;
    private static final int QUERY_COUNT = 300;
    private static final int ROUND_COUNT = 5;
    private static final int TOP_N = 10;
    private static final long TIMEOUT_NS = TimeUnit.HOURS.toNanos(1);
    private static final long ADD_COUNT = 1_000_000_000L;
    private static final String[] FILTERS = {
        "symbol LIKE 'AB%' AND price > 90 AND qty BETWEEN 100 AND 300",
        "symbol LIKE 'A%' AND price > 90 AND qty BETWEEN 100 AND 300",
        "price > 90 AND qty BETWEEN 100 AND 300",
        "qty BETWEEN 100 AND 110",
        "symbol = 'AB3'"
    };
    private static final List<Question> QUESTIONS = List.of(
            groups("qty BETWEEN 100 AND 110", "COUNT(*)", ""),
            groups("", "symbol, COUNT(*)", "symbol"),
            groups("", "symbol, COUNT(*), AVG(price)", "symbol"),
            groups("", "symbol, COUNT(*), SUM(qty), MIN(price), MAX(price)", "symbol"),
            groups("", "symbol, side, AVG(price)", "symbol, side"),
            groups("", "qty, COUNT(*)", "qty"),
            groups("", "AVG(price), SUM(qty)", ""),
            groups("", "COUNT(DISTINCT symbol), COUNT(DISTINCT qty)", ""),
            groups("", "COUNT(DISTINCT price)", ""),
            groups("", "side, COUNT(DISTINCT symbol)", "side"),
            groups("", "symbol, COUNT(DISTINCT qty)", "symbol"),
            groups("", "symbol, SUM(price * qty)", "symbol"),
            groups("price > 90", "symbol, COUNT(*), AVG(price)", "symbol"),
            top("", "price DESC"),
            top("", "qty, price DESC"),
            top("qty BETWEEN 100 AND 300", "price DESC"));

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ColumnScan() {}

    /**
     * Runs it.
     *
     * @param args count of rows; and with a second one only questions that contain it.
     */
    public static void main(final String[] args) {
        final int rowCount = args.length == 0 ? ROW_COUNT_DEFAULT : Integer.parseInt(args[0]);
        final String wanted = args.length < 2 ? "" : args[1];
        final List<Question> questions = questions().stream()
                .filter(question -> question.name().contains(wanted))
                .toList();
        final double clockGhz = clockGhz();
        System.out.printf("clock: %.2f GHz%n", clockGhz);
        try (OrderRows rows = new OrderRows(rowCount, 0)) {
            final QuerySource source = rows.open();
            for (final Question question : questions) {
                print("records", question.name(), ask(source, question.plan()), rowCount, clockGhz);
                print("records", question.name(), ask(source, question.plan()), rowCount, clockGhz);
            }
        }
        try (OrderRows rows = new OrderRows(rowCount, 1L << 30)) {
            final QuerySource source = rows.open();
            for (final Question question : questions) {
                final String name = question.name();
                print("columns, first time", name, ask(source, question.plan()), rowCount, clockGhz);
                for (int round = 0; round < ROUND_COUNT; round++) {
                    long least = Long.MAX_VALUE;
                    long sum = 0;
                    for (int i = 0; i < QUERY_COUNT; i++) {
                        final long ns = ask(source, question.plan());
                        least = Math.min(least, ns);
                        sum += ns;
                    }
                    print("columns, mean", name, sum / QUERY_COUNT, rowCount, clockGhz);
                    print("columns, least", name, least, rowCount, clockGhz);
                }
            }
            System.out.printf(
                    "columns: %.1f bytes a row%n",
                    (double) rows.memory.columns().length() / rowCount);
        }
    }

    private static List<Question> questions() {
        final List<Question> questions = new ArrayList<>();
        for (final String filter : FILTERS) {
            questions.add(new Question(filter, QueryPlan.rows(canonical(filter), TIMEOUT_NS)));
        }
        questions.addAll(QUESTIONS);
        return questions;
    }

    private static Question groups(final String filter, final String select, final String groupBy) {
        final SelectList list = SelectList.parse(select, groupBy, FilterLimits.DEFAULTS);
        final QueryPlan plan = new QueryPlan(
                canonical(filter), null, Excerpt.ALL, null, list, "", TIMEOUT_NS, QueryPlan.Found.RECORDS);
        return new Question(list.text() + (filter.isEmpty() ? "" : " of " + filter), plan);
    }

    private static Question top(final String filter, final String order) {
        final QueryPlan plan = new QueryPlan(
                canonical(filter),
                OrderBy.parse(order),
                new Excerpt(0, TOP_N, 0),
                null,
                null,
                "",
                TIMEOUT_NS,
                QueryPlan.Found.RECORDS);
        return new Question("top " + TOP_N + " by " + order + (filter.isEmpty() ? "" : " of " + filter), plan);
    }

    private static String canonical(final String filter) {
        return filter.isEmpty() ? "" : FilterCompiler.canonicalText(filter, FilterLimits.DEFAULTS);
    }

    /** A query and what it is called. */
    private record Question(String name, QueryPlan plan) {}

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
    private static long ask(final QuerySource source, final QueryPlan plan) {
        final QueryRun run =
                new QueryRun(plan, List.of(source), 1, SystemNanoClock.INSTANCE, () -> {}, IdentityUse.ofNobody());
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
