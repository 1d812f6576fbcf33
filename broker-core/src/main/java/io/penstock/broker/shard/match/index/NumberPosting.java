package io.penstock.broker.shard.match.index;

/** A posting that is known by a number. */
final class NumberPosting extends Posting {
    final long number;

    NumberPosting(final PredicateKind kind, final int slot, final int hash, final long number) {
        super(kind, slot, hash);
        this.number = number;
    }
}
