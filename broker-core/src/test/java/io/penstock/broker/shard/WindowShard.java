package io.penstock.broker.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.log.LogAppender;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.log.PublisherTable;
import io.penstock.broker.shard.log.Reclaim;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.recovery.LogReplay;
import io.penstock.broker.shard.state.MessageHistory;
import io.penstock.broker.shard.state.ShardState;
import io.penstock.broker.shard.state.StateRefusal;
import io.penstock.broker.shard.store.StateSettings;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicTable;
import io.penstock.broker.topic.ViewRule;
import io.penstock.format.KeyReader;
import io.penstock.protocol.RecordDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/** A shard with views, as over the last messages of topics, that a test drives on a clock of its own. */
public final class WindowShard implements AutoCloseable {
    static final int SEGMENT_LENGTH = 1 << 20;

    public final Shard shard;
    final CachedNanoClock clock = new CachedNanoClock();
    private final List<ViewRule> views;
    private final LogWindow window;
    private final Sequencer sequencer;
    private final Publication publication = new Publication();

    /** @param segmentCount of the log window, of which nothing is let go. */
    public WindowShard(final int segmentCount, final List<ViewRule> views) {
        this.views = views;
        clock.update(1_000_000);
        window = new LogWindow(SEGMENT_LENGTH, segmentCount);
        final ShardCounters own = new ShardCounters(new BrokerCounters(64), 0, 1);
        final Nobody nobody = new Nobody();
        shard = new Shard(
                0,
                clock::nanoTime,
                new LogAppender(window, new Reclaim(() -> {}, own.demanded(), own.released()), own.published()),
                own,
                new TopicTable(100),
                new PublisherTable(10),
                new StateSettings(1 << 26, 1 << 20, 1 << 20, 4096, 0, 1 << 20, 0),
                (topic, refused, reason, used, limit) -> true);
        sequencer = new Sequencer(shard, clock::nanoTime, nobody);
    }

    /** Begins with a topic without state, one with, and the views. */
    void begin() {
        shard.commands().createTopic("plain", "json", null);
        shard.commands().createTopic("keyed", "json", StateRule.of("id", 0));
        addViews(MessageHistory.NONE);
        settle();
    }

    private void addViews(final MessageHistory history) {
        for (final ViewRule view : views) {
            assertThat(shard.createView(view, history)).isNull();
        }
    }

    /** Applies the log of another, and goes on after it at another time. */
    void replay(final WindowShard of, final long timeNs) {
        replay(of, timeNs, timeNs);
        settle();
    }

    /**
     * Applies the log of another, and goes on after it, up to the first duty cycle.
     *
     * @param timeNs     when views are added.
     * @param declaredNs when all are there.
     */
    void replay(final WindowShard of, final long timeNs, final long declaredNs) {
        final LogReplay replay = shard.replay();
        of.forEachRecord(replay::onRecord);
        shard.resume(of.shard.commands().newestSequence(), 1, () -> {});
        clock.update(timeNs);
        addViews((topicId, sinceNs, count, handler) -> of.forEachRecord((buffer, offset, length) -> {
            if (RecordDescriptor.type(buffer, offset) == RecordDescriptor.TYPE_MESSAGE
                    && RecordDescriptor.topicId(buffer, offset) == topicId) {
                handler.onMessage(buffer, offset);
            }
        }));
        clock.update(declaredNs);
        sequencer.onDeclared();
    }

    public ShardState state() {
        return shard.state();
    }

    public int cycle() {
        return sequencer.doWork();
    }

    public void settle() {
        while (cycle() > 0) {
            // More to do.
        }
    }

    public void publish(final String topicName, final String text) {
        final Topic topic = Objects.requireNonNull(shard.commands().findTopic(topicName));
        publish(topic, new UnsafeBuffer(text.getBytes(UTF_8)));
    }

    void publish(final Topic topic, final UnsafeBuffer message) {
        publication.of(topic.id(), 0, 0).payload(message, 0, message.capacity()).from(0, 0);
        final KeyReader reader = topic.state() == null ? null : topic.newKeyReader();
        if (reader != null) {
            assertThat(reader.read(message, 0, message.capacity())).isNull();
            publication.record(reader.buffer(), 0, reader.length(), false, 0);
        }
        assertThat(shard.apply(publication)).isTrue();
    }

    /** The records of a topic as it is now, by their bytes. */
    public Map<String, String> rows(final String topicName) {
        final StateStore store =
                Objects.requireNonNull(shard.state().find(topicName)).store();
        final Map<String, String> rows = new TreeMap<>();
        final UnsafeBuffer key = new UnsafeBuffer(0, 0);
        final UnsafeBuffer content = new UnsafeBuffer(0, 0);
        for (int row = 0; row < store.rowCount(); row++) {
            if (store.newest(row) != 0) {
                Version.wrapKey(key, store.newest(row));
                Version.wrapMessage(content, store.newest(row));
                rows.put(
                        key.getStringWithoutLengthUtf8(0, key.capacity()),
                        content.getStringWithoutLengthUtf8(0, content.capacity()));
            }
        }
        return rows;
    }

    /** What the log has of a topic, each with its type and time. */
    List<String> records(final String topicName) {
        final int id =
                Objects.requireNonNull(shard.commands().findTopic(topicName)).id();
        final List<String> records = new ArrayList<>();
        forEachRecord((buffer, offset, length) -> {
            if (RecordDescriptor.topicId(buffer, offset) == id
                    && RecordDescriptor.type(buffer, offset) != RecordDescriptor.TYPE_TOPIC) {
                records.add((RecordDescriptor.type(buffer, offset) == RecordDescriptor.TYPE_DELETE ? "-" : "+")
                        + RecordDescriptor.timestampNs(buffer, offset)
                        + " "
                        + buffer.getStringWithoutLengthUtf8(
                                offset + RecordDescriptor.HEADER_LENGTH,
                                RecordDescriptor.messageLength(buffer, offset)));
            }
        });
        return records;
    }

    private void forEachRecord(final RecordHandler handler) {
        final long end = shard.published().get();
        long at = 0;
        while (at < end) {
            final UnsafeBuffer buffer = window.buffer(at);
            final int offset = window.offset(at);
            final int length = RecordDescriptor.length(buffer, offset);
            if (RecordDescriptor.type(buffer, offset) != RecordDescriptor.TYPE_PADDING) {
                handler.onRecord(buffer, offset, length);
            }
            at += RecordDescriptor.alignedLength(length);
        }
    }

    @Override
    public void close() {
        shard.free();
    }

    private interface RecordHandler {
        void onRecord(UnsafeBuffer buffer, int offset, int length);
    }

    /** Gets no replies. */
    private static final class Nobody implements ReplyListener {
        @Override
        public boolean onReply(final ShardCommand command) {
            return true;
        }

        @Override
        public boolean onRefused(
                final Topic topic,
                final Publication refused,
                final StateRefusal reason,
                final long used,
                final long limit) {
            return true;
        }

        @Override
        public void onAttached(final long feed, final long position) {}
    }
}
