package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.journal.LogScan;
import io.penstock.broker.journal.ShardLog;
import io.penstock.broker.storage.DiskStorage;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two brokers whose clients do the same have the same log, record by record: also when one has less memory, snapshots, starts in
 * between, and clients that query, lag behind, and hold snapshots.
 */
@Timeout(300)
class SameLogTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_127L);
    /** The second JDK of a build does fewer than the first. */
    private static final int SEED_COUNT =
            Integer.getInteger("penstock.seeds", Boolean.getBoolean("penstock.second") ? 4 : 12);

    private static final int STEP_COUNT = 400;
    private static final int KEY_COUNT = 60;
    private static final long LIVE_LENGTH_MAX = 20_000;

    @TempDir
    Path directory;

    private final Random random = new Random();

    /** Whether the state gets full. Then there are no views: a start publishes rows that had no room. */
    private boolean isFull;

    /** What is done: the same for both. */
    private interface Step {
        void run(TestBroker broker, StateClient client);
    }

    static List<Long> seeds() {
        return Stream.iterate(SEED, seed -> seed + 1).limit(SEED_COUNT).toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void shouldBeTheSameWhateverElseIsDone(final long seed) throws IOException {
        random.setSeed(seed);
        isFull = seed % 2 == 0;
        final Path one = directory.resolve("one");
        final Path other = directory.resolve("other");
        final List<Step> steps = Stream.generate(this::step).limit(STEP_COUNT).toList();
        try (TestBroker broker = start(one, new StateConfig(1 << 26, 1 << 20, 1 << 24, 1, 60_000, 1 << 20))) {
            run(broker, steps, false);
            assertThat(broker.broker.counter("stateRefused") > 0).isEqualTo(isFull);
        }
        long nowNs = TimeUnit.HOURS.toNanos(1);
        int done = 0;
        while (done < STEP_COUNT) {
            final List<Step> part = steps.subList(done, Math.min(STEP_COUNT, done + 50 + random.nextInt(200)));
            try (TestBroker broker = start(other, new StateConfig(1 << 23, 128 << 10, 64 << 10, 1, 60_000, 1 << 20))) {
                broker.clock.update(nowNs);
                run(broker, part, true);
                nowNs = broker.clock.nanoTime();
            }
            done += part.size();
        }
        final List<String> records = records(other);
        final List<String> expected = records(one);
        for (int i = 0; i < Math.min(records.size(), expected.size()); i++) {
            assertThat(records.get(i)).as("record %d", i).isEqualTo(expected.get(i));
        }
        assertThat(records).hasSameSizeAs(expected);
    }

    private TestBroker start(final Path journal, final StateConfig state) {
        final boolean isOften = state.memoryLengthMax() < 1 << 26;
        return new TestBroker(builder -> {
            final BrokerConfig.Builder made = builder.journal(JournalConfig.in(journal.toString())
                            .withFileLength(1 << 20)
                            .withSnapshots(isOften ? 20_000 : 0, isOften ? 0 : 1))
                    .state(isFull ? state.withLiveLengthMax(LIVE_LENGTH_MAX) : state)
                    .topic(TopicConfig.keyed("s", "json", "id"))
                    .topic(TopicConfig.keyed("p", "json", TopicConfig.PUBLISHER_KEY));
            return isFull
                    ? made
                    : made.view(new ViewConfig("sums", "s", "v > 10", "v, SUM(w) AS w, COUNT(*) AS n", "v"))
                            .view(ViewConfig.join(
                                    "pairs",
                                    ViewConfig.Join.left("s", "sums", "/s/v = /sums/v"),
                                    "",
                                    "/s/id, /sums/n"));
        });
    }

    private void run(final TestBroker broker, final List<Step> steps, final boolean hasReaders) {
        final StateClient client = new StateClient(broker);
        final StateClient reader = hasReaders ? new StateClient(broker) : null;
        if (reader != null) {
            reader.subscribe(
                    1, SubscribeRequest.topic("s").filter("v > 30").sow().oof());
        }
        broker.settle();
        for (final Step step : steps) {
            step.run(broker, client);
            broker.settle();
            if (reader != null && random.nextInt(10) == 0) {
                reader.sow(SowRequest.topic(random.nextBoolean() ? "s" : "p"));
                broker.settle();
            }
            if (hasReaders && random.nextInt(40) == 0) {
                broker.broker.snapshot();
                broker.settle();
            }
        }
        client.flush();
        broker.settle();
    }

    private Step step() {
        final int id = random.nextInt(KEY_COUNT);
        final int value = random.nextInt(100);
        final long expirationMs = random.nextBoolean() ? 0 : 10L * (1 + random.nextInt(6));
        final int padLength = random.nextInt(2_000);
        final int ms = 5 * random.nextInt(random.nextInt(8) == 0 ? 20 : 2);
        return switch (random.nextInt(10)) {
            case 0 -> (broker, client) -> client.delta("s", "{\"id\":" + id + ",\"w\":" + value + "}");
            // Of one record: several are deleted in the order in which the query finds them, which is the client's
            // input.
            case 1 -> (broker, client) -> client.delete("s", "id = " + id);
            case 2 -> (broker, client) -> client.delete("s", "id = " + id + " AND v > " + value);
            case 3, 4 -> (broker, client) -> broker.advance(ms);
            case 5, 6 ->
                (broker, client) -> client.publish(
                        "p", "k" + id, "{\"pad\":\"" + "y".repeat(padLength) + "\"}", false, expirationMs);
            case 7 ->
                (broker, client) -> {
                    // Of one batch, and with one time of expiration.
                    for (int i = 0; i < 10; i++) {
                        publish(client, (id + 7 * i) % KEY_COUNT, value + i, 20);
                    }
                };
            default -> (broker, client) -> publish(client, id, value, expirationMs);
        };
    }

    private static void publish(final StateClient client, final int id, final int value, final long expirationMs) {
        client.publish("s", "", "{\"id\":" + id + ",\"v\":" + value + ",\"w\":0}", false, expirationMs);
    }

    /** The bytes of all records of a log, but for the runs of the broker that have written them. */
    private static List<String> records(final Path journal) throws IOException {
        final List<String> records = new ArrayList<>();
        final ShardLog log = ShardLog.in(
                0, DiskStorage.openPresent(journal.resolve("shard-0").toString()));
        try (LogScan scan = log.scan()) {
            while (scan.next()) {
                final byte[] bytes = new byte[RecordDescriptor.length(scan.buffer(), scan.offset())];
                scan.buffer().getBytes(scan.offset(), bytes);
                // The checksum is about the run, too.
                Arrays.fill(bytes, RecordDescriptor.EPOCH_OFFSET, RecordDescriptor.HEADER_LENGTH, (byte) 0);
                records.add(HexFormat.of().formatHex(bytes));
            }
        }
        return records;
    }
}
