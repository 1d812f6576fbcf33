package io.penstock.broker.query.exact;

import java.util.Arrays;

/**
 * The exact sum of any doubles, rounded once when it is asked for: what was added and taken away again leaves nothing
 * behind, and the order does not matter.
 *
 * <p>The sum is a number in digits of 32 bits, the lowest of which counts 2^-1074, as R. M. Neal describes in "Fast exact
 * summation using small and large superaccumulators" (2015). A digit has 64 bits of room, so that carries wait. Only a
 * window of the digits is kept, from the lowest to the highest that had a part of any addend, which for prices is seven.
 * Confined to one agent.
 */
public final class ExactSum {
    /** The exponent of the unit of the lowest digit, which is that of the least double. */
    static final int EXPONENT_MIN = -1074;

    private static final int DIGIT_BITS = 32;
    private static final long DIGIT_MASK = (1L << DIGIT_BITS) - 1;
    /** The digits that an addend of 64 bits may reach into. */
    private static final int REACH = 3;
    /** Digits above those: more than what all additions there can be carry. */
    private static final int HEADROOM = 2;

    /** Each addition adds less than 2^32 to a digit. */
    private static final int ADDITIONS_MAX = 1 << 30;

    private static final int FRACTION_BITS = 52;
    private static final long FRACTION_MASK = (1L << FRACTION_BITS) - 1;
    private static final int EXPONENT_MASK = 0x7FF;

    private final int additionsMax;
    private long[] digits = new long[0];
    /** The number of the first digit in the window. */
    private int base;

    private int additionCount;

    /** Makes a sum of nothing, which is 0. */
    public ExactSum() {
        this(ADDITIONS_MAX);
    }

    /** Carries after a count of additions. */
    ExactSum(final int additionsMax) {
        this.additionsMax = additionsMax;
    }

    /**
     * Adds a double.
     *
     * @param value that is finite.
     */
    public void add(final double value) {
        addBits(Double.doubleToRawLongBits(value), 0);
    }

    /**
     * Takes a double away.
     *
     * @param value that is finite.
     */
    public void subtract(final double value) {
        addBits(Double.doubleToRawLongBits(value), -1);
    }

    private void addBits(final long bits, final long flip) {
        final int biased = (int) (bits >>> FRACTION_BITS) & EXPONENT_MASK;
        final long fraction = bits & FRACTION_MASK;
        if (biased == 0) {
            add(fraction, 0, (bits >> 63) ^ flip);
        } else {
            add(fraction | (1L << FRACTION_BITS), biased - 1, (bits >> 63) ^ flip);
        }
    }

    /**
     * Adds an integer times a power of two.
     *
     * @param value    the integer.
     * @param exponent of the power, which is not below the least double.
     */
    public void addScaled(final long value, final int exponent) {
        final long sign = value >> 63;
        add((value ^ sign) - sign, exponent - EXPONENT_MIN, sign);
    }

    /**
     * Adds an integer of 128 bits.
     *
     * @param high its upper 64 bits, with the sign.
     * @param low  its lower 64 bits.
     */
    public void add(final long high, final long low) {
        add(low, -EXPONENT_MIN, 0);
        add(Math.abs(high), -EXPONENT_MIN + Long.SIZE, high >> 63);
    }

    /**
     * Adds a number.
     *
     * @param significand of 64 bits without a sign.
     * @param position    of its lowest bit above that of the lowest digit.
     * @param sign        0, or -1 for a negative number.
     */
    private void add(final long significand, final int position, final long sign) {
        final int digit = position / DIGIT_BITS;
        final int shift = position % DIGIT_BITS;
        int at = digit - base;
        if (at < 0 || at + REACH + HEADROOM > digits.length) {
            reach(digit, digit + REACH + HEADROOM);
            at = digit - base;
        }
        // With -1, x ^ sign - sign is -x.
        digits[at] += (((significand << shift) & DIGIT_MASK) ^ sign) - sign;
        digits[at + 1] += (((significand >>> (DIGIT_BITS - shift)) & DIGIT_MASK) ^ sign) - sign;
        digits[at + 2] += (((significand >>> DIGIT_BITS) >>> (DIGIT_BITS - shift)) ^ sign) - sign;
        if (++additionCount == additionsMax) {
            carry();
        }
    }

    /**
     * Adds another sum, which stays what it is.
     *
     * @param other of the same agent.
     */
    public void add(final ExactSum other) {
        if (other.digits.length == 0) {
            return;
        }
        other.carry();
        carry();
        reach(other.base, other.base + other.digits.length);
        for (int i = 0; i < other.digits.length; i++) {
            digits[other.base - base + i] += other.digits[i];
        }
        carry();
    }

    /** Widens the window, with a digit to spare on either side. */
    private void reach(final int from, final int to) {
        if (digits.length == 0) {
            base = Math.max(0, from - 1);
            digits = new long[to + 1 - base];
        } else if (from < base || to > base + digits.length) {
            carry();
            final int newBase = from < base ? Math.max(0, from - 1) : base;
            final int newEnd = Math.max(base + digits.length, to > base + digits.length ? to + 1 : to);
            final long[] wider = new long[newEnd - newBase];
            System.arraycopy(digits, 0, wider, base - newBase, digits.length);
            base = newBase;
            digits = wider;
            carry();
        }
    }

    /** Brings all digits but the highest, which has the sign, between 0 and 2^32. */
    private void carry() {
        additionCount = 0;
        long carry = 0;
        for (int i = 0; i < digits.length - 1; i++) {
            final long digit = digits[i] + carry;
            digits[i] = digit & DIGIT_MASK;
            carry = digit >> DIGIT_BITS;
        }
        if (digits.length > 0) {
            digits[digits.length - 1] += carry;
        }
    }

    /**
     * The double nearest to the sum.
     *
     * @return the even one of two as near; infinite beyond them all.
     */
    public double doubleValue() {
        return scaled(0);
    }

    /**
     * The double nearest to the sum times a power of two, unless that is too small for all bits.
     *
     * @param exponent of the power.
     * @return the double; infinite beyond them all.
     */
    public double scaled(final int exponent) {
        carry();
        final boolean isNegative = digits.length > 0 && digits[digits.length - 1] < 0;
        if (!isNegative) {
            return magnitude(digits, exponent);
        }
        final ExactSum opposite = new ExactSum();
        opposite.base = base;
        opposite.digits = Arrays.stream(digits).map(digit -> -digit).toArray();
        opposite.carry();
        return -opposite.magnitude(opposite.digits, exponent);
    }

    private double magnitude(final long[] parts, final int exponent) {
        int top = parts.length - 1;
        while (top >= 0 && parts[top] == 0) {
            top--;
        }
        if (top < 0) {
            return 0;
        }
        final int topBit = (base + top) * DIGIT_BITS + Long.SIZE - 1 - Long.numberOfLeadingZeros(parts[top]);
        final int lowBit = Math.max(0, topBit - FRACTION_BITS);
        long significand = bits(parts, lowBit, topBit);
        if (lowBit > 0 && isRoundedUp(parts, lowBit, (significand & 1) != 0)) {
            significand++;
        }
        return Math.scalb((double) significand, lowBit + EXPONENT_MIN + exponent);
    }

    /** The bits from one position to another, of which there are at most 53. */
    private long bits(final long[] parts, final int lowBit, final int topBit) {
        long result = 0;
        for (int bit = topBit; bit >= lowBit; bit--) {
            result = (result << 1) | bit(parts, bit);
        }
        return result;
    }

    private long bit(final long[] parts, final int bit) {
        final int index = Math.min(bit / DIGIT_BITS - base, parts.length - 1);
        return index < 0 ? 0 : (parts[index] >>> (bit - (base + index) * DIGIT_BITS)) & 1;
    }

    /** Rounds half to even. */
    private boolean isRoundedUp(final long[] parts, final int lowBit, final boolean isOdd) {
        if (bit(parts, lowBit - 1) == 0) {
            return false;
        }
        return isOdd || isAnySet(parts, lowBit - 1);
    }

    private boolean isAnySet(final long[] parts, final int endBit) {
        for (int bit = endBit - 1; bit >= base * DIGIT_BITS; bit--) {
            if (bit(parts, bit) != 0) {
                return true;
            }
        }
        return false;
    }
}
