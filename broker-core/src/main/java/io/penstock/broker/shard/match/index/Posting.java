package io.penstock.broker.shard.match.index;

import org.jspecify.annotations.Nullable;

/** The filters that are found where one predicate is true. */
class Posting implements Chained<Posting> {
    /** From so many filters on it is worth to know how often it is found. */
    private static final int FILTERS_OBSERVED = 8;

    final PredicateKind kind;

    /** Of its field. */
    final int slot;

    private final int hash;
    private @Nullable Posting nextInChain;

    @Nullable
    Link first;

    @Nullable
    PostingStatistics statistics;

    private int size;

    Posting(final PredicateKind kind, final int slot, final int hash) {
        this.kind = kind;
        this.slot = slot;
        this.hash = hash;
    }

    final int size() {
        return size;
    }

    final void add(final Link link, final long search) {
        link.posting = this;
        link.previous = null;
        link.next = first;
        if (first != null) {
            first.previous = link;
        }
        first = link;
        size++;
        if (statistics == null && (size >= FILTERS_OBSERVED || isObserved(link))) {
            statistics = new PostingStatistics(search);
        }
    }

    /** Whether the filter may be found for nothing, and could be found otherwise. */
    private boolean isObserved(final Link link) {
        return !kind.isExclusive() && !link.isCertain && !link.filter().isFixed;
    }

    final void remove(final Link link) {
        final Link previous = link.previous;
        final Link next = link.next;
        if (previous == null) {
            first = next;
        } else {
            previous.next = next;
        }
        if (next != null) {
            next.previous = previous;
        }
        link.posting = null;
        link.previous = null;
        link.next = null;
        size--;
    }

    @Override
    public final int chainHash() {
        return hash;
    }

    @Override
    public final @Nullable Posting nextInChain() {
        return nextInChain;
    }

    @Override
    public final void nextInChain(final @Nullable Posting next) {
        nextInChain = next;
    }
}
