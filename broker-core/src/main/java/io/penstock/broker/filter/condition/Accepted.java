package io.penstock.broker.filter.condition;

import io.penstock.broker.filter.value.Truth;

/** The truth values of a test that count. A test may be true, false or unknown. */
public enum Accepted {
    /** It has to be true. */
    TRUE(Truth.TRUE, false),
    /** It has to be false: neither true nor unknown. */
    FALSE(Truth.FALSE, false),
    /** It may be anything but true. */
    NOT_TRUE(Truth.TRUE, true),
    /** It may be anything but false. */
    NOT_FALSE(Truth.FALSE, true);

    private final int asked;
    private final boolean isComplement;

    Accepted(final int asked, final boolean isComplement) {
        this.asked = asked;
        this.isComplement = isComplement;
    }

    /**
     * The one truth value that the test is compared with.
     *
     * @return a {@link Truth}, true or false.
     */
    public int asked() {
        return asked;
    }

    /**
     * Whether it is the others that count.
     *
     * @return true when all but {@link #asked()} do.
     */
    public boolean isComplement() {
        return isComplement;
    }

    /**
     * Whether a truth value counts.
     *
     * @param truth of a test, a {@link Truth}.
     * @return true when it does.
     */
    public boolean has(final int truth) {
        return (truth == asked) != isComplement;
    }

    /** The same of NOT x that this is of x. */
    Accepted ofOpposite() {
        return of(-asked, isComplement);
    }

    /** The values of x for which this accepts x IS TRUE, or x IS FALSE: those are never unknown. */
    Accepted ofOperand(final boolean isTrue) {
        return of(Truth.of(isTrue), !has(Truth.TRUE));
    }

    /** Whether all operands of an AND are to be accepted, and not just any of them: the other way round for an OR. */
    boolean isOfAll() {
        return (asked == Truth.TRUE) != isComplement;
    }

    private static Accepted of(final int asked, final boolean isComplement) {
        if (asked == Truth.TRUE) {
            return isComplement ? NOT_TRUE : TRUE;
        }
        return isComplement ? NOT_FALSE : FALSE;
    }
}
