package io.penstock.broker.query;

import io.penstock.broker.filter.syntax.AggregateFunction;
import io.penstock.broker.query.exact.ValueRoom;

/** The kinds of accumulators, each of which serves the functions that need the same to be kept. */
enum AccumulatorKind {
    COUNT,
    SUM,
    /** The least and the greatest value, of which none can be taken away. */
    EXTREMES,
    /** All values in order, each with its count. */
    VALUES,
    /** The different values, each with its count. */
    DISTINCT;

    static AccumulatorKind of(final AggregateFunction function, final boolean isRetractable) {
        return switch (function) {
            case COUNT -> COUNT;
            case COUNT_DISTINCT -> DISTINCT;
            case SUM, AVG -> SUM;
            case MIN, MAX -> isRetractable ? VALUES : EXTREMES;
        };
    }

    /** @param room that different values take their memory of. */
    Accumulator newAccumulator(final ValueRoom room) {
        return switch (this) {
            case COUNT -> new ValueCount();
            case SUM -> new NumberSum();
            case EXTREMES -> new Extremes();
            case VALUES -> new ValueCounts();
            case DISTINCT -> new DistinctValues(room);
        };
    }
}
