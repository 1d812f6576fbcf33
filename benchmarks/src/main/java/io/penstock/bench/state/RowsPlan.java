package io.penstock.bench.state;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is measured.
 *
 * @param rowCount     rows of the topic.
 * @param rounds       whose medians count.
 * @param threadCount  threads that run queries in the part with several.
 * @param queryCount   queries that are asked at once.
 * @param selectivity  part of the rows that each query finds.
 * @param seed         of the rows.
 * @param parts        of {@link #PARTS} to measure.
 * @param rate         messages a second beside which is queried.
 * @param seconds      of each phase at that rate.
 * @param isBesideDuck whether DuckDB answers the queries too.
 * @param duckJar      of its driver; null to take it from the class path.
 */
record RowsPlan(
        int rowCount,
        int rounds,
        int threadCount,
        int queryCount,
        double selectivity,
        long seed,
        Set<String> parts,
        double rate,
        double seconds,
        boolean isBesideDuck,
        @Nullable Path duckJar) {
    static final String SCAN = "scan";
    static final String TOGETHER = "together";
    static final String GROUP = "group";
    static final String TOP = "top";
    static final String THREADS = "threads";
    static final String UPDATES = "updates";
    static final String PUBLISH = "publish";
    static final String INDEX = "index";

    /** All of them, in the order in which they are measured. */
    static final List<String> PARTS = List.of(SCAN, TOGETHER, GROUP, TOP, UPDATES, PUBLISH, INDEX, THREADS);

    /** With fewer rows nothing is warmed up and each query is asked once: to see that it works. */
    static final int SERIOUS_ROWS = 50_000;

    RowsPlan {
        parts = Set.copyOf(parts);
    }

    boolean has(final String part) {
        return parts.contains(part);
    }

    /** Whether the scan is measured, as it is or for others to be compared with. */
    boolean needsScan() {
        return has(SCAN) || has(THREADS) || has(UPDATES) || has(PUBLISH);
    }

    boolean isSerious() {
        return rowCount >= SERIOUS_ROWS;
    }

    /** The same with other rows, selectivity or number of queries, and only some parts. */
    RowsPlan with(final int rows, final double part, final int queries, final Set<String> newParts) {
        return new RowsPlan(
                rows, rounds, threadCount, queries, part, seed, newParts, rate, seconds, isBesideDuck, duckJar);
    }
}
