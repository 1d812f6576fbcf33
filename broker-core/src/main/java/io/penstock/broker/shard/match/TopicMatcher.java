package io.penstock.broker.shard.match;

import io.penstock.broker.filter.Filter;
import io.penstock.format.FieldReader;
import io.penstock.format.MessageFormat;
import io.penstock.protocol.RecordDescriptor;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The live subscriptions of one topic, by filter: equal filters are evaluated once a message, and all filters read the
 * message once together. Confined to the sequencer.
 */
final class TopicMatcher {
    final int topicId;
    private final MessageFormat format;

    /** Those that need no look at the message. */
    private final FilterGroup<Place> unfiltered = new FilterGroup<>("", null, null);

    /** The others, and what they read a message with; made for the first one. */
    private @Nullable FilterGroups<Place> groups;

    private @Nullable TopicFields fields;

    TopicMatcher(final int topicId, final MessageFormat format) {
        this.topicId = topicId;
        this.format = format;
    }

    boolean isEmpty() {
        return unfiltered.members.isEmpty() && (groups == null || groups.isEmpty());
    }

    void add(final LiveSubscription subscription, final @Nullable Filter filter) {
        final FilterGroup<Place> group =
                filter == null ? unfiltered : groups().groupOf(subscription.interest.filter(), filter);
        final Place place = new Place(subscription, this, group);
        group.add(place);
        subscription.add(place);
    }

    /** Hands over all places. They stay in the matcher. */
    void forEach(final Consumer<Place> handler) {
        unfiltered.members.forEach(handler);
        final FilterGroups<Place> filtered = groups;
        for (int i = 0; filtered != null && i < filtered.count(); i++) {
            filtered.get(i).members.forEach(handler);
        }
    }

    private FilterGroups<Place> groups() {
        FilterGroups<Place> made = groups;
        if (made == null) {
            final TopicFields own = new TopicFields(format.newReader());
            made = new FilterGroups<>(own);
            fields = own;
            groups = made;
        }
        return made;
    }

    private void remove(final Place place) {
        if (groups == null || place.group.filter == null) {
            place.group.remove(place);
        } else {
            groups.remove(place.group, place);
        }
    }

    /** Tells a matcher each live subscription that a message is for, which lies in its record. */
    void match(
            final DirectBuffer buffer,
            final int payloadOffset,
            final int payloadLength,
            final SubscriptionIndex onMatch) {
        final ArrayList<Place> all = unfiltered.members;
        for (int i = 0, size = all.size(); i < size; i++) {
            onMatch.onMatch(all.get(i).subscription);
        }
        final FilterGroups<Place> filtered = groups;
        final TopicFields read = fields;
        if (filtered != null && read != null && !filtered.isEmpty()) {
            final FieldReader message = read.reader(0);
            if (read.readsHeaders()) {
                message.headers(
                        buffer,
                        payloadOffset + payloadLength,
                        RecordDescriptor.headersLength(buffer, payloadOffset - RecordDescriptor.HEADER_LENGTH));
            }
            message.wrap(buffer, payloadOffset, payloadLength);
            match(filtered, message, onMatch);
        }
    }

    private static void match(
            final FilterGroups<Place> filtered, final FieldReader message, final SubscriptionIndex onMatch) {
        for (int i = 0, size = filtered.count(); i < size; i++) {
            final FilterGroup<Place> group = filtered.get(i);
            if (group.isAnyLive() && group.matches(message)) {
                final ArrayList<Place> members = group.members;
                for (int j = 0, count = members.size(); j < count; j++) {
                    onMatch.onMatch(members.get(j).subscription);
                }
            }
        }
    }

    @Override
    public String toString() {
        return "TopicMatcher[unfiltered=" + unfiltered.members.size() + ", filters="
                + (groups == null ? 0 : groups.count()) + "]";
    }

    /** The place of a subscription, which may be about many topics, in one of them. */
    static final class Place implements FilterGroup.Member {
        final TopicMatcher matcher;
        private final LiveSubscription subscription;
        private final FilterGroup<Place> group;
        private int place;

        /** Where it is among those of its subscription. */
        int index;

        Place(final LiveSubscription subscription, final TopicMatcher matcher, final FilterGroup<Place> group) {
            this.subscription = subscription;
            this.matcher = matcher;
            this.group = group;
        }

        LiveSubscription subscription() {
            return subscription;
        }

        void remove() {
            matcher.remove(this);
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
