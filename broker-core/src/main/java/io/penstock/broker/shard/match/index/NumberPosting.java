package io.penstock.broker.shard.match.index;

/** A posting that is known by a number. */
final class NumberPosting extends Posting {
    final long number;

    NumberPosting(final PredicateKind kind, final int slot, final long number) {
        super(kind, slot);
        this.number = number;
    }

    @Override
    public int chainHash() {
        return HashSeed.hash(number);
    }
}
