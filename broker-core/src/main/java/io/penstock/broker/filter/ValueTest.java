package io.penstock.broker.filter;

/** A test of one value that is not an array against what was fixed when the filter was compiled. */
interface ValueTest {
    /** Returns a {@link Truth}. */
    int truth(Register value);
}
