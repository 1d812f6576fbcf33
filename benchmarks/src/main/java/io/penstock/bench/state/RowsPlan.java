package io.penstock.bench.state;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is measured.
 *
 * @param rowCount   rows of the topic.
 * @param isSerious  whether code is warmed up, and queries are asked again until they can be measured; else each is asked once, to
 *                   see that it works.
 * @param rounds     whose medians count.
 * @param seed       of the rows.
 * @param parts      of {@link #PARTS} to measure.
 * @param queries    that are asked.
 * @param publishing beside which is queried.
 * @param duck       that answers the queries too; null when none does.
 */
record RowsPlan(
        int rowCount,
        boolean isSerious,
        int rounds,
        long seed,
        Set<String> parts,
        Queries queries,
        Publishing publishing,
        @Nullable Duck duck) {
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

    /** With fewer rows in all a run is not serious. */
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

    /** The same with other rows, selectivity or number of queries, and only some parts; as serious as this one. */
    RowsPlan with(final int rows, final double part, final int count, final Set<String> newParts) {
        return new RowsPlan(
                rows,
                isSerious,
                rounds,
                seed,
                newParts,
                new Queries(queries.threadCount(), count, part),
                publishing,
                duck);
    }

    /**
     * Queries.
     *
     * @param threadCount threads that run them in the part with several.
     * @param count       how many are asked at once.
     * @param selectivity part of the rows that each finds.
     */
    record Queries(int threadCount, int count, double selectivity) {}

    /**
     * What is published meanwhile.
     *
     * @param rate    messages a second.
     * @param seconds of each phase at that rate.
     */
    record Publishing(double rate, double seconds) {}

    /**
     * DuckDB.
     *
     * @param jar of its driver; null to take it from the class path.
     */
    record Duck(@Nullable Path jar) {}
}
