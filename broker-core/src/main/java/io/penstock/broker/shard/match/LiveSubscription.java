package io.penstock.broker.shard.match;

import io.penstock.broker.filter.Filter;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The sequencer's view of one feed of a subscription. Confined to the sequencer.
 *
 * <pre>
 *   LIVE --ring full--> SWITCHING --marker in the ring--> CURSOR --replayer asks--> LIVE
 * </pre>
 */
final class LiveSubscription extends ShardFeed<LiveSubscription> {
    /** Where its messages come from. */
    enum State {
        /** Matches go to the ring. */
        LIVE,
        /** The ring was full; the marker that says so has still to go in. */
        SWITCHING,
        /** A cursor serves it. */
        CURSOR
    }

    State state = State.LIVE;

    /** Compiled by its I/O agent, and the sequencer's from then on; null when it wants all messages. */
    final @Nullable Filter filter;

    /** Where it is among others: one for each topic that it is about. */
    final ArrayList<TopicMatcher.Place> places = new ArrayList<>(1);

    LiveSubscription(final Interest interest, final @Nullable Filter filter, final DescriptorRing ring) {
        super(interest, ring);
        this.filter = filter;
    }

    void add(final TopicMatcher.Place place) {
        place.index = places.size();
        places.add(place);
    }

    /** One of its topics was deleted. */
    void forget(final TopicMatcher.Place place) {
        final TopicMatcher.Place last = places.remove(places.size() - 1);
        if (last != place) {
            places.set(place.index, last);
            last.index = place.index;
        }
    }
}
