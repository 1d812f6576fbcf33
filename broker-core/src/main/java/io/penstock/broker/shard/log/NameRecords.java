package io.penstock.broker.shard.log;

import static io.penstock.protocol.RecordDescriptor.TYPE_PUBLISHER;
import static io.penstock.protocol.RecordDescriptor.TYPE_PUBLISHER_RESET;
import static io.penstock.protocol.RecordDescriptor.TYPE_TOPIC;
import static io.penstock.protocol.RecordDescriptor.TYPE_TOPIC_DELETED;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicTable;
import io.penstock.format.MessageFormats;
import java.util.function.Consumer;
import org.agrona.ExpandableArrayBuffer;
import org.jspecify.annotations.Nullable;

/** Changes of a shard's topics and publishers, each as a record of its log. Confined to the sequencer. */
public final class NameRecords {
    private final int shard;
    private final LogAppender log;
    private final TopicTable topics;
    private final PublisherTable publishers;
    private final Consumer<Topic> onTopic;
    private final DeletionListener onTopicDeleted;
    private final ExpandableArrayBuffer scratch = new ExpandableArrayBuffer(1024);
    private final Publication publication = new Publication();

    /** Is notified that a topic was deleted. */
    @FunctionalInterface
    public interface DeletionListener {
        /** The record of a sequence has deleted a topic. */
        void onTopicDeleted(Topic topic, long sequence);
    }

    /**
     * @param onTopic        is notified of a new topic.
     * @param onTopicDeleted is notified of a deleted one.
     */
    public NameRecords(
            final int shard,
            final LogAppender log,
            final TopicTable topics,
            final PublisherTable publishers,
            final Consumer<Topic> onTopic,
            final DeletionListener onTopicDeleted) {
        this.shard = shard;
        this.log = log;
        this.topics = topics;
        this.publishers = publishers;
        this.onTopic = onTopic;
        this.onTopicDeleted = onTopicDeleted;
    }

    /** Creates a topic with a name that is not in use; null when the log has no room now. */
    @Nullable
    public Topic createTopic(
            final long timestampNs, final String name, final String format, final @Nullable StateRule stateRule) {
        final Topic topic = new Topic(shard, topics.nextId(), name, MessageFormats.formatFor(format), stateRule);
        if (!append(TYPE_TOPIC, timestampNs, topic.id(), 0, 0, TopicRecord.write(scratch, 0, topic))) {
            return null;
        }
        topics.add(topic);
        onTopic.accept(topic);
        return topic;
    }

    /** Deletes a topic. Returns false when the log has no room now. */
    public boolean deleteTopic(final long timestampNs, final Topic topic) {
        if (!append(TYPE_TOPIC_DELETED, timestampNs, topic.id(), 0, 0, putName(topic.name()))) {
            return false;
        }
        topics.remove(topic);
        onTopicDeleted.onTopicDeleted(topic, log.lastSequence());
        return true;
    }

    /** Finds or creates a publisher. Returns its number, or 0 when the log has no room now. */
    public int openPublisher(final long timestampNs, final String name) {
        final int known = publishers.find(name);
        if (known != 0) {
            return known;
        }
        final int length = putName(name);
        return append(TYPE_PUBLISHER, timestampNs, 0, publishers.nextId(), 0, length) ? publishers.add(name) : 0;
    }

    /** Takes back that sequences above one were applied. Returns false when the log has no room now. */
    public boolean resetPublisher(final long timestampNs, final int publisherId, final long publisherSequence) {
        if (publishers.lastSequence(publisherId) <= publisherSequence) {
            return true;
        }
        final int length = putName(publishers.name(publisherId));
        if (!append(TYPE_PUBLISHER_RESET, timestampNs, 0, publisherId, publisherSequence, length)) {
            return false;
        }
        publishers.onReset(publisherId, publisherSequence);
        return true;
    }

    private int putName(final String name) {
        final byte[] bytes = name.getBytes(UTF_8);
        scratch.putBytes(0, bytes);
        return bytes.length;
    }

    private boolean append(
            final int type,
            final long timestampNs,
            final int topicId,
            final int publisherId,
            final long publisherSequence,
            final int length) {
        publication.of(topicId, publisherId, publisherSequence).payload(scratch, 0, length);
        return log.append(type, timestampNs, publication) != LogAppender.NO_ROOM;
    }
}
