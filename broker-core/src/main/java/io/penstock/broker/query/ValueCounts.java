package io.penstock.broker.query;

import io.penstock.broker.filter.Expression;
import io.penstock.broker.filter.ValueType;
import io.penstock.broker.filter.syntax.AggregateFunction;
import java.util.Map;
import java.util.TreeMap;

/** All values in order, each with how often it is there, so that the next extreme is known when one goes. */
final class ValueCounts implements Accumulator {
    private final TreeMap<Value, Count> counts = new TreeMap<>();
    private final Value value = new Value();

    @Override
    public void add(final Expression argument) {
        if (argument.type() != ValueType.NULL) {
            value.setNormal(argument);
            add(value, 1);
        }
    }

    private void add(final Value added, final long count) {
        final Count present = counts.get(added);
        if (present != null) {
            present.count += count;
        } else {
            counts.put(added.copy(), new Count(count));
        }
    }

    @Override
    public void remove(final Expression argument) {
        if (argument.type() == ValueType.NULL) {
            return;
        }
        value.setNormal(argument);
        final Count present = counts.get(value);
        if (present == null) {
            throw new IllegalStateException("aggregation: removed a message that was not added");
        }
        present.count--;
        if (present.count == 0) {
            counts.remove(value);
        }
    }

    @Override
    public void merge(final Accumulator other) {
        for (final Map.Entry<Value, Count> entry : ((ValueCounts) other).counts.entrySet()) {
            add(entry.getKey(), entry.getValue().count);
        }
    }

    @Override
    public void result(final AggregateFunction function, final Value target) {
        if (counts.isEmpty()) {
            target.setNull();
        } else {
            target.set(function == AggregateFunction.MIN ? counts.firstKey() : counts.lastKey());
        }
    }

    private static final class Count {
        private long count;

        Count(final long count) {
            this.count = count;
        }
    }
}
