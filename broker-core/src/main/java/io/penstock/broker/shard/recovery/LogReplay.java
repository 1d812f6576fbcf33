package io.penstock.broker.shard.recovery;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.TYPE_DELETE;
import static io.penstock.protocol.RecordDescriptor.TYPE_MESSAGE;
import static io.penstock.protocol.RecordDescriptor.TYPE_PUBLISHER;
import static io.penstock.protocol.RecordDescriptor.TYPE_PUBLISHER_RESET;
import static io.penstock.protocol.RecordDescriptor.TYPE_TOPIC;
import static io.penstock.protocol.RecordDescriptor.TYPE_TOPIC_DELETED;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.shard.log.NameRecords;
import io.penstock.broker.shard.log.PublisherTable;
import io.penstock.broker.shard.log.RecordRefusedException;
import io.penstock.broker.shard.log.TopicRecord;
import io.penstock.broker.shard.state.ShardState;
import io.penstock.broker.shard.state.StateTopic;
import io.penstock.broker.topic.ByTopic;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicTable;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageFormats;
import io.penstock.protocol.RecordDescriptor;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Restores a shard from its log: its topics, its publishers and its state. Used before the sequencer starts, by the
 * thread that starts it.
 */
public final class LogReplay {
    private final int shard;
    private final TopicTable topics;
    private final PublisherTable publishers;
    private final ShardState state;
    private final Consumer<Topic> onTopic;
    private final NameRecords.DeletionListener onTopicDeleted;
    private final ByTopic<StateReplay> replays = new ByTopic<>();
    private final UnsafeBuffer content = new UnsafeBuffer(0, 0);
    private long recordCount;
    private long recordLength;

    /** Whether the present record has begun to change things that are not put back. */
    private boolean isChanging;

    public LogReplay(
            final int shard,
            final TopicTable topics,
            final PublisherTable publishers,
            final ShardState state,
            final Consumer<Topic> onTopic,
            final NameRecords.DeletionListener onTopicDeleted) {
        this.shard = shard;
        this.topics = topics;
        this.publishers = publishers;
        this.state = state;
        this.onTopic = onTopic;
        this.onTopicDeleted = onTopicDeleted;
    }

    /**
     * Applies a record.
     *
     * @param buffer that holds it.
     * @param offset of its first byte.
     * @param length in bytes.
     * @throws RecordRefusedException when what it says is not possible.
     * @throws ReplayLimitException   when this broker's configuration has no room for it.
     */
    public void onRecord(final DirectBuffer buffer, final int offset, final int length) {
        String wrong;
        isChanging = false;
        try {
            wrong = switch (RecordDescriptor.type(buffer, offset)) {
                case TYPE_MESSAGE, TYPE_DELETE -> onMessage(buffer, offset);
                case TYPE_TOPIC -> addTopic(buffer, offset + HEADER_LENGTH, length - HEADER_LENGTH);
                case TYPE_TOPIC_DELETED -> onTopicDeleted(buffer, offset);
                case TYPE_PUBLISHER -> onPublisher(buffer, offset, length);
                case TYPE_PUBLISHER_RESET -> onPublisherReset(buffer, offset);
                default -> "unknown type " + RecordDescriptor.type(buffer, offset);
            };
        } catch (final ReplayLimitException e) {
            throw e.at(shard, "record " + RecordDescriptor.sequence(buffer, offset));
        } catch (final RuntimeException e) {
            if (isChanging) {
                throw new IllegalStateException(
                        "journal: shard " + shard + ": record " + RecordDescriptor.sequence(buffer, offset)
                                + " was applied in part: " + e,
                        e);
            }
            wrong = "it cannot be applied: " + e;
        }
        if (wrong != null) {
            throw new RecordRefusedException(wrong);
        }
        recordCount++;
        recordLength += length;
    }

    int shard() {
        return shard;
    }

    long recordCount() {
        return recordCount;
    }

    /** Bytes of the records applied. */
    long recordLength() {
        return recordLength;
    }

    private @Nullable String onMessage(final DirectBuffer buffer, final int offset) {
        final int topicId = RecordDescriptor.topicId(buffer, offset);
        if (topicId < 0 || topics.find(topicId) == null) {
            return "unknown topic " + topicId;
        }
        final int publisherId = RecordDescriptor.publisherId(buffer, offset);
        if (publisherId < 0 || publisherId >= publishers.nextId()) {
            return "unknown publisher " + publisherId;
        }
        final StateReplay replay = replays.get(topicId);
        if (replay != null) {
            final String wrong = replay.apply(buffer, offset);
            if (StateReplay.NO_ROOM.equals(wrong)) {
                throw ReplayLimitException.noRoom();
            }
            if (wrong != null) {
                return wrong;
            }
        }
        if (publisherId > 0) {
            publishers.onApplied(publisherId, RecordDescriptor.publisherSequence(buffer, offset));
        }
        return null;
    }

    /** Adds the next topic. Returns what is wrong with it, or null. */
    @Nullable
    String addTopic(final DirectBuffer buffer, final int offset, final int length) {
        content.wrap(buffer, offset, length);
        final TopicRecord said = TopicRecord.readContent(content, 0);
        if (said.name().isEmpty()) {
            return "a topic without a name";
        }
        if (topics.isFull()) {
            throw new ReplayLimitException("sessions.topicCountMax is too little for it", "raise it");
        }
        final MessageFormat format = MessageFormats.find(said.format());
        if (format == null) {
            throw new ReplayLimitException(
                    "format " + said.format() + " of topic " + said.name() + " is not known",
                    "put it on the class path");
        }
        final Topic topic = new Topic(shard, topics.nextId(), said.name(), format, said.state());
        isChanging = true;
        topics.add(topic);
        onTopic.accept(topic);
        final StateTopic stateTopic = state.topic(topic.id());
        if (stateTopic != null) {
            replays.put(topic.id(), new StateReplay(topic, stateTopic.change()));
        }
        return null;
    }

    private @Nullable String onTopicDeleted(final DirectBuffer buffer, final int offset) {
        final int topicId = RecordDescriptor.topicId(buffer, offset);
        final Topic topic = topicId < 0 ? null : topics.find(topicId);
        if (topic == null) {
            return "unknown topic " + topicId;
        }
        isChanging = true;
        replays.put(topicId, null);
        topics.remove(topic);
        onTopicDeleted.onTopicDeleted(topic, RecordDescriptor.sequence(buffer, offset));
        // Nobody reads yet, and what comes next may need the memory.
        state.deletedStores().close();
        return null;
    }

    /** Passes over ids of topics that were deleted. Returns what is wrong with their number, or null. */
    @Nullable
    String skipTopics(final int count) {
        if (count <= 0 || topics.nextId() + count < 0) {
            return "deleted topics: " + count;
        }
        topics.skip(count);
        return null;
    }

    /** Adds a publisher with what was applied of it. Returns what is wrong with it, or null. */
    @Nullable
    String addPublisher(final String name, final long lastSequence) {
        if (publishers.isFull()) {
            throw new ReplayLimitException("sessions.publisherCountMax is too little for it", "raise it");
        }
        publishers.onApplied(publishers.add(name), lastSequence);
        return null;
    }

    /** A topic with state, or null. */
    @Nullable
    StateTopic stateTopic(final int topicId) {
        return topicId < 0 ? null : state.topic(topicId);
    }

    private @Nullable String onPublisherReset(final DirectBuffer buffer, final int offset) {
        final int publisherId = RecordDescriptor.publisherId(buffer, offset);
        if (publisherId <= 0 || publisherId >= publishers.nextId()) {
            return "unknown publisher " + publisherId;
        }
        publishers.onReset(publisherId, RecordDescriptor.publisherSequence(buffer, offset));
        return null;
    }

    private @Nullable String onPublisher(final DirectBuffer buffer, final int offset, final int length) {
        final byte[] name = new byte[length - HEADER_LENGTH];
        buffer.getBytes(offset + HEADER_LENGTH, name);
        if (publishers.nextId() != RecordDescriptor.publisherId(buffer, offset)) {
            return "publisher out of turn";
        }
        return addPublisher(new String(name, UTF_8), 0);
    }
}
