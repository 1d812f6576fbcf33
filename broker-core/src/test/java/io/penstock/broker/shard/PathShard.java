package io.penstock.broker.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.shard.command.Delete;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.log.LogAppender;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.log.PublisherTable;
import io.penstock.broker.shard.log.Reclaim;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.recovery.ImageFile;
import io.penstock.broker.shard.recovery.LogReplay;
import io.penstock.broker.shard.recovery.ShardImage;
import io.penstock.broker.shard.state.StateRefusal;
import io.penstock.broker.shard.state.StateTopic;
import io.penstock.broker.shard.store.FoundVersions;
import io.penstock.broker.shard.store.StateSettings;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.JoinRule;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicTable;
import io.penstock.broker.topic.ViewRule;
import io.penstock.broker.topic.WindowRule;
import io.penstock.format.KeyReader;
import io.penstock.format.header.Headers;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/** A shard, and what a test wants to see of it. */
final class PathShard implements AutoCloseable {
    static final int SEGMENT_LENGTH = 1 << 20;
    static final long LATE_NS = 1_000_000_000_000L;
    static final StateSettings SETTINGS = new StateSettings(1 << 26, 1 << 20, 1 << 20, 1024, 0, 1 << 20, 0);

    private final CachedNanoClock clock = new CachedNanoClock();
    private final LogWindow window = new LogWindow(SEGMENT_LENGTH, 4);
    private final BrokerCounters counters = new BrokerCounters(64);
    private final TopicTable topics = new TopicTable(100);
    private final PublisherTable publishers = new PublisherTable(10);
    private final Publication publication = new Publication();
    private final Shard shard;
    private final Sequencer sequencer;
    private long timeNs = 1;
    private int publisherSequence;

    private FoundVersions found = new FoundVersions();
    private long deletedCount;

    /** What its views are about. */
    private String wanted = "n > 10";

    PathShard() {
        this(SETTINGS);
    }

    PathShard(final StateSettings settings) {
        clock.update(timeNs);
        final ShardCounters own = new ShardCounters(counters, 0, 1);
        shard = new Shard(
                0,
                clock::nanoTime,
                new LogAppender(window, new Reclaim(() -> {}, own.demanded(), own.released()), own.published()),
                own,
                topics,
                publishers,
                settings,
                (topic, refused, reason, used, limit) -> true);
        sequencer = new Sequencer(shard, clock::nanoTime, new NoReplies());
    }

    void begin() {
        shard.commands().createTopic("plain", "json", null);
        shard.commands().createTopic("keyed", "json", StateRule.of("id", 0));
        shard.commands().createTopic("given", "json", StateRule.of(StateRule.PUBLISHER_KEY, LATE_NS));
        shard.commands().createTopic("other", "json", StateRule.of("id", 0));
        shard.commands().openPublisher("one");
        shard.commands().openPublisher("two");
        addViews();
        cycle();
    }

    private void addViews() {
        assertThat(shard.createView(new ViewRule("sums", "keyed", wanted, "region, SUM(n) AS n", "region")))
                .isNull();
        assertThat(shard.createView(new ViewRule("twice", "keyed", wanted, "id, n * 2 AS n", "")))
                .isNull();
        addJoin("keyed", "sums", "/keyed/region = /sums/region", "/keyed/id, /sums/n");
        addJoin("keyed", "twice", "/keyed/id = /twice/id AND /twice/n = /keyed/n", "/keyed/id, /twice/n");
        addJoin("keyed", "keyed", "/keyed/region = /o/region", "/keyed/id, /o/id AS other, /keyed/n - /o/n AS n");
    }

    private void addJoin(final String left, final String right, final String on, final String select) {
        final boolean isOuter = !right.equals("twice");
        final JoinRule join = new JoinRule(right, left, left.equals(right) ? "o" : right, isOuter, on);
        assertThat(shard.createView(new ViewRule(left + right, left, "", select, "", WindowRule.NONE, join)))
                .isNull();
    }

    /** Has views of something else from its start on. */
    void wanted(final String filter) {
        wanted = filter;
    }

    /** Has the views of the log, with the rows that they had. */
    void keepRows() {
        shard.state().views().keepRows();
    }

    /** Applies the log of another, and goes on after it. */
    void replay(final PathShard of) {
        final LogReplay replay = shard.replay();
        of.forEachRecord(replay::onRecord);
        goOnAfter(of);
    }

    /** Writes the state to a file, as it is now. */
    ImageFile image(final Path directory) throws IOException {
        final ShardImage image = shard.image();
        final ImageFile file = ImageFile.write(directory, image);
        shard.close(image);
        return file;
    }

    /** Reads a state that another had, applies the rest of its log, and goes on after that. */
    void restore(final ImageFile image, final PathShard of) throws IOException {
        final LogReplay replay = shard.replay();
        image.read(replay);
        of.forEachRecord((buffer, offset, length) -> {
            if (RecordDescriptor.sequence(buffer, offset) > image.sequence()) {
                replay.onRecord(buffer, offset, length);
            }
        });
        goOnAfter(of);
    }

    private void goOnAfter(final PathShard of) {
        shard.resume(of.shard.commands().newestSequence(), 1, () -> {});
        addViews();
        timeNs = of.timeNs;
        clock.update(timeNs);
        publisherSequence = of.publisherSequence;
        found = of.found;
        do {
            cycle();
        } while (!shard.mayChange());
    }

    /** Time passes, in which nothing is done. */
    void pass(final long durationNs) {
        timeNs += durationNs;
    }

    /** Messages and rows of views that had no room. */
    long refusedCount() {
        return shard.counters().stateRefused().get();
    }

    Shard shard() {
        return shard;
    }

    void run(final Consumer<PathShard> step) {
        pass(7);
        clock.update(timeNs);
        step.accept(this);
        cycle();
    }

    void cycle() {
        sequencer.doWork();
    }

    void publish(
            final String topicName,
            final String text,
            final Headers headers,
            final int publisher,
            final boolean isDelta,
            final long expirationNs) {
        final Topic topic = Objects.requireNonNull(shard.commands().findTopic(topicName));
        final byte[] payload = text.getBytes(UTF_8);
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[payload.length + headers.length()]);
        bytes.putBytes(0, payload);
        headers.write(bytes, payload.length);
        publication
                .of(topic.id(), publisher, publisher == 0 ? 0 : ++publisherSequence)
                .payload(bytes, 0, payload.length)
                .headers(headers.length())
                .from(0, 0);
        final StateRule rule = topic.state();
        if (rule != null) {
            final KeyReader reader = topic.newKeyReader();
            if (reader == null) {
                final UnsafeBuffer given =
                        new UnsafeBuffer(text.substring(0, 10).getBytes(UTF_8));
                publication.record(given, 0, given.capacity(), isDelta, expirationNs);
            } else {
                assertThat(reader.read(bytes, 0, payload.length)).isNull();
                publication.record(reader.buffer(), 0, reader.length(), isDelta, expirationNs);
            }
        }
        assertThat(shard.apply(publication)).isTrue();
    }

    void delete(final String topicName, final int id) {
        final Topic topic = Objects.requireNonNull(shard.commands().findTopic(topicName));
        final KeyReader reader = Objects.requireNonNull(topic.newKeyReader());
        final UnsafeBuffer text = new UnsafeBuffer(("{\"id\":" + id + "}").getBytes(UTF_8));
        assertThat(reader.read(text, 0, text.capacity())).isNull();
        shard.commands().delete(topic.id(), reader.buffer(), reader.length());
    }

    /** A query finds the records of a topic, as they are now. */
    void find(final String topicName) {
        final StateStore store = state(topicName).store();
        final TreeMap<Long, Integer> rows = new TreeMap<>();
        for (int row = 0; row < store.rowCount(); row++) {
            if (store.newest(row) != 0) {
                rows.put(Version.sequence(store.newest(row)), row);
            }
        }
        found = new FoundVersions();
        final UnsafeBuffer key = new UnsafeBuffer(0, 0);
        rows.forEach((sequence, row) -> {
            Version.wrapKey(key, store.newest(row));
            found.add(sequence, key, 0, key.capacity());
        });
    }

    /** Deletes what was found last, unless it has changed and is of no interest any more. */
    void deleteFound(final String topicName, final String filter) {
        final Delete delete = new Delete(
                0, 1, state(topicName).topic(), found, filter, FilterCompiler.compile(filter, FilterLimits.DEFAULTS));
        assertThat(delete.execute(shard.commands())).isTrue();
        deletedCount += delete.deleted();
    }

    private StateTopic state(final String topicName) {
        return Objects.requireNonNull(shard.state().find(topicName));
    }

    /** Records that queries have found and that were deleted. */
    long deletedCount() {
        return deletedCount;
    }

    void replaceTopic() {
        assertThat(shard.commands()
                        .deleteTopic(Objects.requireNonNull(shard.commands().findTopic("other"))))
                .isTrue();
        shard.commands().createTopic("other", "json", StateRule.of("id", 0));
        publish("other", "{\"id\":1}", Headers.NONE, 0, false, 0);
    }

    /** Its window so far, as it lies in memory. */
    byte[] window() {
        final byte[] bytes = new byte[(int) shard.published().get()];
        for (int at = 0; at < bytes.length; at += SEGMENT_LENGTH) {
            window.buffer(at).getBytes(0, bytes, at, Math.min(SEGMENT_LENGTH, bytes.length - at));
        }
        return bytes;
    }

    /** The bytes of its records. */
    List<String> records() {
        final List<String> records = new ArrayList<>();
        forEachRecord((buffer, offset, length) -> {
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            records.add(HexFormat.of().formatHex(bytes));
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

    /** All topics, their records with everything that is kept of them, and all publishers. */
    Map<String, String> state() {
        final Map<String, String> state = new TreeMap<>();
        for (final StateTopic each : shard.state().topics()) {
            final StateStore store = each.store();
            for (int row = 0; row < store.rowCount(); row++) {
                final long version = store.newest(row);
                if (version != 0) {
                    state.put(each.topic().name() + " " + each.topic().id() + " " + key(version), text(version));
                }
            }
        }
        state.put("publishers", Arrays.toString(publishers.names()) + Arrays.toString(publishers.lastSequences()));
        return state;
    }

    private static String key(final long version) {
        final UnsafeBuffer view = new UnsafeBuffer(0, 0);
        Version.wrapKey(view, version);
        return hex(view);
    }

    private static String text(final long version) {
        final UnsafeBuffer view = new UnsafeBuffer(0, 0);
        Version.wrapContent(view, version);
        return hex(view) + " " + Version.messageLength(version) + " " + Version.sequence(version) + " "
                + Version.timestampNs(version) + " " + Version.expiresNs(version);
    }

    private static String hex(final UnsafeBuffer view) {
        final byte[] bytes = new byte[view.capacity()];
        view.getBytes(0, bytes);
        return HexFormat.of().formatHex(bytes);
    }

    @Override
    public void close() {
        shard.free();
    }

    /** There are no clients. */
    private static final class NoReplies implements ReplyListener {
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

    private interface RecordHandler {
        void onRecord(UnsafeBuffer buffer, int offset, int length);
    }
}
