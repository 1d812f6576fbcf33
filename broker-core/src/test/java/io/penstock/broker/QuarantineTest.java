package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.Bookmark;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs that go on without their damaged part: what they number, and what subscribers get of them. */
@Timeout(60)
class QuarantineTest {
    private static final int FILE_LENGTH = 64 * 1024;

    @TempDir
    Path directory;

    /** The sequences of all messages that were ever published, none of them twice. */
    private final List<Long> given = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldGiveNoSequenceTwice(final int fileIndex) throws IOException {
        publish(JournalConfig.OnDamage.REFUSE, 0, 1_500);
        final long end = given.get(given.size() - 1);
        damage(fileIndex, 20_000);
        publish(JournalConfig.OnDamage.QUARANTINE, 1_500, 10);
        publish(JournalConfig.OnDamage.REFUSE, 1_510, 10);

        assertThat(given).doesNotHaveDuplicates().isSorted().hasSize(1_520);
        assertThat(given.get(1_500)).isGreaterThan(end);
    }

    @Test
    void shouldSendWhatIsLeftToThoseWhoReplay() throws IOException {
        publish(JournalConfig.OnDamage.REFUSE, 0, 1_500);
        damage(1, 20_000);
        publish(JournalConfig.OnDamage.QUARANTINE, 1_500, 10);
        try (TestBroker test = start(JournalConfig.OnDamage.REFUSE)) {
            final List<Integer> all = numbers(replay(test, LogPlace.BEGINNING));
            final int kept = all.size() - 10;
            assertThat(kept).isBetween(100, 1_400);
            assertThat(all.subList(0, kept)).isEqualTo(range(0, kept));
            assertThat(all.subList(kept, kept + 10)).isEqualTo(range(1_500, 1_510));
            for (final int lost : new int[] {kept, kept + 50, 1_499}) {
                final RawClient client = replay(test, LogPlace.bookmark(Bookmark.of(0, given.get(lost))));
                assertThat(numbers(client)).as("after %d", lost).isEqualTo(range(1_500, 1_510));
                assertThat(client.events).endsWith("ack 2 COMPLETED");
            }
            assertThat(numbers(replay(test, LogPlace.bookmark(Bookmark.of(0, given.get(1_504))))))
                    .isEqualTo(range(1_505, 1_510));
        }
    }

    @Test
    void shouldCompleteAReplayWhenNothingWasPublishedSince() throws IOException {
        publish(JournalConfig.OnDamage.REFUSE, 0, 300);
        damage(0, 20_000);
        try (TestBroker test = start(JournalConfig.OnDamage.QUARANTINE)) {
            test.takeErrors();
            final RawClient client = replay(test, LogPlace.BEGINNING);
            assertThat(numbers(client)).isNotEmpty();
            assertThat(client.events).endsWith("ack 2 COMPLETED");
            final RawClient publisher = test.logOn("publisher");
            publish(test, publisher, 300);
            test.settle();
            assertThat(numbers(client)).last().isEqualTo(300);
        }
    }

    @Test
    void shouldGoOnOnceMoreWhenDamagedAgain() throws IOException {
        publish(JournalConfig.OnDamage.REFUSE, 0, 300);
        damage(0, 20_000);
        publish(JournalConfig.OnDamage.QUARANTINE, 300, 5);
        damage(1, 4096 + 50);
        publish(JournalConfig.OnDamage.QUARANTINE, 305, 5);
        damage(1, 3);
        publish(JournalConfig.OnDamage.QUARANTINE, 310, 5);

        assertThat(given).doesNotHaveDuplicates().isSorted();
        try (TestBroker test = start(JournalConfig.OnDamage.REFUSE)) {
            assertThat(numbers(replay(test, LogPlace.BEGINNING))).endsWith(310, 311, 312, 313, 314);
        }
    }

    @Test
    void shouldSayAgainWhatIsDamagedWhenPuttingAsideWasCutShort() throws IOException {
        publish(JournalConfig.OnDamage.REFUSE, 0, 300);
        damage(0, 20_000);
        final Path first = logFiles().get(0);
        final byte[] damaged = Files.readAllBytes(first);
        publish(JournalConfig.OnDamage.QUARANTINE, 300, 0);
        // The file that goes on is there, and the damaged one is not repaired yet.
        Files.write(first, damaged);

        assertThatThrownBy(() -> start(JournalConfig.OnDamage.REFUSE)).hasMessageContaining(first.toString());

        publish(JournalConfig.OnDamage.QUARANTINE, 300, 5);
        publish(JournalConfig.OnDamage.REFUSE, 305, 5);
        assertThat(given).doesNotHaveDuplicates().isSorted().hasSize(310);
    }

    @Test
    void shouldGoOnBehindTheSnapshotWhenNoFileIsLeft() throws IOException {
        publish(JournalConfig.OnDamage.REFUSE, 0, 300);
        try (TestBroker test = start(JournalConfig.OnDamage.REFUSE)) {
            test.broker.snapshot();
            test.await(() -> test.broker.counter("snapshots") > 0);
            publish(test, test.logOn("publisher"), 300);
            test.settle();
        }
        for (final Path file : logFiles()) {
            Files.delete(file);
        }
        publish(JournalConfig.OnDamage.QUARANTINE, 301, 5);
        publish(JournalConfig.OnDamage.REFUSE, 306, 5);

        assertThat(given).doesNotHaveDuplicates().isSorted().hasSize(310);
    }

    /** Publishes with a broker of its own, and notes what sequences that gave. */
    private void publish(final JournalConfig.OnDamage onDamage, final int from, final int count) {
        try (TestBroker test = start(onDamage)) {
            test.takeErrors();
            final RawClient subscriber = test.logOn("subscriber");
            subscriber.subscribe(2, 7, "t", "", false);
            test.settle();
            final RawClient publisher = test.logOn("publisher");
            for (int i = 0; i < count; i++) {
                publish(test, publisher, from + i);
            }
            test.flush(publisher);
            test.settle();
            assertThat(subscriber.deliveries).hasSize(count);
            subscriber.deliveries.forEach(delivery -> given.add(delivery.sequence()));
        }
    }

    private static void publish(final TestBroker test, final RawClient publisher, final int number) {
        test.publish(publisher, "t", "{\"n\":" + number + ",\"pad\":\"" + "x".repeat(80) + "\"}");
    }

    private static RawClient replay(final TestBroker test, final LogPlace from) {
        final RawClient client = test.logOn("client-" + test.clients.size());
        client.subscribeFrom(2, 7, ReplayRequest.topic("t").from(from));
        test.settle();
        assertThat(client.errors).isEmpty();
        return client;
    }

    private static List<Integer> numbers(final RawClient client) {
        return client.deliveries.stream()
                .map(delivery -> new String(delivery.payload(), UTF_8))
                .map(text -> Integer.valueOf(text.substring(5, text.indexOf(','))))
                .toList();
    }

    private static List<Integer> range(final int from, final int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    private void damage(final int fileIndex, final int position) throws IOException {
        final Path file = logFiles().get(fileIndex);
        final byte[] bytes = Files.readAllBytes(file);
        bytes[position] ^= 1;
        Files.write(file, bytes);
    }

    private List<Path> logFiles() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("shard-0"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
        }
    }

    private TestBroker start(final JournalConfig.OnDamage onDamage) {
        return new TestBroker(builder -> builder.journal(JournalConfig.in(directory.toString())
                        .withFileLength(FILE_LENGTH)
                        .withOnDamage(onDamage))
                .topic(TopicConfig.topic("t", "json")));
    }
}
