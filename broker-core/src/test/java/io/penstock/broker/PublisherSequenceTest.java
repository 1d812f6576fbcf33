package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.storage.StorageProvider;
import io.penstock.protocol.ErrorCode;
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

    private final HeldStorage.Gate disk = new HeldStorage.Gate();

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
            // Indexes are made too, and are no matter of this test.
            disk.refuse(name -> name.startsWith("spare") && name.endsWith(".tmp"));
            long sequence = 0;
            while (client.errors.isEmpty()) {
                sequence++;
                client.publish(sequence, sequence, ACK_PERSISTED, "a", LONG);
                test.advance(5);
            }
            assertThat(client.errors).containsExactly(ErrorCode.JOURNAL_FULL);
            final long refused = sequence;

            disk.mend();
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
                .storage(path -> new HeldStorage(StorageProvider.DISK.open(path), disk))
                .journal(JournalConfig.in(directory.toString()).withFileLength(64 * 1024)));
    }
}
