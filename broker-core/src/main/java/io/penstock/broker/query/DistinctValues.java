package io.penstock.broker.query;

import io.penstock.broker.filter.Expression;
import io.penstock.broker.filter.syntax.AggregateFunction;
import io.penstock.broker.query.exact.ValueRoom;
import io.penstock.broker.query.exact.ValueSet;

/** The different values that are not NULL. */
final class DistinctValues implements Accumulator {
    private static final int TABLES_LENGTH = 4 * LENGTH;

    private final ValueSet values;

    DistinctValues(final ValueRoom room) {
        values = new ValueSet(room);
    }

    @Override
    public void add(final Expression argument) {
        values.add(argument);
    }

    /** Adds an integer. */
    void add(final long number) {
        values.add(number);
    }

    /** Adds a finite double. */
    void add(final double number) {
        values.add(number);
    }

    @Override
    public void remove(final Expression argument) {
        values.remove(argument);
    }

    @Override
    public void merge(final Accumulator other) {
        values.addAll(((DistinctValues) other).values);
    }

    /** Its values take of the room of all; these are its tables while they are small. */
    @Override
    public int length() {
        return TABLES_LENGTH;
    }

    @Override
    public void result(final AggregateFunction function, final Value target) {
        target.set(values.count());
    }
}
