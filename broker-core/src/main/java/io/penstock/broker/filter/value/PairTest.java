package io.penstock.broker.filter.value;

/** A test of two values that are not arrays. */
public interface PairTest {
    /** Returns a {@link Truth}. */
    int truth(Register left, Register right);
}
