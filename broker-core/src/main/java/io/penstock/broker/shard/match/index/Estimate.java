package io.penstock.broker.shard.match.index;

import org.jspecify.annotations.Nullable;

/** What share of messages a predicate is true of: as was observed, else as its kind and its number of filters suggest. */
final class Estimate {
    /** So many filters with one predicate double the share: they are more often about what is frequent. */
    private static final double FILTERS_DOUBLING = 32;

    private Estimate() {}

    static double of(final Predicate predicate, final @Nullable Posting posting, final long search) {
        return of(predicate.kind().share(predicate), posting, search);
    }

    static double of(final double unknown, final @Nullable Posting posting, final long search) {
        if (posting == null) {
            return unknown;
        }
        final double bySize = Math.min(1, unknown * (1 + posting.size() / FILTERS_DOUBLING));
        final PostingStatistics statistics = posting.statistics;
        return statistics == null ? bySize : statistics.rate(search, bySize);
    }
}
