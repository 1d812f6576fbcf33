package io.penstock.broker.query;

import io.penstock.broker.filter.Expression;
import io.penstock.broker.filter.syntax.AggregateFunction;

/** The accumulated values of one argument in one group, for one or two aggregates. */
interface Accumulator {
    /** Bytes of one that keeps no texts, about. */
    int LENGTH = 64;

    /** Adds the value that an expression has. */
    void add(Expression argument);

    /** Takes a value away that was added. */
    void remove(Expression argument);

    /** Adds all values of another accumulator of the same kind. */
    void merge(Accumulator other);

    /** Bytes of memory that it takes, about, without values of which some may be taken away again. */
    default int length() {
        return LENGTH;
    }

    /** Computes an aggregate. */
    void result(AggregateFunction function, Value target);
}
