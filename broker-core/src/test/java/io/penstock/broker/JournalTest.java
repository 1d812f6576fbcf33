package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.journal.SyncPolicy;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Brokers that write their logs to files, stop, and start again. */
@Timeout(60)
@ParameterizedClass
@EnumSource(JournalConfig.Writes.class)
class JournalTest {
    private static final int ACK_PERSISTED = 4;
    private static final int ACK_PROCESSED = 2;
    private static final byte[] MESSAGE = "{\"a\":1}".getBytes(UTF_8);

    private final JournalConfig.Writes writes;

    @TempDir
    Path directory;

    JournalTest(final JournalConfig.Writes writes) {
        this.writes = writes;
    }

    @ParameterizedTest
    @EnumSource(SyncPolicy.class)
    void shouldAcknowledgeAsPersistedWhatIsInTheFile(final SyncPolicy policy) throws IOException {
        try (TestBroker test = start(builder -> builder.journal(journal().withSync(policy)))) {
            final RawClient client = test.logOn("client");
            client.publish(10, 1, ACK_PROCESSED | ACK_PERSISTED, "t", MESSAGE);
            test.awaitAck(client, 10);
            test.advance(50);

            assertThat(client.events).containsExactly("logonAck", "ack 10 PROCESSED", "ack 10 PERSISTED");
            assertThat(Files.readAllBytes(logFiles().get(0))).containsSequence(MESSAGE);
        }
    }

    @Test
    void shouldRefuseToPersistWhatIsInMemoryOnly() {
        try (TestBroker test =
                start(builder -> builder.topic(TopicConfig.topic("m", "json").inMemory()))) {
            final RawClient client = test.logOn("client");
            client.publish(10, 1, ACK_PERSISTED, "m", MESSAGE);
            client.publish(11, 2, ACK_PERSISTED, "t", MESSAGE);
            test.awaitAck(client, 11);

            assertThat(client.errors.toString()).isEqualTo("[NOT_SUPPORTED]");
        }
    }

    @Test
    void shouldBeWhatItWasAfterAStart() {
        try (TestBroker test = start(this::keyed)) {
            final StateClient client = new StateClient(test);
            client.publish("s", "{\"id\":1,\"v\":1}");
            client.publish("s", "{\"id\":2,\"v\":2}");
            client.delta("s", "{\"id\":1,\"w\":3}");
            client.publish("s", "{\"id\":3,\"v\":3}");
            client.delete("s", "id = 3");
            client.publish("p", "key one", "{\"x\":1}", false, 0);
            client.publish("p", "short", "{\"x\":2}", false, 1_000);
            client.publish("plain", "{}");
            client.flush();
        }
        try (TestBroker test = start(this::keyed)) {
            final StateClient client = new StateClient(test);

            assertThat(client.sow(SowRequest.topic("s")))
                    .containsExactlyInAnyOrder("{\"id\":1,\"v\":1,\"w\":3}", "{\"id\":2,\"v\":2}");
            assertThat(client.sow(SowRequest.topic("p"))).containsExactlyInAnyOrder("{\"x\":1}", "{\"x\":2}");
            client.publish("s", "{\"id\":4,\"v\":4}");
            client.flush();
            assertThat(client.sow(SowRequest.topic("s"))).hasSize(3);
        }
    }

    @Test
    void shouldApplyAMessageOnceThatIsSentAgainAfterAStart() {
        try (TestBroker test = start(UnaryOperator.identity())) {
            final RawClient client = test.logOn("publisher");
            client.publish(10, 1, ACK_PERSISTED, "t", MESSAGE);
            client.publish(11, 2, ACK_PERSISTED, "t", MESSAGE);
            test.awaitAck(client, 11);
        }
        try (TestBroker test = start(UnaryOperator.identity())) {
            final RawClient client = test.logOn("publisher");
            client.publish(10, 2, ACK_PERSISTED, "t", MESSAGE);
            client.publish(11, 3, ACK_PERSISTED, "t", MESSAGE);
            test.awaitAck(client, 11);

            assertThat(test.broker.counter("duplicates")).isEqualTo(1);
            assertThat(test.broker.counter("messages")).isEqualTo(1);
        }
    }

    @Test
    void shouldNotWaitForWhatIsNotWritten() {
        try (TestBroker test = start(this::keyed)) {
            final StateClient follower = new StateClient(test);
            follower.subscribe(1, SubscribeRequest.topic("s").sow().delta().conflation(Duration.ofMillis(20)));
            final RawClient client = test.logOn("publisher");
            for (int i = 1; i <= 3; i++) {
                client.publish(9 + i, i, ACK_PERSISTED, "s", ("{\"id\":1,\"v\":" + i + "}").getBytes(UTF_8));
                test.awaitAck(client, 9 + i);
                // The follower is notified after that, by a record of its own.
                test.advance(100);
            }
            client.publish(13, 3, ACK_PERSISTED, "s", "{\"id\":1,\"v\":3}".getBytes(UTF_8));
            test.awaitAck(client, 13);

            assertThat(test.broker.counter("duplicates")).isEqualTo(1);
        }
    }

    @Test
    void shouldGoOnInTheNextFileWhenOneIsFull() throws IOException {
        final byte[] message = ("{\"a\":\"" + "x".repeat(9_000) + "\"}").getBytes(UTF_8);
        try (TestBroker test = start(UnaryOperator.identity())) {
            final RawClient client = test.logOn("client");
            for (int i = 0; i < 50; i++) {
                client.publish(10 + i, 1 + i, ACK_PERSISTED, "t", message);
                test.awaitAck(client, 10 + i);
            }
        }
        assertThat(logFiles()).hasSizeGreaterThan(5);
        try (TestBroker test = start(UnaryOperator.identity())) {
            assertThat(test.broker.counter("lastSequence")).isEqualTo(52);
        }
    }

    @Test
    void shouldBeginANewLogWithAShortFile() throws IOException {
        final UnaryOperator<BrokerConfig.Builder> settings =
                builder -> builder.journal(journal().withFileLength(2 * 1024 * 1024));
        final byte[] message = ("{\"a\":\"" + "x".repeat(9_000) + "\"}").getBytes(UTF_8);
        try (TestBroker test = start(settings)) {
            final RawClient client = test.logOn("client");
            for (int i = 0; i < 150; i++) {
                client.publish(10 + i, 1 + i, ACK_PERSISTED, "t", message);
                test.awaitAck(client, 10 + i);
            }
        }
        assertThat(logFiles()).extracting(file -> file.toFile().length()).containsExactly(1024L * 1024, 2048L * 1024);
        try (TestBroker test = start(settings)) {
            assertThat(test.broker.counter("lastSequence")).isEqualTo(152);
        }
    }

    @Test
    void shouldDropATornTail() throws IOException {
        publish(3);
        final Path file = logFiles().get(0);
        final byte[] bytes = Files.readAllBytes(file);
        final int end = indexOfLast(bytes);
        try (RandomAccessFile torn = new RandomAccessFile(file.toFile(), "rw")) {
            torn.seek(end);
            torn.write(new byte[] {96, 0, 0, 0, 1, 2, 3, 4, 5});
        }
        try (TestBroker test = start(UnaryOperator.identity())) {
            assertThat(test.broker.counter("lastSequence")).isEqualTo(5);
        }
    }

    @Test
    void shouldRefuseADamagedLogAndNameThePlace() throws IOException {
        publish(3);
        final Path file = logFiles().get(0);
        final byte[] bytes = Files.readAllBytes(file);
        bytes[4096 + 48 + 3] ^= 4;
        Files.write(file, bytes);

        assertThatThrownBy(() -> start(UnaryOperator.identity()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("record 1 at byte 4096: its checksum is wrong");
    }

    @Test
    void shouldRefuseARecordThatCannotBeAsItSaysAndNameThePlace() throws IOException {
        publish(3);
        final int position = spoilLast(RecordDescriptor.TOPIC_ID_OFFSET);

        assertThatThrownBy(() -> start(UnaryOperator.identity()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("journal: corrupt: " + logFiles().get(0) + ": record 5 at byte " + position)
                .hasMessageContaining("unknown topic 99")
                .hasMessageContaining("restore the file from a copy");
    }

    @Test
    void shouldPutARecordAsideThatCannotBeAsItSays() throws IOException {
        publish(3);
        spoilLast(RecordDescriptor.TOPIC_ID_OFFSET);
        final JournalConfig quarantining = journal().withOnDamage(JournalConfig.OnDamage.QUARANTINE);
        try (TestBroker test = start(builder -> builder.journal(quarantining))) {
            assertThat(test.takeErrors()).anyMatch(error -> error.contains("record 5"));
            final RawClient client = test.logOn("client");
            client.publish(10, 3, ACK_PERSISTED, "t", MESSAGE);
            test.awaitAck(client, 10);

            assertThat(test.broker.counter("duplicates"))
                    .as("it is not applied by half")
                    .isZero();
        }
    }

    @Test
    void shouldNotTakeForDamageWhatTheConfigurationHasNoRoomFor() {
        try (TestBroker test = start(builder -> builder.topic(TopicConfig.topic("a", "json")))) {
            final RawClient client = test.logOn("client");
            client.publish(10, 1, ACK_PERSISTED, "b", MESSAGE);
            test.awaitAck(client, 10);
        }
        final SessionConfig few = new SessionConfig(64, 64, 16 * 1024, 1, 64, 1024, 64, 1 << 24, 1_000, 500);
        assertThatThrownBy(() -> start(builder ->
                        builder.sessions(few).journal(journal().withOnDamage(JournalConfig.OnDamage.QUARANTINE))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shard 0: record ")
                .hasMessageContaining("sessions.topicCountMax is too little for it (raise it)");
        try (TestBroker test = start(UnaryOperator.identity())) {
            assertThat(test.broker.counter("errors"))
                    .as("nothing was put aside")
                    .isZero();
        }
    }

    @Test
    void shouldRefuseADirectoryThatAnotherBrokerUses() {
        try (TestBroker first = start(UnaryOperator.identity())) {
            assertThat(first.broker.counter("errors")).isZero();
            assertThatThrownBy(() -> start(UnaryOperator.identity())).hasMessageContaining("in use by another broker");
        }
    }

    @Test
    void shouldRefuseATopicThatIsDeclaredOtherwiseThanInTheLog() {
        try (TestBroker test = start(this::keyed)) {
            assertThat(test.broker.counter("errors")).isZero();
        }
        assertThatThrownBy(() -> start(builder -> builder.topic(TopicConfig.keyed("s", "json", "other"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key other")
                .hasMessageContaining("key id");
    }

    private void publish(final int count) {
        try (TestBroker test = start(UnaryOperator.identity())) {
            final RawClient client = test.logOn("client");
            for (int i = 0; i < count; i++) {
                client.publish(10 + i, 1 + i, ACK_PERSISTED, "t", MESSAGE);
            }
            test.awaitAck(client, 9 + count);
        }
    }

    private BrokerConfig.Builder keyed(final BrokerConfig.Builder builder) {
        return builder.topic(TopicConfig.keyed("s", "json", "id"))
                .topic(TopicConfig.keyed("p", "json", TopicConfig.PUBLISHER_KEY));
    }

    private TestBroker start(final UnaryOperator<BrokerConfig.Builder> configure) {
        return new TestBroker(builder -> configure.apply(builder.journal(journal())));
    }

    private JournalConfig journal() {
        return JournalConfig.in(directory.toString()).withFileLength(64 * 1024).withWrites(writes);
    }

    private List<Path> logFiles() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("shard-0"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
        }
    }

    /** Gives a field of the last message's record a value that cannot be, and the record a good checksum. */
    private int spoilLast(final int field) throws IOException {
        final Path file = logFiles().get(0);
        final byte[] bytes = Files.readAllBytes(file);
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        int last = 0;
        for (int at = 4096;
                RecordDescriptor.length(buffer, at) > 0;
                at += RecordDescriptor.alignedLength(RecordDescriptor.length(buffer, at))) {
            last = RecordDescriptor.type(buffer, at) == RecordDescriptor.TYPE_MESSAGE ? at : last;
        }
        buffer.putInt(last + field, 99, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(last + RecordDescriptor.CHECKSUM_OFFSET, 0);
        final CRC32C checksum = new CRC32C();
        checksum.update(bytes, last, RecordDescriptor.length(buffer, last));
        buffer.putInt(last + RecordDescriptor.CHECKSUM_OFFSET, (int) checksum.getValue(), ByteOrder.LITTLE_ENDIAN);
        Files.write(file, bytes);
        return last;
    }

    /** After the last byte that is not 0, as records are aligned. */
    private static int indexOfLast(final byte[] bytes) {
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        return (end + 7) & -8;
    }
}
