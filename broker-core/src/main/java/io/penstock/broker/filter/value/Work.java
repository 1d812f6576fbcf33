package io.penstock.broker.filter.value;

/**
 * What one evaluation may still do. Whatever may take long for its message — pairs of arrays' elements, expressions over
 * long texts — takes steps of it first, and is unknown when there are no more. So no filter holds up its agent for long,
 * whatever its text and the message are. A step takes some 10 to 30 nanoseconds. Owned by one filter, or by those of one agent that
 * share it.
 */
public final class Work {
    /** Steps of one evaluation: tens of milliseconds. */
    public static final int STEPS_MAX = 1 << 20;

    private static final int PAIR_STEPS = 16;
    private static final int ELEMENT_STEPS = 4;

    /** Bytes of a text that are passed over in one step, as two powers of two: whole words, and a code point at a time. */
    private static final int WORDS_SHIFT = 6;

    private static final int POINTS_SHIFT = 4;

    private long steps = STEPS_MAX;

    /** Begins another evaluation. */
    public void renew() {
        steps = STEPS_MAX;
    }

    /** Takes steps; false when there are not as many, and then from now on. */
    public boolean take(final long count) {
        steps -= count;
        return steps >= 0;
    }

    /** Steps that are left; negative when there are none. */
    public long left() {
        return steps;
    }

    /** Looks at an element of an array. */
    public boolean takeElement(final Register element) {
        return take(ELEMENT_STEPS + textSteps(element));
    }

    /** Compares two values. */
    public boolean takePair(final Register left, final Register right) {
        return take(PAIR_STEPS + Math.min(textSteps(left), textSteps(right)));
    }

    /** Passes over a value; one that is no text costs nothing. */
    public boolean takeText(final Register value) {
        return take(textSteps(value));
    }

    /** Passes over bytes of a text by its code points. */
    boolean takePoints(final long length) {
        return take(length >>> POINTS_SHIFT);
    }

    private static long textSteps(final Register value) {
        return value.isText() ? value.length() >>> WORDS_SHIFT : 0;
    }
}
