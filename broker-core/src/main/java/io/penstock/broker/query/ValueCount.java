package io.penstock.broker.query;

import io.penstock.broker.filter.Expression;
import io.penstock.broker.filter.ValueType;
import io.penstock.broker.filter.syntax.AggregateFunction;

/** Counts values that are not NULL. */
final class ValueCount implements Accumulator {
    private long count;

    @Override
    public void add(final Expression argument) {
        if (argument.type() != ValueType.NULL) {
            count++;
        }
    }

    /** Counts so many more. */
    void add(final long more) {
        count += more;
    }

    @Override
    public void remove(final Expression argument) {
        if (argument.type() != ValueType.NULL) {
            count--;
        }
    }

    @Override
    public void merge(final Accumulator other) {
        count += ((ValueCount) other).count;
    }

    @Override
    public void result(final AggregateFunction function, final Value target) {
        target.set(count);
    }
}
