package io.penstock.broker.match;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.format.GrowableReader;
import io.penstock.broker.format.MessageFormat;
import java.util.ArrayList;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The live subscriptions of one topic, by filter: equal filters are evaluated once a message, and all filters read the
 * message once together. Confined to the sequencer.
 */
final class TopicMatcher {
    final int topicId;
    private final GrowableReader reader;
    /** Needs no look at the message. */
    private final FilterGroup<Place> unfiltered;

    private final FilterGroups<Place> groups;

    TopicMatcher(final int topicId, final MessageFormat format) {
        this.topicId = topicId;
        reader = format.newReader();
        final TopicFields fields = new TopicFields(reader);
        unfiltered = new FilterGroup<>("", null, fields);
        groups = new FilterGroups<>(fields);
    }

    boolean isEmpty() {
        return groups.isEmpty() && unfiltered.members.isEmpty();
    }

    void add(final LiveSubscription subscription, final @Nullable Filter filter) {
        final Place place = new Place(
                subscription,
                this,
                filter == null ? unfiltered : groups.groupOf(subscription.interest.filter(), filter));
        place.group.add(place);
        subscription.places.add(place);
    }

    /** Tells a matcher each live subscription that a message is for. */
    void match(
            final DirectBuffer buffer,
            final int payloadOffset,
            final int payloadLength,
            final SubscriptionIndex onMatch) {
        final ArrayList<Place> all = unfiltered.members;
        for (int i = 0, size = all.size(); i < size; i++) {
            onMatch.onMatch(all.get(i).subscription);
        }
        if (groups.isEmpty()) {
            return;
        }
        reader.wrap(buffer, payloadOffset, payloadLength);
        for (int i = 0, size = groups.count(); i < size; i++) {
            final FilterGroup<Place> group = groups.get(i);
            if (group.isAnyLive() && group.matches(reader)) {
                final ArrayList<Place> members = group.members;
                for (int j = 0, count = members.size(); j < count; j++) {
                    onMatch.onMatch(members.get(j).subscription);
                }
            }
        }
    }

    @Override
    public String toString() {
        return "TopicMatcher[unfiltered=" + unfiltered.members.size() + ", filters=" + groups.count() + "]";
    }

    /** The place of a subscription, which may be about many topics, in one of them. */
    static final class Place implements FilterGroup.Member {
        final TopicMatcher matcher;
        private final LiveSubscription subscription;
        private final FilterGroup<Place> group;
        private int place;

        Place(final LiveSubscription subscription, final TopicMatcher matcher, final FilterGroup<Place> group) {
            this.subscription = subscription;
            this.matcher = matcher;
            this.group = group;
        }

        void remove() {
            if (group.filter == null) {
                group.remove(this);
            } else {
                matcher.groups.remove(group, this);
            }
        }

        @Override
        public int place() {
            return place;
        }

        @Override
        public void place(final int value) {
            place = value;
        }

        @Override
        public boolean isLive() {
            return subscription.state == LiveSubscription.State.LIVE;
        }
    }
}
