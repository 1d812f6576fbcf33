package io.penstock.broker.filter.value;

import io.penstock.format.FieldType;

/** Arithmetic and comparison of numbers that are 64-bit integers or doubles. */
public final class Numbers {
    private static final double LONG_BOUND = 0x1p63;

    /** Ten to this power is still exact as a double. */
    static final int EXACT_POWER_MAX = 22;

    private static final double[] POWERS_OF_TEN = new double[EXACT_POWER_MAX + 1];

    static {
        for (int i = 0; i < POWERS_OF_TEN.length; i++) {
            POWERS_OF_TEN[i] = Double.parseDouble("1e" + i);
        }
    }

    private Numbers() {}

    /**
     * Ten to a power, exactly.
     *
     * @param exponent from 0 to {@link #EXACT_POWER_MAX}.
     */
    public static double powerOfTen(final int exponent) {
        return POWERS_OF_TEN[exponent];
    }

    /** Orders two numbers by value, exactly, whichever their types. */
    static int compare(final Register left, final Register right) {
        final boolean isLong = left.numberType() == FieldType.LONG;
        if (isLong == (right.numberType() == FieldType.LONG)) {
            return isLong
                    ? Long.compare(left.longValue(), right.longValue())
                    : compare(left.doubleValue(), right.doubleValue());
        }
        return isLong
                ? compare(left.longValue(), right.doubleValue())
                : -compare(right.longValue(), left.doubleValue());
    }

    static int compare(final double left, final double right) {
        return left < right ? -1 : left > right ? 1 : 0;
    }

    static int compare(final long left, final double right) {
        if (right >= LONG_BOUND) {
            return -1;
        }
        if (right < -LONG_BOUND) {
            return 1;
        }
        final long whole = (long) right;
        if (left != whole) {
            return left < whole ? -1 : 1;
        }
        return compare(0.0, right - whole);
    }

    /** Returns whether a double is an integer of 64 bits. */
    public static boolean isLong(final double value) {
        return value >= -LONG_BOUND && value < LONG_BOUND && value == Math.rint(value);
    }

    /**
     * Computes with two numbers. Integers stay integers while the result is one of 64 bits, and turn to doubles when it
     * is not; division is real; by zero it gives NULL.
     */
    public static void apply(
            final ArithmeticOperator operator, final Register left, final Register right, final Register target) {
        if (left.numberType() == FieldType.LONG && right.numberType() == FieldType.LONG) {
            applyLongs(operator, left.longValue(), right.longValue(), target);
        } else {
            applyDoubles(operator, left.doubleValue(), right.doubleValue(), target);
        }
    }

    private static void applyLongs(
            final ArithmeticOperator operator, final long left, final long right, final Register target) {
        switch (operator) {
            case ADD -> {
                final long sum = left + right;
                setUnlessOverflown(((left ^ sum) & (right ^ sum)) < 0, sum, (double) left + right, target);
            }
            case SUBTRACT -> {
                final long difference = left - right;
                setUnlessOverflown(
                        ((left ^ right) & (left ^ difference)) < 0, difference, (double) left - right, target);
            }
            case MULTIPLY -> {
                final long product = left * right;
                final boolean isOverflown = Math.multiplyHigh(left, right) != product >> 63;
                setUnlessOverflown(isOverflown, product, (double) left * right, target);
            }
            case DIVIDE -> divide(left, right, target);
            case REMAINDER -> {
                if (right == 0) {
                    target.setNull();
                } else {
                    target.set(left % right);
                }
            }
            case CONCATENATE -> target.setNull();
        }
    }

    private static void setUnlessOverflown(
            final boolean isOverflown, final long exact, final double rounded, final Register target) {
        if (isOverflown) {
            target.set(rounded);
        } else {
            target.set(exact);
        }
    }

    /** A quotient that is an integer stays exact; the only one that overflows is the least integer by minus one. */
    private static void divide(final long left, final long right, final Register target) {
        if (right == 0) {
            target.setNull();
        } else if (left % right == 0 && (left != Long.MIN_VALUE || right != -1)) {
            target.set(left / right);
        } else {
            target.set((double) left / right);
        }
    }

    private static void applyDoubles(
            final ArithmeticOperator operator, final double left, final double right, final Register target) {
        switch (operator) {
            case ADD -> target.set(left + right);
            case SUBTRACT -> target.set(left - right);
            case MULTIPLY -> target.set(left * right);
            case DIVIDE -> target.set(right == 0 ? Double.NaN : left / right);
            case REMAINDER -> target.set(left % right);
            case CONCATENATE -> target.setNull();
        }
    }

    /** Changes the sign of a number; the least integer has no opposite and turns to a double. */
    public static void negate(final Register value, final Register target) {
        if (value.numberType() == FieldType.LONG && value.longValue() != Long.MIN_VALUE) {
            target.set(-value.longValue());
        } else {
            target.set(-value.doubleValue());
        }
    }
}
