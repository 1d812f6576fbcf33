package io.penstock.bench.state;

import io.penstock.bench.option.Ranges;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.input.MessagesASecond;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of queries of rows. Owned by the command's thread. */
final class RowsOptions {
    static final List<String> NAMES = List.of(
            "--queries",
            "--together",
            "--threads",
            "--selectivity",
            "--seed",
            "--rate",
            "--publish-seconds",
            "--beside",
            "--duckdb-jar",
            "--curve",
            "--output");

    private static final int THREADS_MAX = 64;
    private static final int QUERIES_MAX = 64;
    private static final double SELECTIVITY_MIN = 1e-7;
    private static final double SELECTIVITY_MAX = 1;
    private static final double RATE_MAX = 10_000_000;
    private static final double SECONDS_MAX = 600;

    @Option(
            names = "--queries",
            paramLabel = "PART,…",
            split = ",",
            description = "Only some: scan, together, group, top, updates, publish, index, threads (default: all).")
    private @Nullable List<String> parts;

    @Option(
            names = "--together",
            paramLabel = "N",
            defaultValue = "20",
            description = "Queries that are asked at once, 1 to 64 (default: 20).")
    private int queryCount;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "2",
            description = "Query threads that are compared with one, 2 to 64 (default: 2).")
    private int threadCount;

    @Option(
            names = "--selectivity",
            paramLabel = "PART",
            defaultValue = "0.01",
            description = "Part of the rows that a query finds, 1e-7 to 1 (default: 0.01).")
    private double selectivity;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Of the rows (default: 1).")
    private long seed;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            converter = MessagesASecond.class,
            defaultValue = "200000/s",
            description = "Messages a second that are published beside queries (default: 200000/s).")
    private double rate;

    @Option(
            names = "--publish-seconds",
            paramLabel = "S",
            defaultValue = "2",
            description = "Of each phase of that, two in each round (default: 2).")
    private double seconds;

    @Option(names = "--beside", paramLabel = "NAME", description = "duckdb: let it answer the queries, too.")
    private @Nullable String beside;

    @Option(
            names = "--duckdb-jar",
            paramLabel = "FILE",
            description = "DuckDB's JDBC driver, unless it is on the class path.")
    private @Nullable Path duckJar;

    /**
     * What they ask for.
     *
     * @param rowCount of the broker.
     * @param rounds   whose medians count.
     * @return the plan.
     */
    RowsPlan plan(final int rowCount, final int rounds) {
        Ranges.check("--together", queryCount, 1, QUERIES_MAX);
        Ranges.check("--threads", threadCount, 2, THREADS_MAX);
        Ranges.check("--selectivity", selectivity, SELECTIVITY_MIN, SELECTIVITY_MAX);
        Ranges.check("--rate", rate, 1, RATE_MAX);
        Ranges.check("--publish-seconds", seconds, 0.1, SECONDS_MAX);
        final Set<String> asked = new LinkedHashSet<>(parts == null ? RowsPlan.PARTS : parts);
        for (final String part : asked) {
            if (!RowsPlan.PARTS.contains(part)) {
                throw CommandFailure.badInput(
                        "--queries: no such choice: " + part + " (use " + String.join(", ", RowsPlan.PARTS) + ")");
            }
        }
        checkDuck();
        return new RowsPlan(
                rowCount,
                rowCount >= RowsPlan.SERIOUS_ROWS,
                rounds,
                seed,
                asked,
                new RowsPlan.Queries(threadCount, queryCount, selectivity),
                new RowsPlan.Publishing(rate, seconds),
                beside == null ? null : new RowsPlan.Duck(duckJar));
    }

    private void checkDuck() {
        if (beside != null && !beside.equals("duckdb")) {
            throw CommandFailure.badInput("--beside: no such choice: " + beside + " (use duckdb)");
        }
        if (duckJar != null && (beside == null || !Files.isRegularFile(duckJar))) {
            throw CommandFailure.badInput("--duckdb-jar: "
                    + (beside == null ? "DuckDB is not asked (give --beside duckdb)" : "no such file: " + duckJar));
        }
        if (beside != null && !DuckRows.isThere(duckJar)) {
            throw CommandFailure.badInput("--beside: no driver of DuckDB "
                    + (duckJar == null ? "on the class path" : "in " + duckJar)
                    + " (get org.duckdb:duckdb_jdbc, and name its jar with --duckdb-jar)");
        }
    }
}
