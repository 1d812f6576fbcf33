package io.penstock.broker.query;

import io.penstock.broker.filter.Expression;
import io.penstock.broker.filter.syntax.AggregateFunction;
import io.penstock.broker.query.exact.ExactSum;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The exact sum of numbers: integers in 128 bits, doubles in an {@link ExactSum}. Everything else counts as NULL. The sum
 * of integers is an integer while it is one of 64 bits; any other is rounded once, to the nearest double.
 */
final class NumberSum implements Accumulator {
    /** The number of powers of two by which the sum of 2^63 doubles may exceed the doubles. */
    private static final int SCALE = 64;

    private long high;
    private long low;
    private long longCount;
    private long doubleCount;
    private @Nullable ExactSum doubles;

    @Override
    public void add(final Expression argument) {
        switch (argument.type()) {
            case LONG -> {
                longCount++;
                add(argument.longValue());
            }
            case DOUBLE -> {
                doubleCount++;
                doubles().add(argument.doubleValue());
            }
            case NULL, BOOLEAN, TEXT -> {}
        }
    }

    @Override
    public void remove(final Expression argument) {
        switch (argument.type()) {
            case LONG -> {
                longCount--;
                subtract(argument.longValue());
            }
            case DOUBLE -> {
                doubleCount--;
                doubles().subtract(argument.doubleValue());
            }
            case NULL, BOOLEAN, TEXT -> {}
        }
    }

    /** Adds so many integers by their sum. */
    void addLongs(final long count, final long sum) {
        longCount += count;
        add(sum);
    }

    /** Adds a finite double. */
    void addReal(final double number) {
        doubleCount++;
        doubles().add(number);
    }

    /** Adds so many doubles by their sum, in two parts that count units of powers of two. */
    void addReals(final long count, final long high, final int highExponent, final long low, final int lowExponent) {
        doubleCount += count;
        doubles().addScaled(high, highExponent);
        doubles().addScaled(low, lowExponent);
    }

    private ExactSum doubles() {
        if (doubles == null) {
            doubles = new ExactSum();
        }
        return doubles;
    }

    private void add(final long value) {
        low += value;
        high += (value >> 63) + (Long.compareUnsigned(low, value) < 0 ? 1 : 0);
    }

    private void subtract(final long value) {
        high -= (value >> 63) + (Long.compareUnsigned(low, value) < 0 ? 1 : 0);
        low -= value;
    }

    @Override
    public void merge(final Accumulator other) {
        final NumberSum sum = (NumberSum) other;
        low += sum.low;
        high += sum.high + (Long.compareUnsigned(low, sum.low) < 0 ? 1 : 0);
        longCount += sum.longCount;
        doubleCount += sum.doubleCount;
        if (sum.doubles != null) {
            doubles().add(sum.doubles);
        }
    }

    @Override
    public void result(final AggregateFunction function, final Value target) {
        final long count = longCount + doubleCount;
        if (count == 0) {
            target.setNull();
        } else if (function == AggregateFunction.AVG) {
            mean(count, target);
        } else if (doubleCount == 0 && high == (low >> 63)) {
            target.set(low);
        } else {
            target.set(total().doubleValue());
        }
    }

    private ExactSum total() {
        final ExactSum total = new ExactSum();
        if (doubles != null) {
            total.add(doubles);
        }
        total.add(high, low);
        return total;
    }

    /** As with division, a mean of integers that is an integer stays exact. */
    private void mean(final long count, final Value target) {
        if (doubleCount == 0) {
            final BigInteger[] quotient = integers().divideAndRemainder(BigInteger.valueOf(count));
            if (quotient[1].signum() == 0) {
                target.set(quotient[0].longValueExact());
                return;
            }
        }
        final ExactSum total = total();
        final double sum = total.doubleValue();
        target.set(Double.isInfinite(sum) ? Math.scalb(total.scaled(-SCALE) / count, SCALE) : sum / count);
    }

    private BigInteger integers() {
        final BigInteger lowBits =
                BigInteger.valueOf(low).and(BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE));
        return BigInteger.valueOf(high).shiftLeft(Long.SIZE).add(lowBits);
    }
}
