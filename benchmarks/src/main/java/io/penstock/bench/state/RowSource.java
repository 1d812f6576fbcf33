package io.penstock.bench.state;

import io.penstock.bench.figure.Pace;
import java.util.List;

/** Something that has all rows and answers the queries of the benchmark. Confined to the main thread. */
interface RowSource extends AutoCloseable {
    /** In the names of figures. */
    String name();

    /** How many rows match. */
    Answer count(RowQuery query);

    /** How many rows match each of some queries, which are all asked at once. */
    Answer counts(List<RowQuery> queries);

    /** For each symbol, in the order of their letters as a number: that number, count and mean price. */
    Answer groups();

    /** The highest prices, from the highest on. */
    Answer top(int limit);

    @Override
    void close();

    /**
     * An answer.
     *
     * @param values that all sources have to agree on.
     * @param pace   over the rows that were looked at, once for each query.
     */
    record Answer(List<Double> values, Pace pace) {}
}
