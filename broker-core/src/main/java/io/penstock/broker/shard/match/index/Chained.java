package io.penstock.broker.shard.match.index;

import org.jspecify.annotations.Nullable;

/**
 * A thing in a {@link GrowingTable}, which it is linked into.
 *
 * @param <T> its own kind.
 */
public interface Chained<T> {
    /**
     * The hash of what it is found by.
     *
     * @return always the same.
     */
    int chainHash();

    /**
     * The thing behind it in its bucket.
     *
     * @return what was set.
     */
    @Nullable
    T nextInChain();

    /**
     * Another thing is behind it.
     *
     * @param next to keep; null for none.
     */
    void nextInChain(@Nullable T next);
}
