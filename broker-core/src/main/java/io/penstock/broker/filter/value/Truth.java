package io.penstock.broker.filter.value;

/**
 * The three truth values, ordered so that AND is the lesser, OR the greater and NOT the opposite.
 */
public final class Truth {
    public static final int FALSE = -1;
    public static final int UNKNOWN = 0;
    public static final int TRUE = 1;

    private Truth() {}

    public static int of(final boolean value) {
        return value ? TRUE : FALSE;
    }
}
