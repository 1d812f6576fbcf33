package io.penstock.broker.shard.feed;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.shard.match.FilterGroup;
import io.penstock.broker.shard.match.MatchedRecord;
import io.penstock.broker.shard.match.Matcher;
import io.penstock.broker.shard.match.TopicFields;
import io.penstock.broker.topic.Topic;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The filters of cursors that read a log together: equal ones are evaluated once a record, and all of one topic read its
 * fields once together. Confined to the cursors' agent.
 */
final class CursorFilters {
    private final Int2ObjectHashMap<OfTopic> byTopic = new Int2ObjectHashMap<>();

    /** Gives a cursor a place with a filter on the messages of a topic, which is compiled unless another one has it. */
    Place take(final Topic topic, final String text) {
        OfTopic ofTopic = byTopic.get(topic.id());
        if (ofTopic == null) {
            ofTopic = new OfTopic(topic);
            byTopic.put(topic.id(), ofTopic);
        }
        return ofTopic.take(text);
    }

    /** A cursor has no more need of its place. */
    void giveBack(final Place place) {
        final OfTopic ofTopic = place.ofTopic;
        ofTopic.matcher.remove(place.group, place);
        if (ofTopic.matcher.isEmpty()) {
            byTopic.remove(ofTopic.topicId);
        }
    }

    /** One cursor's filter. */
    static final class Place implements Matcher.Member {
        private final OfTopic ofTopic;
        private final FilterGroup<Place> group;
        private int place;

        private Place(final OfTopic ofTopic, final FilterGroup<Place> group) {
            this.ofTopic = ofTopic;
            this.group = group;
        }

        /** Whether a message, which lies in its record, satisfies it. */
        boolean matches(
                final DirectBuffer buffer, final int recordOffset, final int messageLength, final long sequence) {
            final MatchedRecord record = ofTopic.record;
            record.wrap(buffer, recordOffset, messageLength, sequence);
            return group.matches(record);
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
            return true;
        }
    }

    private static final class OfTopic {
        private final int topicId;
        private final Matcher<Place> matcher;
        private final MatchedRecord record;

        OfTopic(final Topic topic) {
            topicId = topic.id();
            final TopicFields fields = new TopicFields(topic.format());
            matcher = Matcher.withoutIndex(fields);
            record = fields.record(0);
        }

        Place take(final String text) {
            FilterGroup<Place> group = matcher.find(text);
            if (group == null) {
                group = matcher.groupOf(text, FilterCompiler.compile(text, FilterLimits.COMBINED));
            }
            final Place place = new Place(this, group);
            matcher.add(group, place);
            return place;
        }
    }
}
