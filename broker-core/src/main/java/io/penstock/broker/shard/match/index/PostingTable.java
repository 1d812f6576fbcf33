package io.penstock.broker.shard.match.index;

import org.jspecify.annotations.Nullable;

/** Postings of one kind that are known by numbers. */
final class PostingTable {
    private final PredicateKind kind;
    private final int slot;
    private final GrowingTable<Posting> table = new GrowingTable<>();

    PostingTable(final PredicateKind kind, final int slot) {
        this.kind = kind;
        this.slot = slot;
    }

    boolean isEmpty() {
        return table.size() == 0;
    }

    @Nullable
    Posting get(final long number) {
        for (Posting posting = table.head(HashSeed.hash(number)); posting != null; posting = posting.nextInChain()) {
            if (((NumberPosting) posting).number == number) {
                return posting;
            }
        }
        return null;
    }

    Posting make(final long number) {
        final Posting present = get(number);
        if (present != null) {
            return present;
        }
        final NumberPosting made = new NumberPosting(kind, slot, number);
        table.add(made);
        return made;
    }

    void remove(final Posting posting) {
        table.remove(posting);
    }
}
