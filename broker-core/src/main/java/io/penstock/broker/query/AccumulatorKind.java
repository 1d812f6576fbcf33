package io.penstock.broker.query;

import io.penstock.broker.filter.syntax.AggregateFunction;

/** The kinds of accumulators, each of which serves the functions that need the same to be kept. */
enum AccumulatorKind {
    COUNT,
    SUM,
    /** The least and the greatest value, of which none can be taken away. */
    EXTREMES,
    /** All values, each with its count. */
    VALUES;

    static AccumulatorKind of(final AggregateFunction function, final boolean isRetractable) {
        return switch (function) {
            case COUNT -> COUNT;
            case SUM, AVG -> SUM;
            case MIN, MAX -> isRetractable ? VALUES : EXTREMES;
        };
    }

    Accumulator newAccumulator() {
        return switch (this) {
            case COUNT -> new ValueCount();
            case SUM -> new NumberSum();
            case EXTREMES -> new Extremes();
            case VALUES -> new ValueCounts();
        };
    }
}
