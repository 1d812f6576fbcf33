package io.penstock.broker.agent;

import static io.penstock.protocol.RecordDescriptor.TYPE_DELETE;
import static io.penstock.protocol.RecordDescriptor.TYPE_MESSAGE;
import static io.penstock.protocol.RecordDescriptor.TYPE_TOPIC;

import io.penstock.broker.format.MessageFormats;
import io.penstock.broker.journal.TopicRecord;
import io.penstock.broker.state.Snapshots;
import io.penstock.broker.state.StateMemory;
import io.penstock.broker.state.StateStore;
import io.penstock.broker.state.Version;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.protocol.RecordDescriptor;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The state that a shard's log makes, outside of a broker: what a broker would have that started with it, before anything
 * expires. Confined to one thread.
 */
public final class StateImage implements AutoCloseable {
    private static final int RECLAIM_LIMIT = 64;

    private final StateMemory memory;
    private final Snapshots snapshots = new Snapshots();
    private final List<@Nullable TopicState> topics = new ArrayList<>();
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
     * Applies a record of the log, in their order.
     *
     * @param buffer that holds it.
     * @param offset of its first byte.
     */
    public void onRecord(final DirectBuffer buffer, final int offset) {
        final int type = RecordDescriptor.type(buffer, offset);
        String wrong = null;
        if (type == TYPE_TOPIC) {
            topics.add(open(TopicRecord.read(buffer, offset)));
        } else if (type == TYPE_MESSAGE || type == TYPE_DELETE) {
            final int topicId = RecordDescriptor.topicId(buffer, offset);
            if (topicId < 0 || topicId >= topics.size()) {
                wrong = "unknown topic " + topicId;
            } else {
                final TopicState topic = topics.get(topicId);
                if (topic != null) {
                    wrong = topic.replay.apply(buffer, offset);
                    topic.store.reclaim(RECLAIM_LIMIT);
                }
            }
        }
        if (wrong != null) {
            refusedCount++;
            if (firstRefusal == null) {
                firstRefusal = "record " + RecordDescriptor.sequence(buffer, offset) + ": " + wrong;
            }
        }
    }

    private @Nullable TopicState open(final TopicRecord said) {
        final StateRule rule = said.state();
        if (rule == null) {
            return null;
        }
        final Topic topic = new Topic(0, topics.size(), said.name(), MessageFormats.formatFor(said.format()), rule);
        final StateStore store = new StateStore(memory, snapshots, Long.MAX_VALUE);
        return new TopicState(said, store, new StateReplay(topic, rule, store));
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
        for (final TopicState each : topics) {
            if (each != null) {
                final StateStore store = each.store;
                summaries.add(new TopicSummary(each.said, store.liveCount(), store.keyLength(), store.messageLength()));
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
        for (final TopicState each : topics) {
            if (each == null || !each.said.name().equals(topic)) {
                continue;
            }
            for (int row = 0; row < each.store.rowCount(); row++) {
                final long version = each.store.newest(row);
                if (version != 0) {
                    Version.wrapKey(key, version);
                    Version.wrapMessage(message, version);
                    handler.onRow(
                            key,
                            message,
                            Version.sequence(version),
                            Version.timestampNs(version),
                            Version.expiresNs(version));
                }
            }
        }
    }

    @Override
    public void close() {
        for (final TopicState each : topics) {
            if (each != null) {
                each.store.close();
            }
        }
        memory.close();
    }

    private record TopicState(TopicRecord said, StateStore store, StateReplay replay) {}

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
         * @param sequence    of the change that made it.
         * @param timestampNs of that, since 1970.
         * @param expiresNs   when it is to expire; {@code Long.MAX_VALUE} for never.
         */
        void onRow(DirectBuffer key, DirectBuffer message, long sequence, long timestampNs, long expiresNs);
    }
}
