package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.Bookmark;
import io.penstock.client.SowRequest;
import io.penstock.protocol.ErrorCode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * Publishes, deltas, deletes, expiries, snapshots, retention and restarts in a random order, with a picture of the state
 * after each in plain maps: queries as of any of these moments find what the picture shows, or are refused because it was
 * too long ago, and then so are all earlier ones.
 */
@Timeout(300)
class HistoryModelTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_122L);
    private static final int SEED_COUNT =
            Integer.getInteger("penstock.seeds", Boolean.getBoolean("penstock.second") ? 4 : 10);
    private static final int KEY_COUNT = 30;
    private static final int RUN_COUNT = 4;

    @TempDir
    Path directory;

    private final TreeMap<Integer, Row> rows = new TreeMap<>();
    private final TreeMap<String, Expiring> expiring = new TreeMap<>();
    private final List<Picture> pictures = new ArrayList<>();
    private long nowNs = TimeUnit.HOURS.toNanos(1);
    private int shardCount;
    private int answered;
    private boolean isRetained;

    /** A record of topic {@code s}: what was published, and what a delta has added. */
    private record Row(@Nullable Integer v, @Nullable Integer w) {
        private String text(final int id) {
            return "{\"id\":" + id + (v == null ? "" : ",\"v\":" + v) + (w == null ? "" : ",\"w\":" + w) + "}";
        }
    }

    private record Expiring(String text, long expiresNs) {}

    /** What the topics held when everything up to a bookmark had been applied, and nothing after a time. */
    private record Picture(String topic, Bookmark bookmark, long timeNs, List<String> texts) {}

    static List<Long> seeds() {
        return Stream.iterate(SEED, seed -> seed + 1).limit(SEED_COUNT).toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void shouldBeWhatItWas(final long seed) {
        final Random random = new Random(seed);
        shardCount = 1 + random.nextInt(3);
        for (int run = 0; run < RUN_COUNT; run++) {
            try (TestBroker test = start(random)) {
                test.clock.update(nowNs);
                final StateClient client = new StateClient(test);
                check(random, client);
                for (int i = 50 + random.nextInt(150); i > 0; i--) {
                    act(random, test, client);
                    takePicture(test, client);
                    if (random.nextInt(20) == 0) {
                        check(random, client);
                    }
                }
                check(random, client);
                // A broker that is not there does not delete what expires.
                nowNs = test.clock.nanoTime() + random.nextInt(2) * TimeUnit.SECONDS.toNanos(1);
            }
        }
        assertThat(answered).as("queries that were answered").isGreaterThan(100);
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
                client.delete("s", "id = " + id);
                rows.remove(id);
            }
            case 8, 9 -> {
                final long ms = random.nextBoolean() ? 0 : 1 + random.nextInt(2_000);
                final String text = "{\"x\":" + value + ",\"pad\":\"" + "y".repeat(random.nextInt(3_000)) + "\"}";
                client.publish("p", "k" + id, text, false, ms);
                expiring.put(
                        "k" + id,
                        new Expiring(
                                text,
                                ms == 0 ? Long.MAX_VALUE : test.clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms)));
            }
            case 10 -> test.advance(random.nextInt(200));
            default -> {
                if (random.nextInt(3) == 0) {
                    test.broker.snapshot();
                }
            }
        }
    }

    /** Lets everything be applied, and expire, and notes what is there; then time goes on. */
    private void takePicture(final TestBroker test, final StateClient client) {
        client.flush();
        test.settle();
        final long now = test.clock.nanoTime();
        expiring.values().removeIf(record -> record.expiresNs <= now);
        pictures.add(new Picture("s", bookmark(client, "s"), now, s()));
        pictures.add(new Picture("p", bookmark(client, "p"), now, p()));
        // A view is what it was said to be then.
        pictures.add(new Picture("sums", bookmark(client, "sums"), now, client.sow(SowRequest.topic("sums"))));
        test.advance(5);
    }

    /** The newest record of a topic's shard, as a query says it. */
    private static Bookmark bookmark(final StateClient client, final String topic) {
        client.groups.clear();
        client.sow(SowRequest.topic(topic).top(0));
        final String begin = client.groups.get(0);
        return Bookmark.parse(begin.substring(begin.lastIndexOf(' ') + 1));
    }

    private List<String> s() {
        final List<String> texts = new ArrayList<>();
        for (final Map.Entry<Integer, Row> entry : rows.entrySet()) {
            texts.add(entry.getValue().text(entry.getKey()));
        }
        return texts;
    }

    private List<String> p() {
        return expiring.values().stream().map(Expiring::text).toList();
    }

    private void check(final Random random, final StateClient client) {
        for (int i = 0; i < 8 && !pictures.isEmpty(); i++) {
            final Picture picture = pictures.get(random.nextInt(pictures.size()));
            final boolean byTime = random.nextBoolean();
            final SowRequest request = SowRequest.topic(picture.topic);
            final int errors = client.errors.size();
            final List<String> found = client.sow(
                    byTime ? request.asOf(Instant.ofEpochSecond(0, picture.timeNs)) : request.asOf(picture.bookmark));
            if (client.errors.size() > errors) {
                assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.BOOKMARK_NOT_FOUND);
                assertThat(client.lastError().text()).contains("too long ago");
                assertThat(isRetained).as("files may be gone").isTrue();
            } else {
                assertThat(found)
                        .as("%s as of %s, %d, %s", picture.topic, picture.bookmark, picture.timeNs, byTime)
                        .containsExactlyInAnyOrderElementsOf(picture.texts);
                answered++;
            }
        }
        assertThat(client.sow(SowRequest.topic("s"))).containsExactlyInAnyOrderElementsOf(s());
    }

    private TestBroker start(final Random random) {
        final long retention = random.nextInt(3) == 0 ? 70_000 : 0;
        isRetained |= retention > 0;
        return new TestBroker(builder -> builder.shardCount(shardCount)
                .journal(JournalConfig.in(directory.toString())
                        .withFileLength(64 * 1024)
                        .withRetention(retention, 0)
                        .withSnapshots(20_000 + random.nextInt(200_000), 0))
                .topic(TopicConfig.keyed("s", "json", "id"))
                .topic(TopicConfig.keyed("p", "json", TopicConfig.PUBLISHER_KEY))
                .view(new ViewConfig("sums", "s", "", "v, COUNT(*) AS n", "v")));
    }
}
