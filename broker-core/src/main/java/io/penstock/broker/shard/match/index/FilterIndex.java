package io.penstock.broker.shard.match.index;

import io.penstock.format.GrowableReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the filters that may be true of a message. Each filter lies where one of its tests leads: the one that is expected to
 * be true of the fewest messages. A filter without a test that leads anywhere is found for each message. Where filters are
 * often found for nothing, they are moved to another of their tests by and by. Finding allocates nothing, but for such a
 * move. Confined to one agent.
 */
public final class FilterIndex {
    /** How many filters are looked at again for one message, at most. */
    static final int RECONSIDERED_MAX = 16;

    private static final int MOVES_MAX = 4;

    private final Posting always = new Posting(PredicateKind.ALWAYS, 0, 0);
    private final SlotKeys keys = new SlotKeys();
    private final Found found = new Found(keys);
    private final FieldIndexes fields = new FieldIndexes();
    private int reconsideredCount;
    private final Access.Estimates estimates = this::share;

    /** Starts without filters. */
    public FilterIndex() {}

    /**
     * Adds a filter.
     *
     * @param filter that is in no index.
     */
    public void add(final IndexedFilter filter) {
        final Access access = Access.best(filter.condition(), filter, estimates);
        // It may come from an index that was searched more often.
        filter.seen = 0;
        filter.foundBy = null;
        filter.moveCount = 0;
        filter.isFixed = access == null || access.isOnly();
        link(filter, access);
    }

    private void link(final IndexedFilter filter, final @Nullable Access access) {
        if (access == null) {
            filter.isCertain = false;
            filter.guard = null;
            always.add(filter, found.searchCount());
            return;
        }
        filter.guard = Guard.of(filter.condition(), filter, access);
        for (Guard guard = filter.guard; guard != null; guard = guard.next) {
            keys.makeRoom(guard.slot);
        }
        Link link = filter;
        for (int i = 0; i < access.predicates().size(); i++) {
            if (i > 0) {
                final FurtherLink further = new FurtherLink(filter);
                link.further = further;
                link = further;
            }
            final Predicate predicate = access.predicates().get(i);
            link.isCertain = access.isCertain(i);
            fields.make(predicate, found.searchCount()).add(link, found.searchCount());
        }
    }

    /**
     * Removes a filter. Its fields still have the slots that they had when it was added.
     *
     * @param filter that was added.
     */
    public void remove(final IndexedFilter filter) {
        Link link = filter;
        while (link != null) {
            unlink(link);
            final Link next = link.further;
            link.further = null;
            link = next;
        }
    }

    private void unlink(final Link link) {
        final Posting posting = Objects.requireNonNull(link.posting);
        posting.remove(link);
        if (posting.size() == 0 && posting.kind != PredicateKind.ALWAYS) {
            fields.remove(posting);
        }
    }

    /**
     * Finds the filters that may be true of a message.
     *
     * @param message positioned on it.
     * @return the first of them; the others by {@link IndexedFilter#takeNextFound}. Null when there is none.
     */
    public @Nullable IndexedFilter find(final GrowableReader message) {
        found.begin();
        return search(message);
    }

    /**
     * Finds the filters that may be true of a message and were not true of the one before, see {@link #isTrue}.
     *
     * @param message positioned on it.
     * @return as {@link #find}.
     */
    public @Nullable IndexedFilter findOthers(final GrowableReader message) {
        found.beginOthers();
        return search(message);
    }

    private @Nullable IndexedFilter search(final GrowableReader message) {
        reconsideredCount = 0;
        keys.wrap(message);
        found.add(always, false);
        fields.find(message, found);
        return found.first();
    }

    /**
     * A filter that was found is true.
     *
     * @param filter of the last search.
     */
    public void isTrue(final IndexedFilter filter) {
        filter.seen = found.search() + 1;
    }

    /**
     * A filter that was found is not true. It may get another place.
     *
     * @param filter of the last search, after the next one was taken from it.
     */
    public void isNotTrue(final IndexedFilter filter) {
        final Posting posting = filter.foundBy;
        if (filter.isFixed || posting == null) {
            return;
        }
        final PostingStatistics statistics = posting.statistics;
        if (statistics != null && statistics.isFruitless() && reconsideredCount < RECONSIDERED_MAX) {
            reconsideredCount++;
            statistics.reconsidered(move(filter));
        }
    }

    private boolean move(final IndexedFilter filter) {
        double share = 0;
        for (Link link = filter; link != null; link = link.further) {
            final Posting posting = Objects.requireNonNull(link.posting);
            share += Estimate.of(posting.kind.share(), posting, found.searchCount());
        }
        final Access access = Access.best(filter.condition(), filter, estimates);
        if (access == null || access.share() * (2 << filter.moveCount) > share) {
            return false;
        }
        // What is known of the places that it leaves is not to be forgotten before it has another one.
        final List<Link> held = new ArrayList<>();
        for (Link link = filter; link != null; link = link.further) {
            final Link holder = new FurtherLink(filter);
            Objects.requireNonNull(link.posting).add(holder, found.searchCount());
            held.add(holder);
        }
        remove(filter);
        link(filter, access);
        held.forEach(this::unlink);
        filter.moveCount = (byte) Math.min(MOVES_MAX, filter.moveCount + 1);
        return true;
    }

    private double share(final Predicate predicate) {
        return Estimate.of(predicate, fields.get(predicate, found.searchCount()), found.searchCount());
    }
}
