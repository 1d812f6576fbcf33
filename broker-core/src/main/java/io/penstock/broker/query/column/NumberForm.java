package io.penstock.broker.query.column;

import io.penstock.broker.filter.value.Numbers;
import io.penstock.broker.filter.value.Register;

/**
 * How numbers are held as integers, their keys, in the same order: integers as they are, decimals by a number of digits
 * after the point, and doubles by their bits. A form holds a number only exactly: reading its key gives the number.
 */
public final class NumberForm {
    /** Integers, which are their own keys. The forms after this one have as many digits after the point as their number. */
    public static final int INTEGER = 0;

    /** The most digits after the point. */
    static final int DIGITS_MAX = 6;

    /** Doubles. */
    public static final int REAL = DIGITS_MAX + 1;

    /** How many forms there are. */
    public static final int COUNT = REAL + 1;

    /** Up to here all integers are doubles. */
    private static final long EXACT_MAX = 1L << 53;

    private static final double LONG_BOUND = 0x1p63;
    private static final long[] POWERS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000};

    private NumberForm() {}

    /**
     * The least key that a number may have.
     *
     * @param form of the numbers.
     * @return key.
     */
    public static long keyMin(final int form) {
        return switch (form) {
            case INTEGER -> Long.MIN_VALUE;
            case REAL -> bits(Double.NEGATIVE_INFINITY);
            default -> -EXACT_MAX;
        };
    }

    /**
     * The greatest key that a number may have.
     *
     * @param form of the numbers.
     * @return key.
     */
    public static long keyMax(final int form) {
        return switch (form) {
            case INTEGER -> Long.MAX_VALUE;
            case REAL -> bits(Double.POSITIVE_INFINITY);
            default -> EXACT_MAX;
        };
    }

    /**
     * Lets a register hold the number of a key. A greater key has no lesser number.
     *
     * @param form of the number.
     * @param key  of the number.
     * @param into the register.
     */
    public static void load(final int form, final long key, final Register into) {
        if (form == INTEGER) {
            into.set(key);
        } else {
            into.set(real(form, key));
        }
    }

    /** Whether a form holds an integer. */
    static boolean holds(final int form, final long value) {
        if (form == INTEGER) {
            return true;
        }
        if (form == REAL) {
            final double real = value;
            return real < LONG_BOUND && (long) real == value;
        }
        final long bound = EXACT_MAX / POWERS[form];
        return value >= -bound && value <= bound;
    }

    /** The key of an integer that a form holds. */
    static long key(final int form, final long value) {
        return form == REAL ? bits((double) value) : value * POWERS[form];
    }

    /** The first form from one on that holds a double. */
    static int formOf(final double value, final int first) {
        int form = Math.max(first, INTEGER + 1);
        while (form < REAL && !holds(form, value)) {
            form++;
        }
        return form;
    }

    private static boolean holds(final int form, final double value) {
        final double key = Math.rint(value * Numbers.powerOfTen(form));
        return Math.abs(key) <= EXACT_MAX && key / Numbers.powerOfTen(form) == value;
    }

    /** The key of a double that a form holds, which is not the one of integers. Both zeros have the same. */
    static long key(final int form, final double value) {
        return form == REAL ? bits(value) : (long) Math.rint(value * Numbers.powerOfTen(form));
    }

    /**
     * The number of a key as a double.
     *
     * @param form of the number.
     * @param key  of the number.
     * @return the number; of integers beyond 2^53 the nearest double.
     */
    public static double number(final int form, final long key) {
        return form == INTEGER ? key : real(form, key);
    }

    /** The number of a key, of a form other than that of integers. */
    private static double real(final int form, final long key) {
        return form == REAL ? Double.longBitsToDouble(turn(key)) : key / Numbers.powerOfTen(form);
    }

    /** Whether another form holds the number of a key. */
    static boolean holds(final int form, final int keyForm, final long key) {
        return keyForm == INTEGER ? holds(form, key) : form == REAL || holds(form, real(keyForm, key));
    }

    /** The key in another form, which holds the number. */
    static long convert(final int form, final int keyForm, final long key) {
        return keyForm == INTEGER ? key(form, key) : key(form, real(keyForm, key));
    }

    private static long bits(final double value) {
        return turn(Double.doubleToRawLongBits(value + 0.0));
    }

    /** Turns the order of negative ones around; its own opposite. */
    private static long turn(final long bits) {
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }
}
