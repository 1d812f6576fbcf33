package io.penstock.broker.query;

import io.penstock.broker.filter.Expression;
import io.penstock.broker.filter.syntax.AggregateFunction;

/** The accumulated values of one argument in one group, for one or two aggregates. */
interface Accumulator {
    /** Adds the value that an expression has. */
    void add(Expression argument);

    /** Takes a value away that was added. */
    void remove(Expression argument);

    /** Adds all values of another accumulator of the same kind. */
    void merge(Accumulator other);

    /** Computes an aggregate. */
    void result(AggregateFunction function, Value target);
}
