package io.penstock.broker.shard.feed;

import io.penstock.broker.filter.CombinedFilter;
import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.security.Entitlement;
import io.penstock.broker.shard.match.FilterGroup;
import io.penstock.broker.shard.match.MatchedRecord;
import io.penstock.broker.shard.match.Matcher;
import io.penstock.broker.shard.match.TopicFields;
import io.penstock.broker.topic.Topic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The filters of cursors that read a log together: equal ones are evaluated once a record, and all of one topic read its
 * fields once together. Confined to the cursors' agent.
 */
final class CursorFilters {
    private static final Filter ALL = new CombinedFilter("", List.of(), List.of());

    private final Int2ObjectHashMap<OfTopic> byTopic = new Int2ObjectHashMap<>();
    private final Map<Wish, Compiled> compiled = new HashMap<>();
    private long compiledCount;

    /**
     * What some cursors are about to want of all topics, by texts that are compiled unless another one has the same.
     *
     * @param entitlement what limits it; null for nothing.
     * @param asked       of the client, in canonical form; empty for everything.
     * @return to be given back; for topics, if there is an entitlement.
     */
    Compiled take(final @Nullable Entitlement entitlement, final String asked) {
        final Compiled known = compiled.computeIfAbsent(new Wish(entitlement, asked), this::compile);
        known.cursorCount++;
        return known;
    }

    private Compiled compile(final Wish wish) {
        compiledCount++;
        final Filter own = wish.asked.isEmpty() ? null : FilterCompiler.compile(wish.asked, FilterLimits.COMBINED);
        return new Compiled(wish, wish.entitlement == null ? own : wish.entitlement.filter(own));
    }

    /** A cursor has no more need of it. */
    void giveBack(final Compiled of) {
        of.cursorCount--;
        if (of.cursorCount == 0) {
            compiled.remove(of.wish);
        }
    }

    /** How often texts were compiled. */
    long compiledCount() {
        return compiledCount;
    }

    /** Gives a cursor a place with a filter on the messages of a topic. */
    Place take(final Topic topic, final Filter filter) {
        OfTopic ofTopic = byTopic.get(topic.id());
        if (ofTopic == null) {
            ofTopic = new OfTopic(topic);
            byTopic.put(topic.id(), ofTopic);
        }
        return ofTopic.take(filter);
    }

    /** A cursor has no more need of its place. */
    void giveBack(final Place place) {
        final OfTopic ofTopic = place.ofTopic;
        ofTopic.matcher.remove(place.group, place);
        if (ofTopic.matcher.isEmpty()) {
            byTopic.remove(ofTopic.topicId);
        }
    }

    /** What decides what a cursor wants of a topic. */
    private record Wish(@Nullable Entitlement entitlement, String asked) {}

    /** Texts that were compiled for all cursors that have the same. */
    static final class Compiled {
        private final Wish wish;
        private final @Nullable Filter filter;
        private int cursorCount;

        private Compiled(final Wish wish, final @Nullable Filter filter) {
            this.wish = wish;
            this.filter = filter;
        }

        /**
         * The filter of a topic's messages.
         *
         * @return one with an empty text when all of them match; null when none does.
         */
        @Nullable
        Filter of(final Topic topic) {
            return filter == null ? ALL : filter.forTopic(topic.name());
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

        Place take(final Filter filter) {
            final FilterGroup<Place> group = matcher.groupOf(filter.text(), filter);
            final Place place = new Place(this, group);
            matcher.add(group, place);
            return place;
        }
    }
}
