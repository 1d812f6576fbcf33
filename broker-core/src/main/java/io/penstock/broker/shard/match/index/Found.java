package io.penstock.broker.shard.match.index;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The filters that one search has found, and where. Its arrays grow to what the most fruitful search has found. */
final class Found {
    /** A filter is marked with the number of the search that has found it, and with one more when it was true then. */
    private static final long SEARCH_STEP = 2;

    private static final long NOTHING = -1;
    private static final int LENGTH_INITIAL = 16;

    private final SlotKeys keys;
    private long search;

    /** The mark of filters that are not found. */
    private long omitted = NOTHING;

    private int toMoveCount;
    private @Nullable IndexedFilter[] filters = new IndexedFilter[LENGTH_INITIAL];
    private @Nullable Posting[] postings = new Posting[LENGTH_INITIAL];
    private int count;

    Found(final SlotKeys keys) {
        this.keys = keys;
    }

    void begin() {
        omitted = NOTHING;
        next();
    }

    /** Begins a search that omits what was true in the one before. */
    void beginOthers() {
        omitted = search + 1;
        next();
    }

    private void next() {
        search += SEARCH_STEP;
        toMoveCount = 0;
        // What has left the index meanwhile is not to be kept.
        Arrays.fill(filters, 0, count, null);
        Arrays.fill(postings, 0, count, null);
        count = 0;
    }

    /** Number of the search. */
    long search() {
        return search;
    }

    /** How many there were. */
    long searchCount() {
        return search / SEARCH_STEP;
    }

    int count() {
        return count;
    }

    /** One of them. */
    IndexedFilter filter(final int place) {
        return Objects.requireNonNull(filters[place]);
    }

    /** Where it was found. */
    Posting posting(final int place) {
        return Objects.requireNonNull(postings[place]);
    }

    /**
     * The predicate of a posting is true.
     *
     * @param posting   whose filters are found.
     * @param isOfWhole whether it is true of the field's value; else of an element of it.
     */
    void add(final Posting posting, final boolean isOfWhole) {
        final PostingStatistics statistics = posting.statistics;
        if (statistics != null && !statistics.found(searchCount())) {
            return;
        }
        for (Link link = posting.first; link != null; link = link.next) {
            final IndexedFilter filter = link.filter();
            final boolean isCertain = link.isCertain && isOfWhole;
            if (filter.seen == omitted) {
                continue;
            }
            if (filter.seen < search) {
                final long[] guards = filter.guards;
                if (guards != null && !keys.areWithin(guards) && !isToMove(filter, statistics)) {
                    continue;
                }
                filter.seen = search;
                filter.isFoundCertain = isCertain;
                append(filter, posting);
            } else if (isCertain) {
                filter.isFoundCertain = true;
            }
        }
    }

    /**
     * Whether a filter that is not true is handed over all the same, so that it gets another place: it is found for nothing
     * too often.
     */
    private boolean isToMove(final IndexedFilter filter, final @Nullable PostingStatistics statistics) {
        return statistics != null
                && !filter.isFixed
                && statistics.isFruitless()
                && toMoveCount++ < FilterIndex.RECONSIDERED_MAX;
    }

    private void append(final IndexedFilter filter, final Posting posting) {
        if (count == filters.length) {
            filters = Arrays.copyOf(filters, 2 * count);
            postings = Arrays.copyOf(postings, 2 * count);
        }
        filters[count] = filter;
        postings[count] = posting;
        count++;
    }
}
