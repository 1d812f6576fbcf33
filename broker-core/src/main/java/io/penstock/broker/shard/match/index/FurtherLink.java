package io.penstock.broker.shard.match.index;

/** A place of a filter that has several, after the first. */
final class FurtherLink extends Link {
    private final IndexedFilter filter;

    FurtherLink(final IndexedFilter filter) {
        this.filter = filter;
    }

    @Override
    IndexedFilter filter() {
        return filter;
    }
}
