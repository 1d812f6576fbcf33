package io.penstock.broker.shard.match;

import io.penstock.broker.filter.Filter;
import java.util.ArrayList;
import java.util.Objects;
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

    /** Where it is among others, one for each topic that it is about: the only one, as mostly, or a list; null for none. */
    private @Nullable Object places;

    LiveSubscription(final Interest interest, final @Nullable Filter filter, final DescriptorRing ring) {
        super(interest, ring);
        this.filter = filter;
    }

    @SuppressWarnings("unchecked")
    void add(final TopicMatcher.Place place) {
        place.index = placeCount();
        if (places == null) {
            places = place;
        } else if (places instanceof ArrayList<?>) {
            ((ArrayList<TopicMatcher.Place>) places).add(place);
        } else {
            final ArrayList<TopicMatcher.Place> several = new ArrayList<>();
            several.add((TopicMatcher.Place) places);
            several.add(place);
            places = several;
        }
    }

    int placeCount() {
        if (places instanceof ArrayList<?> several) {
            return several.size();
        }
        return places == null ? 0 : 1;
    }

    TopicMatcher.Place place(final int index) {
        return (TopicMatcher.Place)
                Objects.requireNonNull(places instanceof ArrayList<?> several ? several.get(index) : places);
    }

    /** One of its topics was deleted. */
    @SuppressWarnings("unchecked")
    void forget(final TopicMatcher.Place place) {
        if (!(places instanceof ArrayList<?>)) {
            places = null;
            return;
        }
        final ArrayList<TopicMatcher.Place> several = (ArrayList<TopicMatcher.Place>) places;
        final TopicMatcher.Place last = several.remove(several.size() - 1);
        if (place.index < several.size()) {
            several.set(place.index, last);
            last.index = place.index;
        }
    }

    void forgetPlaces() {
        places = null;
    }
}
