package io.penstock.broker.filter;

/** A test of two values that are not arrays. */
interface PairTest {
    /** Returns a {@link Truth}. */
    int truth(Register left, Register right);
}
