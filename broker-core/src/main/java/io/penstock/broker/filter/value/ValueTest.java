package io.penstock.broker.filter.value;

/** A test of one value that is not an array against what was fixed when the filter was compiled. */
public interface ValueTest {
    /** Returns a {@link Truth}. */
    int truth(Register value);
}
