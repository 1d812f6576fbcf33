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

    private final Posting always = new Posting(PredicateKind.ALWAYS, 0);
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
        filter.moveCount = 0;
        filter.isFixed = access == null || access.isOnly();
        link(filter, access);
    }

    private void link(final IndexedFilter filter, final @Nullable Access access) {
        if (access == null) {
            filter.isCertain = false;
            filter.guards = null;
            always.add(filter, found.searchCount());
            return;
        }
        final long[] guards = Guard.of(filter.condition(), filter, access);
        filter.guards = guards;
        if (guards != null) {
            keys.makeRoom(guards);
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
        if (posting.size() == 0 && posting.kind() != PredicateKind.ALWAYS) {
            fields.remove(posting);
        }
    }

    /**
     * Finds the filters that may be true of a message.
     *
     * @param message positioned on it.
     * @return count of them, for {@link #found}.
     */
    public int find(final GrowableReader message) {
        found.begin();
        return search(message);
    }

    /**
     * Finds the filters that may be true of a message and were not true of the one before, see {@link #isTrue}.
     *
     * @param message positioned on it.
     * @return as {@link #find}.
     */
    public int findOthers(final GrowableReader message) {
        found.beginOthers();
        return search(message);
    }

    private int search(final GrowableReader message) {
        reconsideredCount = 0;
        keys.wrap(message);
        found.add(always, false);
        fields.find(message, found);
        return found.count();
    }

    /**
     * One of the filters that the last search has found.
     *
     * @param place from 0 on.
     * @return the filter.
     */
    public IndexedFilter found(final int place) {
        return found.filter(place);
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
     * @param place at which the last search has found it.
     */
    public void isNotTrue(final int place) {
        final IndexedFilter filter = found.filter(place);
        if (filter.isFixed) {
            return;
        }
        final PostingStatistics statistics = found.posting(place).statistics;
        if (statistics != null && statistics.isFruitless() && reconsideredCount < RECONSIDERED_MAX) {
            reconsideredCount++;
            statistics.reconsidered(move(filter));
        }
    }

    private boolean move(final IndexedFilter filter) {
        double share = 0;
        for (Link link = filter; link != null; link = link.further) {
            final Posting posting = Objects.requireNonNull(link.posting);
            share += Estimate.of(posting.kind().share(), posting, found.searchCount());
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
