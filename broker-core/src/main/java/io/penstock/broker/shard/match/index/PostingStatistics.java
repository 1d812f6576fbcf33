package io.penstock.broker.shard.match.index;

/** How often a posting was found, and how often that was of no use. */
final class PostingStatistics {
    private static final int PATIENCE_MIN = 32;
    private static final int PATIENCE_MAX = 1 << 20;
    private static final long SEARCHES_KNOWN = 64;
    private static final long SEARCHES_MAX = 1 << 16;

    /** The last search that found it. */
    long seen;

    private long birth;
    private int foundCount;
    private int fruitlessCount;
    private int patience = PATIENCE_MIN;

    PostingStatistics(final long search) {
        birth = search;
    }

    /** A search has found it. Returns false when the same one did so before. */
    boolean found(final long search) {
        if (seen == search) {
            return false;
        }
        seen = search;
        foundCount++;
        final long searches = search - birth;
        if (searches > SEARCHES_MAX) {
            // As many as at the same rate in half of the time that counts, however long ago it was.
            foundCount = (int) Math.max(1, foundCount * (SEARCHES_MAX / 2) / searches);
            birth = search - SEARCHES_MAX / 2;
        }
        return true;
    }

    /** The share of searches that find it; the given one while that is not known. */
    double rate(final long search, final double unknown) {
        final long searches = search - birth;
        return searches < SEARCHES_KNOWN ? unknown : Math.min(1, (double) foundCount / searches);
    }

    /** A filter in it was evaluated, and not true. Returns whether it is time to look for another place for one of them. */
    boolean isFruitless() {
        return ++fruitlessCount >= patience;
    }

    /** It was looked for another place, which was found or not. */
    void reconsidered(final boolean isMoved) {
        fruitlessCount = 0;
        patience = isMoved ? PATIENCE_MIN : Math.min(PATIENCE_MAX, 2 * patience);
    }
}
