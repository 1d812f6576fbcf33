package io.penstock.bench.match;

import java.util.List;

/**
 * What is measured.
 *
 * @param filterCount subscriptions, each with a filter of its own.
 * @param kinds       of filters, one after the other.
 * @param rounds      whose medians count.
 * @param seconds     of each phase in which a publisher's stalls are measured.
 * @param seed        of filters and messages.
 */
record MatchPlan(int filterCount, List<MatchKind> kinds, int rounds, double seconds, long seed) {
    MatchPlan {
        kinds = List.copyOf(kinds);
    }

    MatchPlan with(final int count) {
        return new MatchPlan(count, kinds, rounds, seconds, seed);
    }
}
