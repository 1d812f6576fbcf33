package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.journal.JournalCatalog;
import io.penstock.broker.journal.LogScan;
import io.penstock.broker.journal.MergedLog;
import io.penstock.broker.journal.ShardLog;
import io.penstock.broker.journal.snapshot.SnapshotCorruptException;
import io.penstock.broker.journal.snapshot.SnapshotEntry;
import io.penstock.broker.journal.snapshot.SnapshotReader;
import io.penstock.broker.journal.snapshot.SnapshotWriter;
import io.penstock.broker.shard.log.TopicRecord;
import io.penstock.broker.shard.recovery.StateImage;
import io.penstock.broker.storage.DiskStorage;
import io.penstock.client.SowRequest;
import io.penstock.format.KeyText;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What tools make of a log whose beginning retention has removed, while a broker uses it. */
@Timeout(120)
class LogToolsTest {
    private static final long MEMORY_LENGTH = 64 << 20;

    @TempDir
    Path directory;

    @Test
    void shouldKnowTopicsAndPublishersOfRemovedRecordsFromTheNewestGoodSnapshot() throws IOException {
        try (TestBroker test = start()) {
            final StateClient client = new StateClient(test);
            final RawClient early = test.logOn("early");
            early.publish(1, 1, 0, "t", "{\"n\":1}".getBytes(UTF_8));
            publishAndForget(test, client);
            client.publish("late", "{\"n\":2}");
            early.publish(2, 2, 0, "t", "{\"n\":3}".getBytes(UTF_8));
            client.flush();
            test.flush(early);
            test.advance(100);
            final ShardLog log = log();
            assertThat(log.firstSequence()).isGreaterThan(10);

            assertThat(names(log)).containsExactly("desk", "early", "late", "s", "t", "v");
            damage(log, log.snapshots().get(0));
            assertThat(names(log)).containsExactly("desk", "early", "late", "s", "t", "v");
            try (LogScan scan = log.scan()) {
                assertThat(scan.problems())
                        .singleElement()
                        .asString()
                        .contains(log.snapshotPath(log.snapshots().get(0)), "checksum");
            }
            damage(log, log.snapshots().get(1));
            // What the log itself names has its right number nevertheless.
            assertThat(names(log)).containsExactly("?", "late");
        }
    }

    @Test
    void shouldReadOnAfterASnapshot() throws IOException {
        try (TestBroker test = start()) {
            publishAndForget(test, new StateClient(test));
            final ShardLog log = log();
            final long newest = log.snapshots().get(0);
            for (final long from : new long[] {newest + 1, newest, 1}) {
                try (LogScan scan = log.scan(from)) {
                    assertThat(scan.next()).isTrue();
                    assertThat(scan.sequence()).isEqualTo(Math.max(from, log.firstSequence()));
                }
            }
            final long last = test.broker.counter("lastSequence");
            try (LogScan scan = log.scan(last + 1)) {
                assertThat(scan.next()).isFalse();
            }
            assertThatThrownBy(() -> log.scan(last + 2).close()).hasMessageContaining("record " + (last + 1));
        }
    }

    @Test
    void shouldEndWhereTheLogEndedWhenItWasOpenedAndWhatIsReadIsPublishedAgain() throws IOException {
        try (TestBroker test = start()) {
            final RawClient client = test.logOn("");
            for (int i = 0; i < 20; i++) {
                publishAndWrite(test, client);
            }
            final List<ShardLog> logs = List.of(log().endingNow());
            final long last = test.broker.counter("lastSequence");
            publishAndWrite(test, client);

            assertThat(readAndPublishAgain(test, client, logs))
                    .as("up to where it was asked to end")
                    .isEqualTo(last);
            final long all = test.broker.counter("lastSequence");
            assertThat(readAndPublishAgain(test, client, List.of(log())))
                    .as("all that was there when it was opened")
                    .isEqualTo(all);
        }
    }

    private static long readAndPublishAgain(final TestBroker test, final RawClient client, final List<ShardLog> logs)
            throws IOException {
        long count = 0;
        try (MergedLog log = new MergedLog(logs)) {
            while (count < 100 && log.next() != null) {
                publishAndWrite(test, client);
                count++;
            }
        }
        return count;
    }

    private static void publishAndWrite(final TestBroker test, final RawClient client) {
        test.publish(client, "t", "{\"x\":\"" + "x".repeat(5_000) + "\"}");
        test.flush(client);
        test.await(() -> test.broker.counter("durableSequence") == test.broker.counter("lastSequence"));
    }

    @Test
    void shouldMakeTheStateThatTheBrokerHasFromASnapshotAndTheLog() throws IOException {
        try (TestBroker test = start()) {
            final StateClient client = new StateClient(test);
            publishAndForget(test, client);
            client.delete("s", "id = 3");
            client.flush();
            test.advance(100);
            final ShardLog log = log();
            for (final long sequence : log.snapshots()) {
                try (StateImage image = image(log, sequence, Long.MAX_VALUE)) {
                    assertThat(image.firstRefusal()).isNull();
                    assertThat(messages(image, "s"))
                            .hasSize(9)
                            .containsExactlyInAnyOrderElementsOf(client.sow(SowRequest.topic("s")));
                    assertThat(messages(image, "v"))
                            .hasSize(3)
                            .containsExactlyInAnyOrderElementsOf(client.sow(SowRequest.topic("v")));
                }
            }
        }
    }

    @Test
    void shouldFindTheRecordsInWhichASnapshotDiffersFromTheLog() throws IOException {
        try (TestBroker test = start()) {
            publishAndForget(test, new StateClient(test));
            final ShardLog log = log();
            final long newest = log.snapshots().get(0);
            final long older = log.snapshots().get(1);
            assertThat(differences(log, older, newest)).isEmpty();

            alter(log, newest);

            assertThat(differences(log, older, newest))
                    .satisfiesExactlyInAnyOrder(
                            what -> assertThat(what).matches("s, 0: its message is not that of record [0-9]+"),
                            what -> assertThat(what).matches("s, 1: its times are not those of record [0-9]+"),
                            what -> assertThat(what)
                                    .matches(
                                            "s, 2: the snapshot has it of record 7, the log makes it by record [0-9]+"),
                            what -> assertThat(what)
                                    .matches("s, 4: the snapshot does not have it, the log makes it by record [0-9]+"),
                            what -> assertThat(what)
                                    .matches("s, 3: the snapshot does not have it, the log makes it by record [0-9]+"),
                            what -> assertThat(what)
                                    .isEqualTo("desk: the snapshot has its publisher sequence 6, the log makes it 7"),
                            what -> assertThat(what).matches("s, 99: only the snapshot has it, of record [0-9]+"),
                            what -> assertThat(what)
                                    .isEqualTo("t, : the snapshot has it as t, binary, without state, the log makes it"
                                            + " t, json, without state"));
        }
    }

    @Test
    void shouldNotTakeADamagedSnapshotForAState() throws IOException {
        try (TestBroker test = start()) {
            publishAndForget(test, new StateClient(test));
            final ShardLog log = log();
            final long newest = log.snapshots().get(0);
            damage(log, newest);
            assertThatThrownBy(() -> image(log, newest, Long.MAX_VALUE).close())
                    .isInstanceOf(SnapshotCorruptException.class)
                    .hasMessageContaining(log.snapshotPath(newest));
        }
    }

    /** Publishes, and takes snapshots, until the beginning of the log is removed. */
    private static void publishAndForget(final TestBroker test, final StateClient client) {
        final RawClient desk = test.logOn("desk");
        for (int round = 0; round < 3; round++) {
            desk.publish(10 + round, 5 + round, RawClient.ACK_PROCESSED, "t", "{}".getBytes(UTF_8));
            test.awaitAck(desk, 10 + round);
            for (int i = 0; i < 30; i++) {
                client.publish("s", "{\"id\":" + i % 10 + ",\"g\":" + i % 3 + ",\"x\":\"" + "x".repeat(9_000) + "\"}");
                client.flush();
            }
            final long before = test.broker.counter("snapshots");
            test.broker.snapshot();
            test.await(() -> test.broker.counter("snapshots") > before);
        }
        client.publish("s", "{\"id\":0,\"g\":0}");
        client.flush();
        test.advance(1_200);
        assertThat(test.broker.counter("filesReleased")).isGreaterThan(1);
    }

    private static Set<String> names(final ShardLog log) throws IOException {
        final Set<String> names = new TreeSet<>();
        try (LogScan scan = log.scan()) {
            while (scan.next()) {
                final int type = RecordDescriptor.type(scan.buffer(), scan.offset());
                if (type == RecordDescriptor.TYPE_MESSAGE) {
                    final TopicRecord topic =
                            scan.names().topic(RecordDescriptor.topicId(scan.buffer(), scan.offset()));
                    names.add(topic == null ? "?" : topic.name());
                    final String publisher =
                            scan.names().publisher(RecordDescriptor.publisherId(scan.buffer(), scan.offset()));
                    if (publisher != null) {
                        names.add(publisher);
                    }
                }
            }
        }
        return names;
    }

    private static StateImage image(final ShardLog log, final long snapshot, final long limit) throws IOException {
        final StateImage image = new StateImage(MEMORY_LENGTH);
        boolean made = false;
        try (SnapshotReader reader = log.snapshot(snapshot);
                LogScan scan = log.scan(snapshot + 1)) {
            image.load(reader);
            while (scan.next() && scan.sequence() <= limit) {
                image.onRecord(scan.buffer(), scan.offset());
            }
            made = true;
        } finally {
            if (!made) {
                image.close();
            }
        }
        return image;
    }

    private static List<String> messages(final StateImage image, final String topic) {
        final List<String> messages = new ArrayList<>();
        image.forEach(
                topic,
                (key, message, headers, sequence, timestampNs, expiresNs) ->
                        messages.add(message.getStringWithoutLengthUtf8(0, message.capacity())));
        return messages;
    }

    private static List<String> differences(final ShardLog log, final long older, final long newest)
            throws IOException {
        final List<String> differences = new ArrayList<>();
        try (StateImage image = image(log, older, newest);
                SnapshotReader snapshot = log.snapshot(newest)) {
            image.compare(
                    snapshot,
                    (topic, key, what) -> differences.add(topic.name() + ", " + KeyText.of(key) + ": " + what),
                    (publisher, what) -> differences.add(publisher + ": " + what));
        }
        return differences;
    }

    /** Writes a snapshot that is whole, and is not what the log makes. */
    private void alter(final ShardLog log, final long sequence) throws IOException {
        final DiskStorage aside = DiskStorage.open(directory.resolve("aside").toString());
        final SnapshotWriter to = new SnapshotWriter(aside, 0, 0, sequence, 1, 1);
        try (SnapshotReader from = log.snapshot(sequence)) {
            int record = 0;
            while (from.next()) {
                final boolean isOfS = from.type() == SnapshotEntry.TYPE_RECORD
                        && from.buffer().getInt(from.offset() + SnapshotEntry.TOPIC_ID_OFFSET) == 0;
                if (isOfS && record == 4) {
                    record++;
                    continue;
                }
                if (from.type() == SnapshotEntry.TYPE_TOPIC && from.buffer().getByte(from.offset() + 2) == 't') {
                    final byte[] topic = "\1\0t\6\0binary\0\0\0\0\0\0\0\0\0\0".getBytes(UTF_8);
                    to.buffer().putBytes(to.claim(from.type(), topic.length), topic);
                    continue;
                }
                final int at = to.claim(from.type(), from.length());
                to.buffer().putBytes(at, from.buffer(), from.offset(), from.length());
                if (from.type() == SnapshotEntry.TYPE_PUBLISHER) {
                    to.buffer().putLong(at, 6);
                }
                if (isOfS) {
                    switch (record++) {
                        case 0 -> to.buffer().putByte(at + from.length() - 2, (byte) '!');
                        case 1 -> to.buffer().putLong(at + SnapshotEntry.EXPIRES_OFFSET, 5);
                        case 2 -> to.buffer().putLong(at, 7);
                        case 3 -> to.buffer().putLong(at + SnapshotEntry.KEY_OFFSET + 1, 99);
                        default -> {}
                    }
                }
            }
        }
        to.finish();
        to.publish();
        Files.move(
                Path.of(aside.path(""))
                        .resolve(Path.of(log.snapshotPath(sequence)).getFileName()),
                Path.of(log.snapshotPath(sequence)),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    private static void damage(final ShardLog log, final long snapshot) throws IOException {
        final Path path = Path.of(log.snapshotPath(snapshot));
        final byte[] bytes = Files.readAllBytes(path);
        bytes[100] ^= 1;
        Files.write(path, bytes);
    }

    private ShardLog log() throws IOException {
        return JournalCatalog.open(directory.toString()).shards().get(0);
    }

    private TestBroker start() {
        return new TestBroker(builder -> builder.journal(JournalConfig.in(directory.toString())
                        .withFileLength(64 * 1024)
                        .withRetention(1, 0))
                .topic(TopicConfig.keyed("s", "json", "id"))
                .view(new ViewConfig("v", "s", "", "g, COUNT(*) AS n", "g")));
    }
}
