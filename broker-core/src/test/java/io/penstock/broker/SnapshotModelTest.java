package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.SowRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Publishes, deltas, deletes, expiries, snapshots, retention, restarts and damaged snapshots in a random order: after
 * each start the state is what a plain map says.
 */
@Timeout(300)
class SnapshotModelTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_122L);
    /** The second JDK of a build does fewer than the first. */
    private static final int SEED_COUNT =
            Integer.getInteger("penstock.seeds", Boolean.getBoolean("penstock.second") ? 4 : 12);

    private static final int KEY_COUNT = 60;
    private static final int ACK_PERSISTED = 4;

    @TempDir
    Path directory;

    private final TreeMap<Integer, Row> rows = new TreeMap<>();
    private final TreeMap<String, Expiring> expiring = new TreeMap<>();
    private long nowNs = TimeUnit.HOURS.toNanos(1);
    private long publisherSequence;

    /** A record of topic {@code s}: what was published, and what a delta has added. */
    private record Row(@Nullable Integer v, @Nullable Integer w) {
        private String text(final int id) {
            return "{\"id\":" + id + (v == null ? "" : ",\"v\":" + v) + (w == null ? "" : ",\"w\":" + w) + "}";
        }
    }

    private record Expiring(String text, long expiresNs) {}

    static List<Long> seeds() {
        return Stream.iterate(SEED, seed -> seed + 1).limit(SEED_COUNT).toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void shouldBeWhatTheModelIsAfterEveryStart(final long seed) throws IOException {
        final Random random = new Random(seed);
        for (int run = 0; run < 8; run++) {
            final boolean damaged = run > 0 && random.nextInt(3) == 0 && damageNewestSnapshot(random);
            try (TestBroker test = start(random)) {
                test.clock.update(nowNs);
                assertThat(test.takeErrors()).as("damage is named").hasSize(damaged ? 1 : 0);
                final StateClient client = new StateClient(test);
                check(test, client);
                for (int i = random.nextInt(400); i > 0; i--) {
                    act(random, test, client);
                }
                client.flush();
                check(test, client);
                publishTwice(test);
                nowNs = test.clock.nanoTime();
            }
        }
    }

    private void act(final Random random, final TestBroker test, final StateClient client) {
        final int id = random.nextInt(KEY_COUNT);
        final int value = random.nextInt(1_000);
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> {
                client.publish("s", new Row(value, null).text(id));
                rows.put(id, new Row(value, null));
            }
            case 4, 5, 6 -> {
                client.delta("s", new Row(null, value).text(id));
                rows.merge(id, new Row(null, value), (before, delta) -> new Row(before.v, delta.w));
            }
            case 7 -> {
                assertThat(client.delete("s", "id = " + id)).isEqualTo(rows.remove(id) == null ? 0 : 1);
            }
            case 8, 9 -> {
                final long ms = random.nextBoolean() ? 0 : 1 + random.nextInt(2_000);
                final String text = "{\"x\":" + value + ",\"pad\":\"" + "y".repeat(random.nextInt(3_000)) + "\"}";
                client.publish("p", "k" + id, text, false, ms);
                // Before the clock moves.
                client.flush();
                expiring.put(
                        "k" + id,
                        new Expiring(
                                text,
                                ms == 0 ? Long.MAX_VALUE : test.clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms)));
            }
            case 10 -> test.advance(random.nextInt(200));
            default -> {
                if (random.nextInt(4) == 0) {
                    test.broker.snapshot();
                }
            }
        }
        if (random.nextInt(20) == 0) {
            test.cycle();
        }
    }

    private void check(final TestBroker test, final StateClient client) {
        // Whatever is to expire by now has.
        test.advance(10);
        client.flush();
        final long now = test.clock.nanoTime();
        expiring.values().removeIf(record -> record.expiresNs <= now);
        assertThat(client.sow(SowRequest.topic("s")))
                .containsExactlyInAnyOrderElementsOf(rows.entrySet().stream()
                        .map(entry -> entry.getValue().text(entry.getKey()))
                        .toList());
        assertThat(client.sow(SowRequest.topic("p")))
                .containsExactlyInAnyOrderElementsOf(
                        expiring.values().stream().map(Expiring::text).toList());
        assertThat(client.sow(SowRequest.topic("sums")))
                .as("a view")
                .hasSize(rows.values().stream().map(Row::v).distinct().toList().size());
    }

    /** What was applied of a named publisher is known over all starts. */
    private void publishTwice(final TestBroker test) {
        final RawClient client = test.logOn("publisher");
        final byte[] message = "{}".getBytes(UTF_8);
        final long duplicates = test.broker.counter("duplicates");
        if (publisherSequence > 0) {
            client.publish(10, publisherSequence, ACK_PERSISTED, "t", message);
        }
        client.publish(11, ++publisherSequence, ACK_PERSISTED, "t", message);
        test.awaitAck(client, 11);
        assertThat(test.broker.counter("duplicates") - duplicates).isEqualTo(publisherSequence > 1 ? 1 : 0);
        client.close();
    }

    /** Flips a bit of the newest snapshot, if a start can do without it. */
    private boolean damageNewestSnapshot(final Random random) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("shard-0"))) {
            final List<Path> all =
                    files.sorted(Comparator.comparing(Path::toString)).toList();
            final List<Path> snapshots = all.stream()
                    .filter(file -> file.toString().endsWith(".snap"))
                    .toList();
            // Damaged at two starts, without a new one between them, there may be none to go back to.
            final boolean isWholeLog = all.stream().anyMatch(file -> file.endsWith("0000000000000000001.log"));
            if (snapshots.isEmpty() || (snapshots.size() == 1 && !isWholeLog)) {
                return false;
            }
            final Path newest = Collections.max(snapshots);
            final byte[] bytes = Files.readAllBytes(newest);
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(newest, bytes);
            return true;
        }
    }

    private TestBroker start(final Random random) {
        final long retention = random.nextBoolean() ? 1 : 200_000;
        return new TestBroker(builder -> builder.journal(JournalConfig.in(directory.toString())
                        .withFileLength(64 * 1024)
                        .withRetention(retention, 0)
                        .withSnapshots(20_000 + random.nextInt(200_000), 0))
                .topic(TopicConfig.keyed("s", "json", "id"))
                .topic(TopicConfig.keyed("p", "json", TopicConfig.PUBLISHER_KEY))
                .view(new ViewConfig("sums", "s", "", "v, COUNT(*) AS n", "v")));
    }
}
