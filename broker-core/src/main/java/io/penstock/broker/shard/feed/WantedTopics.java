package io.penstock.broker.shard.feed;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.topic.ByTopic;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicTable;
import io.penstock.protocol.RecordDescriptor;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Which messages a cursor wants, by their topics and its filter. Confined to the cursor's agent. */
final class WantedTopics {
    private static final int READER_LIMIT_MIN = 64;

    private final Interest interest;
    private final TopicTable topics;
    private final CursorFilters filters;
    private ByTopic<TopicReader> readers = new ByTopic<>();
    private int readerCount;

    /** At so many those of topics that were deleted are forgotten. */
    private int readerLimit = READER_LIMIT_MIN;

    /** At which the last reader's topic was there. */
    private int deletionCount;

    /** What it wants of all topics; null before the first. */
    private CursorFilters.@Nullable Compiled compiled;

    private @Nullable TopicReader lastReader;
    private int lastTopicId = -1;

    WantedTopics(final Interest interest, final TopicTable topics, final CursorFilters filters) {
        this.interest = interest;
        this.topics = topics;
        this.filters = filters;
    }

    /** Whether a message, which lies in its record, is wanted. */
    boolean has(final DirectBuffer buffer, final int offset, final long sequence) {
        final int topicId = RecordDescriptor.topicId(buffer, offset);
        TopicReader reader = lastReader;
        final int deletions = topics.deletionCount();
        if (topicId != lastTopicId || reader == null || deletions != deletionCount) {
            reader = topicReader(topicId);
            lastReader = reader;
            lastTopicId = topicId;
            deletionCount = deletions;
        }
        return reader != null
                && reader.wanted
                && (reader.filter == null
                        || reader.filter.matches(
                                buffer, offset, RecordDescriptor.messageLength(buffer, offset), sequence));
    }

    /** Whether all messages of the topic that the last message was of are wanted, without a look at each. */
    boolean isAllOfLast() {
        final TopicReader reader = lastReader;
        return reader != null && reader.wanted && reader.filter == null;
    }

    /** Gives back the filters that it shares. Nothing is looked at any more. */
    void close() {
        readers.forEach(this::giveBack);
        if (compiled != null) {
            filters.giveBack(compiled);
            compiled = null;
        }
        readers = new ByTopic<>();
        readerCount = 0;
        lastReader = null;
    }

    private void giveBack(final TopicReader reader) {
        if (reader.filter != null) {
            filters.giveBack(reader.filter);
        }
    }

    /** Null for a topic that was deleted: its messages are wanted no more. */
    private @Nullable TopicReader topicReader(final int topicId) {
        final Topic topic = topics.find(topicId);
        final TopicReader known = readers.get(topicId);
        if (topic == null) {
            if (known != null) {
                forget(known);
            }
            return null;
        }
        if (known != null) {
            return known;
        }
        if (readerCount >= readerLimit) {
            forgetDeleted();
        }
        final Filter filter =
                interest.topics().matches(topic.name()) ? compiled().of(topic) : null;
        final TopicReader made = new TopicReader(
                topic, filter != null, filter == null || filter.text().isEmpty() ? null : filters.take(topic, filter));
        readers.put(topicId, made);
        readerCount++;
        return made;
    }

    private CursorFilters.Compiled compiled() {
        CursorFilters.Compiled known = compiled;
        if (known == null) {
            known = filters.take(interest.entitlement(), interest.filter());
            compiled = known;
        }
        return known;
    }

    private void forgetDeleted() {
        final List<TopicReader> deleted = new ArrayList<>();
        readers.forEach(reader -> {
            if (topics.find(reader.topic.id()) == null) {
                deleted.add(reader);
            }
        });
        deleted.forEach(this::forget);
        readerLimit = Math.max(READER_LIMIT_MIN, 2 * readerCount);
    }

    private void forget(final TopicReader reader) {
        giveBack(reader);
        readers.put(reader.topic.id(), null);
        readerCount--;
    }

    /**
     * How the messages of one topic are matched.
     *
     * @param filter null when all of them match.
     */
    private record TopicReader(Topic topic, boolean wanted, CursorFilters.@Nullable Place filter) {}
}
