package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StorageProvider;
import io.penstock.broker.storage.StoredFile;
import io.penstock.protocol.ErrorCode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are sent again are applied once, across starts of the broker. */
@Timeout(60)
class PublisherSequenceTest {
    private static final int ACK_PERSISTED = 4;
    private static final int ROUNDS = 4;
    private static final int MESSAGES = 30;
    private static final byte[] LONG = ("{\"a\":\"" + "x".repeat(9_000) + "\"}").getBytes(UTF_8);
    private static final List<String> TOPICS = List.of("a", "b", "c", "d", "e", "f");

    @TempDir
    Path directory;

    private boolean isFull;

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldApplyEachSequenceOnceWhateverIsSentAgain(final int shardCount) {
        for (int round = 0; round < ROUNDS; round++) {
            try (TestBroker test = start(shardCount)) {
                for (final String name : List.of("one", "two", "three")) {
                    final RawClient client = test.logOn(name);
                    // All of the last round again, as if no acknowledgement had come.
                    final int first = Math.max(0, round - 1) * MESSAGES;
                    final int end = (round + 1) * MESSAGES;
                    final int last = 9 + end;
                    for (int i = first; i < end; i++) {
                        final String text = "{\"from\":\"" + name + "\",\"n\":" + i + "}";
                        while (!client.publish(
                                10 + i, 1 + i, ACK_PERSISTED, TOPICS.get(i % TOPICS.size()), text.getBytes(UTF_8))) {
                            test.cycle();
                        }
                    }
                    test.await(() -> client.events.contains("ack " + last + " PERSISTED"));
                    assertThat(client.errors).isEmpty();
                }
                assertThat(test.broker.counter("messages"))
                        .as("round %d", round)
                        .isEqualTo(3L * MESSAGES);
            }
        }
        try (TestBroker test = start(shardCount)) {
            final RawClient client = test.logOn("two");
            for (int i = 0; i < ROUNDS * MESSAGES; i++) {
                client.publish(10 + i, 1 + i, ACK_PERSISTED, TOPICS.get(i % TOPICS.size()), "{}".getBytes(UTF_8));
                test.cycle();
            }
            test.awaitAck(client, 9 + ROUNDS * MESSAGES);
            assertThat(test.broker.counter("messages")).isZero();
        }
    }

    @Test
    void shouldKeepTheOrderWhenAMessageHasToComeAgain() throws IOException {
        try (TestBroker test = start(1)) {
            final RawClient client = test.logOn("publisher");
            isFull = true;
            long sequence = 0;
            while (client.errors.isEmpty()) {
                sequence++;
                client.publish(sequence, sequence, ACK_PERSISTED, "a", LONG);
                test.advance(5);
            }
            assertThat(client.errors).containsExactly(ErrorCode.JOURNAL_FULL);
            final long refused = sequence;

            isFull = false;
            test.advance(1_500);
            client.publish(1_000, refused + 1, ACK_PERSISTED, "a", "{}".getBytes(UTF_8));
            test.advance(100);
            assertThat(client.errors).as("the one before has to come first").hasSize(2);

            client.publish(1_001, refused, ACK_PERSISTED, "a", "{}".getBytes(UTF_8));
            client.publish(1_002, refused + 1, ACK_PERSISTED, "a", "{}".getBytes(UTF_8));
            test.awaitAck(client, 1_002);
            assertThat(client.errors).hasSize(2);
            assertThat(test.broker.counter("duplicates")).isZero();
        }
    }

    private TestBroker start(final int shardCount) {
        return new TestBroker(builder -> builder.shardCount(shardCount)
                .storage(path -> new FillingStorage(StorageProvider.DISK.open(path)))
                .journal(JournalConfig.in(directory.toString()).withFileLength(64 * 1024)));
    }

    /** A disk on which no more files can be made while it is full. */
    private final class FillingStorage implements Storage {
        private final Storage disk;

        FillingStorage(final Storage disk) {
            this.disk = disk;
        }

        @Override
        public StoredFile create(final String name) throws IOException {
            // Indexes are made too, and are no matter of this test.
            if (isFull && name.endsWith(".tmp") && name.startsWith("spare")) {
                throw new IOException("no space left on device");
            }
            return disk.create(name);
        }

        @Override
        public List<String> list() throws IOException {
            return disk.list();
        }

        @Override
        public boolean exists(final String name) throws IOException {
            return disk.exists(name);
        }

        @Override
        public StoredFile open(final String name, final boolean writable) throws IOException {
            return disk.open(name, writable);
        }

        @Override
        public void rename(final String from, final String to) throws IOException {
            disk.rename(from, to);
        }

        @Override
        public void delete(final String name) throws IOException {
            disk.delete(name);
        }

        @Override
        public void sync() throws IOException {
            disk.sync();
        }

        @Override
        public Storage directory(final String name) throws IOException {
            return new FillingStorage(disk.directory(name));
        }

        @Override
        public Closeable lock() throws IOException {
            return disk.lock();
        }

        @Override
        public String path(final String name) {
            return disk.path(name);
        }
    }
}
