package io.penstock.broker.query;

import io.penstock.broker.filter.Expression;
import io.penstock.broker.filter.ValueType;
import io.penstock.broker.filter.syntax.AggregateFunction;

/** The least and the greatest value. */
final class Extremes implements Accumulator {
    private final Value value = new Value();
    private final Value least = new Value();
    private final Value greatest = new Value();

    @Override
    public void add(final Expression argument) {
        final ValueType type = argument.type();
        if (type == ValueType.NULL || (type == ValueType.DOUBLE && isBetween(argument.doubleValue()))) {
            return;
        }
        value.setNormal(argument);
        add(value);
    }

    /**
     * Recognises most doubles that are no extreme. Extremes that are integers may be rounded, but not past such a
     * double.
     */
    private boolean isBetween(final double number) {
        return least.isNumber()
                && greatest.isNumber()
                && number > least.doubleValue()
                && number < greatest.doubleValue();
    }

    /** Adds a finite number. */
    void add(final double number) {
        value.setNormal(number);
        add(value);
    }

    private void add(final Value added) {
        if (least.type() == ValueType.NULL || added.compareTo(least) < 0) {
            least.set(added);
        }
        if (greatest.type() == ValueType.NULL || added.compareTo(greatest) > 0) {
            greatest.set(added);
        }
    }

    @Override
    public void remove(final Expression argument) {
        throw new UnsupportedOperationException(
                "aggregation: keeps no values to take one away (make one that is not a scan)");
    }

    @Override
    public void merge(final Accumulator other) {
        final Extremes extremes = (Extremes) other;
        if (extremes.least.type() != ValueType.NULL) {
            add(extremes.least);
            add(extremes.greatest);
        }
    }

    @Override
    public int length() {
        return value.length() + least.length() + greatest.length();
    }

    @Override
    public void result(final AggregateFunction function, final Value target) {
        target.set(function == AggregateFunction.MIN ? least : greatest);
    }
}
