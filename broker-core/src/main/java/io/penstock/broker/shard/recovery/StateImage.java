package io.penstock.broker.shard.recovery;

import static io.penstock.protocol.RecordDescriptor.TYPE_DELETE;
import static io.penstock.protocol.RecordDescriptor.TYPE_MESSAGE;
import static io.penstock.protocol.RecordDescriptor.TYPE_PUBLISHER;
import static io.penstock.protocol.RecordDescriptor.TYPE_PUBLISHER_RESET;
import static io.penstock.protocol.RecordDescriptor.TYPE_TOPIC;
import static io.penstock.protocol.RecordDescriptor.TYPE_TOPIC_DELETED;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.broker.journal.snapshot.SnapshotCorruptException;
import io.penstock.broker.journal.snapshot.SnapshotEntry;
import io.penstock.broker.journal.snapshot.SnapshotReader;
import io.penstock.broker.shard.log.TopicRecord;
import io.penstock.broker.shard.state.RecordChange;
import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateMemory;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.format.MessageFormats;
import io.penstock.format.header.Headers;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The state that follows from a shard's log, from its beginning or from a snapshot on, outside of a broker: the state
 * that a starting broker would have before anything expires. Confined to one thread.
 */
public final class StateImage implements AutoCloseable {
    private static final int RECLAIM_LIMIT = 64;

    private final StateMemory memory;
    private final Snapshots snapshots = new Snapshots();
    /** Topics by their ids; null for deleted ones. */
    private final List<@Nullable ImageTopic> topics = new ArrayList<>();

    private final ImagePublishers publishers = new ImagePublishers();
    private long refusedCount;
    private @Nullable String firstRefusal;

    /**
     * Starts empty.
     *
     * @param memoryLengthMax of all records and indexes, in bytes, at least 1 MiB.
     */
    public StateImage(final long memoryLengthMax) {
        memory = new StateMemory(memoryLengthMax, StateMemory.CHUNK_LENGTH_MIN);
    }

    /**
     * Takes the state of a snapshot. Before the first record.
     *
     * @param snapshot before its first entry.
     * @throws SnapshotCorruptException when it is not what was written; the image is to be closed then.
     * @throws IOException              when it cannot be read, or is too long for the memory.
     */
    public void load(final SnapshotReader snapshot) throws IOException {
        while (snapshot.next()) {
            final DirectBuffer buffer = snapshot.buffer();
            final int offset = snapshot.offset();
            final String wrong = switch (snapshot.type()) {
                case SnapshotEntry.TYPE_TOPIC -> addTopic(topics.size(), TopicRecord.readContent(buffer, offset));
                case SnapshotEntry.TYPE_TOPICS_DELETED -> skipTopics(buffer.getInt(offset, LITTLE_ENDIAN));
                case SnapshotEntry.TYPE_PUBLISHER -> {
                    publishers.add(buffer, offset, snapshot.length());
                    yield null;
                }
                case SnapshotEntry.TYPE_RECORD -> putRecord(buffer, offset, snapshot.length());
                default -> "unknown type " + snapshot.type();
            };
            if (wrong != null) {
                throw new IOException("snapshot: entry before byte " + snapshot.position() + ": " + wrong);
            }
        }
    }

    /**
     * Applies a record of the log, in their order.
     *
     * @param buffer that holds it.
     * @param offset of its first byte.
     */
    public void onRecord(final DirectBuffer buffer, final int offset) {
        final int type = RecordDescriptor.type(buffer, offset);
        final int topicId = RecordDescriptor.topicId(buffer, offset);
        String wrong = null;
        if (type == TYPE_TOPIC) {
            wrong = addTopic(topicId, TopicRecord.read(buffer, offset));
        } else if (type == TYPE_TOPIC_DELETED) {
            wrong = deleteTopic(topicId);
        } else if (type == TYPE_PUBLISHER) {
            wrong = publishers.onName(buffer, offset);
        } else if (type == TYPE_PUBLISHER_RESET) {
            wrong = publishers.onReset(buffer, offset);
        } else if (type == TYPE_MESSAGE || type == TYPE_DELETE) {
            wrong = publishers.onMessage(buffer, offset);
            wrong = wrong == null ? apply(topicId, buffer, offset) : wrong;
        }
        if (wrong != null) {
            refusedCount++;
            if (firstRefusal == null) {
                firstRefusal = "record " + RecordDescriptor.sequence(buffer, offset) + ": " + wrong;
            }
        }
    }

    /**
     * Compares the state with a snapshot of the same sequence.
     *
     * @param snapshot         before its first entry.
     * @param handler          is notified of each difference in topics and their records.
     * @param publisherHandler is notified of each difference in publishers and their sequences.
     * @throws SnapshotCorruptException when it is not what was written.
     * @throws IOException              when it cannot be read.
     */
    public void compare(
            final SnapshotReader snapshot, final DifferenceHandler handler, final PublisherHandler publisherHandler)
            throws IOException {
        new ImageComparison(topics, publishers, handler, publisherHandler).run(snapshot);
    }

    private @Nullable String addTopic(final int topicId, final TopicRecord said) {
        if (topicId != topics.size()) {
            return "topic " + topicId + " after " + topics.size() + " topics";
        }
        final StateRule rule = said.state();
        if (rule == null) {
            topics.add(new ImageTopic(said, null, null));
            return null;
        }
        final Topic topic = new Topic(0, topicId, said.name(), MessageFormats.formatFor(said.format()), rule);
        final StateStore store = new StateStore(memory, snapshots, Long.MAX_VALUE);
        topics.add(new ImageTopic(said, store, new StateReplay(topic, new RecordChange(rule, store))));
        return null;
    }

    private @Nullable String deleteTopic(final int topicId) {
        final ImageTopic topic = topic(topicId);
        if (topic == null) {
            return "unknown topic " + topicId;
        }
        if (topic.store() != null) {
            topic.store().close();
        }
        topics.set(topicId, null);
        return null;
    }

    private @Nullable String skipTopics(final int count) {
        if (count <= 0 || topics.size() + count < 0) {
            return "deleted topics: " + count;
        }
        topics.addAll(Collections.nCopies(count, null));
        return null;
    }

    private @Nullable ImageTopic topic(final int topicId) {
        return topicId < 0 || topicId >= topics.size() ? null : topics.get(topicId);
    }

    private @Nullable String putRecord(final DirectBuffer buffer, final int offset, final int length) {
        final int topicId = ImageReplay.topicId(buffer, offset);
        final ImageTopic topic = topic(topicId);
        final StateStore store = topic == null ? null : topic.store();
        if (store == null) {
            return "a record of no topic with state";
        }
        return ImageReplay.put(store, buffer, offset, length) ? null : StateReplay.NO_ROOM;
    }

    private @Nullable String apply(final int topicId, final DirectBuffer buffer, final int offset) {
        final ImageTopic topic = topic(topicId);
        if (topic == null) {
            return "unknown topic " + topicId;
        }
        final StateReplay replay = topic.replay();
        final StateStore store = topic.store();
        if (replay == null || store == null) {
            return null;
        }
        final String wrong = replay.apply(buffer, offset);
        store.reclaim(RECLAIM_LIMIT);
        return wrong;
    }

    /** How many records could not be applied. */
    public long refusedCount() {
        return refusedCount;
    }

    /**
     * The first record that could not be applied.
     *
     * @return its sequence and why, or null.
     */
    public @Nullable String firstRefusal() {
        return firstRefusal;
    }

    /**
     * The topics with state.
     *
     * @return in the order of their creation.
     */
    public List<TopicSummary> topics() {
        final List<TopicSummary> summaries = new ArrayList<>();
        for (final @Nullable ImageTopic each : topics) {
            final StateStore store = each == null ? null : each.store();
            if (each != null && store != null) {
                summaries.add(
                        new TopicSummary(each.said(), store.liveCount(), store.keyLength(), store.messageLength()));
            }
        }
        return summaries;
    }

    /**
     * Hands over a topic's records.
     *
     * @param topic   by its name; nothing happens when it has no state.
     * @param handler gets each record, in no order.
     */
    public void forEach(final String topic, final RowHandler handler) {
        final UnsafeBuffer key = new UnsafeBuffer(0, 0);
        final UnsafeBuffer message = new UnsafeBuffer(0, 0);
        final UnsafeBuffer headersBlock = new UnsafeBuffer(0, 0);
        final Headers headers = new Headers();
        for (final @Nullable ImageTopic each : topics) {
            final StateStore store = each == null ? null : each.store();
            if (each == null || store == null || !each.said().name().equals(topic)) {
                continue;
            }
            for (int row = 0; row < store.rowCount(); row++) {
                final long version = store.newest(row);
                if (version != 0) {
                    Version.wrapKey(key, version);
                    Version.wrapMessage(message, version);
                    Version.wrapHeaders(headersBlock, version);
                    handler.onRow(
                            key,
                            message,
                            headers.wrap(headersBlock, 0, headersBlock.capacity()),
                            Version.sequence(version),
                            Version.timestampNs(version),
                            Version.expiresNs(version));
                }
            }
        }
    }

    @Override
    public void close() {
        for (final @Nullable ImageTopic each : topics) {
            final StateStore store = each == null ? null : each.store();
            if (store != null) {
                store.close();
            }
        }
        memory.close();
    }

    /**
     * A topic with state.
     *
     * @param topic         what the log says of it.
     * @param recordCount   count of its keys.
     * @param keyLength     of all keys, in bytes.
     * @param messageLength of all last messages, in bytes.
     */
    public record TopicSummary(TopicRecord topic, long recordCount, long keyLength, long messageLength) {}

    /** Gets records of the state. */
    @FunctionalInterface
    public interface RowHandler {
        /**
         * A record. Buffers are valid until the call returns.
         *
         * @param key         of the record, as the broker has it.
         * @param message     the last one.
         * @param headers     of that.
         * @param sequence    of the change that made it.
         * @param timestampNs of that, since 1970.
         * @param expiresNs   when it is to expire; {@code Long.MAX_VALUE} for never.
         */
        void onRow(
                DirectBuffer key,
                DirectBuffer message,
                Headers headers,
                long sequence,
                long timestampNs,
                long expiresNs);
    }

    /** Notified of publishers in which a snapshot differs. */
    @FunctionalInterface
    public interface PublisherHandler {
        /**
         * A difference.
         *
         * @param publisher by its name.
         * @param what      differs, for people.
         */
        void onDifference(String publisher, String what);
    }

    /** Notified of differences of a snapshot. */
    @FunctionalInterface
    public interface DifferenceHandler {
        /**
         * A difference. The buffer is valid until the call returns.
         *
         * @param topic in which it is.
         * @param key   of the record, as the broker has it; empty when the topic itself differs.
         * @param what  differs, for people.
         */
        void onDifference(TopicRecord topic, DirectBuffer key, String what);
    }
}
