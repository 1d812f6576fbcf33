package io.penstock.broker.shard.match.index;

import org.jspecify.annotations.Nullable;

/** A posting of a range of order keys, in an {@link IntervalTree}. */
final class RangePosting extends Posting {
    /** Bounds, included. */
    final long low;

    final long high;

    /** The highest bound of those below it in the tree, and its own. */
    long highMax;

    @Nullable
    RangePosting left;

    @Nullable
    RangePosting right;

    RangePosting(final PredicateKind kind, final int slot, final long low, final long high) {
        super(kind, slot);
        this.low = low;
        this.high = high;
        highMax = high;
    }

    /** Above those of postings below it in the tree; another one in each process, so that nobody can choose deep trees. */
    int priority() {
        return HashSeed.hash(low, high);
    }

    int order(final long otherLow, final long otherHigh) {
        return low != otherLow ? Long.compare(low, otherLow) : Long.compare(high, otherHigh);
    }

    void renew() {
        long max = high;
        if (left != null && left.highMax > max) {
            max = left.highMax;
        }
        if (right != null && right.highMax > max) {
            max = right.highMax;
        }
        highMax = max;
    }
}
