package io.penstock.broker.shard.match.index;

import org.jspecify.annotations.Nullable;

/** The place of a filter in one posting. */
abstract class Link {
    @Nullable
    Posting posting;

    @Nullable
    Link previous;

    @Nullable
    Link next;

    /** The further places of the same filter. */
    @Nullable
    FurtherLink further;

    /** Whether the filter is true wherever the posting's predicate is. */
    boolean isCertain;

    abstract IndexedFilter filter();
}
