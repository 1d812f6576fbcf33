package io.penstock.broker.shard.match;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.topic.Topic;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The live subscriptions of one topic: those that want every message, for which nothing of it is read, and those with
 * filters. Confined to the sequencer.
 */
final class TopicMatcher implements Matcher.Visitor<TopicMatcher.Place> {
    private final Topic topic;
    private final ShardFields fields;
    private final FilterGroup<Place> unfiltered = FilterGroup.unfiltered();
    private final SubscriptionIndex index;

    /** Made for the first filter, and what it is asked about. */
    private @Nullable Matcher<Place> filtered;

    private @Nullable MatchedRecord record;

    /** Hands over subscriptions to the index. */
    TopicMatcher(final Topic topic, final ShardFields fields, final SubscriptionIndex index) {
        this.topic = topic;
        this.index = index;
        this.fields = fields;
    }

    int topicId() {
        return topic.id();
    }

    boolean isEmpty() {
        return unfiltered.size() == 0 && (filtered == null || filtered.isEmpty());
    }

    void add(final LiveSubscription subscription, final @Nullable Filter filter) {
        final FilterGroup<Place> group = filter == null || filter.text().isEmpty()
                ? unfiltered
                : filtered().groupOf(filter.text(), filter);
        final Place place = new Place(subscription, this, group);
        group.add(place);
        subscription.add(place);
    }

    /** Hands over all places. They stay in the matcher. */
    void forEach(final Consumer<Place> handler) {
        forEach(unfiltered, handler);
        final Matcher<Place> groups = filtered;
        for (int i = 0; groups != null && i < groups.groupCount(); i++) {
            forEach(groups.group(i), handler);
        }
    }

    private static void forEach(final FilterGroup<Place> group, final Consumer<Place> handler) {
        for (int i = 0, size = group.size(); i < size; i++) {
            handler.accept(group.get(i));
        }
    }

    private Matcher<Place> filtered() {
        Matcher<Place> made = filtered;
        if (made == null) {
            final TopicFields ofTopic = fields.of(topic);
            made = new Matcher<>(ofTopic);
            record = ofTopic.record(0);
            filtered = made;
        }
        return made;
    }

    private void remove(final Place place) {
        if (filtered == null || place.group == unfiltered) {
            unfiltered.remove(place);
        } else {
            filtered.remove(place.group, place);
        }
    }

    /** Hands over each subscription that a message is for, which lies in its record. Some may not be live. */
    void match(final DirectBuffer buffer, final int recordOffset, final int payloadLength, final long sequence) {
        onMatch(unfiltered);
        final Matcher<Place> groups = filtered;
        final MatchedRecord message = record;
        if (groups != null && message != null && !groups.isEmpty()) {
            message.wrap(buffer, recordOffset, payloadLength, sequence);
            groups.match(message, this);
        }
    }

    @Override
    public void onMatch(final FilterGroup<Place> group) {
        for (int i = 0, size = group.size(); i < size; i++) {
            index.onMatch(group.get(i).subscription);
        }
    }

    @Override
    public String toString() {
        return "TopicMatcher[unfiltered=" + unfiltered.size() + ", filters="
                + (filtered == null ? 0 : filtered.groupCount()) + "]";
    }

    /** The place of a subscription, which may be about many topics, in one of them. */
    static final class Place implements Matcher.Member {
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
        public boolean wants(final int recordIndex) {
            return subscription.state == LiveSubscription.State.LIVE;
        }
    }
}
