package io.penstock.broker.shard.match.index;

import org.jspecify.annotations.Nullable;

/** The filters that are found where one predicate is true. */
class Posting implements Chained<Posting> {
    /** From so many filters on it is worth to know how often it is found. */
    private static final int FILTERS_OBSERVED = 8;

    private static final PredicateKind[] KINDS = PredicateKind.values();
    private static final int KIND_BITS = 4;

    /** The slot of its field and its kind, in one number, as there are very many. */
    private final int slotAndKind;

    private @Nullable Posting nextInChain;

    @Nullable
    Link first;

    @Nullable
    PostingStatistics statistics;

    private int size;

    @SuppressWarnings("EnumOrdinal") // Not kept anywhere else.
    Posting(final PredicateKind kind, final int slot) {
        slotAndKind = slot << KIND_BITS | kind.ordinal();
    }

    final PredicateKind kind() {
        return KINDS[slotAndKind & (1 << KIND_BITS) - 1];
    }

    /** Of its field. */
    final int slot() {
        return slotAndKind >>> KIND_BITS;
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
        return !kind().isExclusive() && !link.isCertain && !link.filter().isFixed;
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

    /** Those that are not in a table have none. */
    @Override
    public int chainHash() {
        return 0;
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
