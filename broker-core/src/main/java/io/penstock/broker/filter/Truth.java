package io.penstock.broker.filter;

/**
 * The three truth values, ordered so that AND is the lesser, OR the greater and NOT the opposite.
 */
final class Truth {
    static final int FALSE = -1;
    static final int UNKNOWN = 0;
    static final int TRUE = 1;

    private Truth() {}

    static int of(final boolean value) {
        return value ? TRUE : FALSE;
    }
}
