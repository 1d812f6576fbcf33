package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.sink.IndexEntry;
import io.penstock.broker.sink.IndexReader;
import io.penstock.broker.storage.DiskStorage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many producers that deliver, die, come back and deliver again, to brokers that are started again and whose disk is full
 * at times; beside a model that knows each block and what was said of it.
 */
class SinkModelTest {
    private static final int SEEDS =
            Integer.getInteger("penstock.seeds", Boolean.getBoolean("penstock.second") ? 4 : 12);
    private static final int PRODUCERS = 6;
    private static final int STEPS = 400;
    private static final int MEMORY = 512 * 1024;

    @TempDir
    Path directory;

    /** One producer: its blocks by their ids, and those that were reported to it as stored. */
    private final class Producer {
        private final String name;
        private final Map<Long, byte[]> blocks = new HashMap<>();
        private final Set<Long> open = new HashSet<>();
        private final Map<Long, Integer> sent = new HashMap<>();
        private SinkClient client;
        private int seenStored;
        private int seenErrors;
        private long lastId;

        private Producer(final int index) {
            name = "p" + index;
        }

        private void connect(final TestBroker test) {
            client = SinkClient.open(test, "events", name);
            seenStored = 0;
            seenErrors = 0;
            sent.clear();
            for (final long id : new TreeMap<>(asMap(open)).keySet()) {
                client.offer(id, blocks.get(id));
            }
        }

        private void offerNew(final Random random) {
            final byte[] block = new byte[1 + random.nextInt(random.nextInt(4) == 0 ? 200_000 : 2_000)];
            random.nextBytes(block);
            lastId += 1 + random.nextInt(3);
            blocks.put(lastId, block);
            open.add(lastId);
            client.offer(lastId, block);
        }

        /** Sends a part of a block that was granted. */
        private void sendSome(final Random random) {
            for (final long id : client.granted) {
                final int at = sent.getOrDefault(id, 0);
                final byte[] block = blocks.get(id);
                if (at < block.length && random.nextBoolean()) {
                    final int length = Math.min(block.length - at, 1 + random.nextInt(60_000));
                    sent.put(id, at + length);
                    client.data(id, at, Arrays.copyOfRange(block, at, at + length));
                    return;
                }
            }
        }

        private void listen(final long seed) {
            for (; seenStored < client.stored.size(); seenStored++) {
                final SinkClient.Stored each = client.stored.get(seenStored);
                assertThat(open.remove(each.blockId()))
                        .as("seed %d: %s", seed, each)
                        .isTrue();
                reported.computeIfAbsent(name, key -> new HashSet<>()).add(each.blockId());
                if (each.number() > 0) {
                    placeByNumber.put(each.number(), new Place(name, each.blockId(), each.offset()));
                }
            }
            for (; seenErrors < client.raw.errors.size(); seenErrors++) {
                final String event = client.raw.events.stream()
                        .filter(each -> each.startsWith("error"))
                        .skip(seenErrors)
                        .findFirst()
                        .orElseThrow();
                assertThat(event).as("seed %d", seed).endsWith("SINK_FULL");
            }
        }
    }

    private record Place(String producer, long id, long offset) {}

    private final Map<String, Set<Long>> reported = new HashMap<>();
    private final TreeMap<Long, Place> placeByNumber = new TreeMap<>();

    private static Map<Long, Boolean> asMap(final Set<Long> ids) {
        final Map<Long, Boolean> map = new HashMap<>();
        ids.forEach(id -> map.put(id, true));
        return map;
    }

    static List<Long> seeds() {
        final Long only = Long.getLong("penstock.seed");
        if (only != null) {
            return List.of(only);
        }
        final List<Long> seeds = new ArrayList<>();
        for (long i = 1; i <= SEEDS; i++) {
            seeds.add(i);
        }
        return seeds;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldHoldEachBlockOnceAndWholeWhateverHappens(final long seed) throws IOException {
        final Random random = new Random(seed);
        final HeldStorage.Gate disk = new HeldStorage.Gate();
        final List<Producer> producers = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            producers.add(new Producer(i));
        }
        for (int life = 0; life < 3; life++) {
            try (TestBroker test = broker(disk)) {
                producers.forEach(producer -> producer.connect(test));
                for (int step = 0; step < STEPS; step++) {
                    step(random, test, producers.get(random.nextInt(PRODUCERS)), disk);
                    producers.forEach(producer -> producer.listen(seed));
                }
                disk.mend();
                if (life == 2) {
                    finish(test, producers, seed);
                }
                test.takeErrors();
            }
        }

        check(producers, seed);
    }

    private TestBroker broker(final HeldStorage.Gate disk) {
        return new TestBroker(builder -> builder.storage(path -> new HeldStorage(DiskStorage.open(path), disk))
                .sinks(SinksConfig.in(directory.toString(), SinkConfig.named("events"))
                        .withMemory(MEMORY, 256 * 1024)));
    }

    private static void step(
            final Random random, final TestBroker test, final Producer producer, final HeldStorage.Gate disk) {
        final int what = random.nextInt(100);
        if (what < 30 && producer.open.size() < 10) {
            producer.offerNew(random);
        } else if (what < 90) {
            producer.sendSome(random);
        } else if (what < 94) {
            producer.client.raw.disconnect();
            producer.connect(test);
        } else if (what < 96) {
            // The broker has not seen yet that the connection before has ended.
            producer.connect(test);
        } else if (what < 97) {
            if (disk.isFull()) {
                disk.mend();
            } else {
                disk.fill();
            }
        }
        if (random.nextBoolean()) {
            test.cycle();
        }
    }

    /** Delivers all that is not answered; what was refused meanwhile is offered on a new connection. */
    private static void finish(final TestBroker test, final List<Producer> producers, final long seed) {
        for (final Producer producer : producers) {
            producer.client.raw.disconnect();
            producer.connect(test);
        }
        final Random random = new Random(seed);
        for (int i = 0; producers.stream().anyMatch(each -> !each.open.isEmpty()); i++) {
            for (final Producer producer : producers) {
                producer.sendSome(random);
                test.cycle();
                producer.listen(seed);
            }
            assertThat(i).as("seed %d: some are still open", seed).isLessThan(100_000);
        }
    }

    private void check(final List<Producer> producers, final long seed) throws IOException {
        final ByteArrayOutputStream expected = new ByteArrayOutputStream();
        final Map<String, Set<Long>> stored = new HashMap<>();
        final byte[] file = Files.readAllBytes(directory.resolve("events"));
        long blockCount = 0;
        for (final var entry : entries()) {
            final byte[] block = producers.stream()
                    .filter(each -> each.name.equals(entry.producer()))
                    .findFirst()
                    .orElseThrow()
                    .blocks
                    .get(entry.blockId());
            assertThat(entry.number()).as("seed %d", seed).isEqualTo(++blockCount);
            assertThat(entry.offset()).as("seed %d", seed).isEqualTo(expected.size());
            assertThat(stored.computeIfAbsent(entry.producer(), key -> new HashSet<>())
                            .add(entry.blockId()))
                    .as("seed %d: stored twice: %s", seed, entry)
                    .isTrue();
            final Place place = placeByNumber.get(entry.number());
            if (place != null) {
                assertThat(place)
                        .as("seed %d", seed)
                        .isEqualTo(new Place(entry.producer(), entry.blockId(), entry.offset()));
            }
            expected.write(block);
        }
        assertThat(file).as("seed %d", seed).isEqualTo(expected.toByteArray());
        assertThat(stored).as("seed %d: blocks reported to producers", seed).isEqualTo(reported);
        assertThat(producers)
                .allSatisfy(producer -> assertThat(producer.blocks.keySet())
                        .as("seed %d", seed)
                        .isEqualTo(stored.getOrDefault(producer.name, Set.of())));
    }

    private List<IndexEntry> entries() throws IOException {
        final List<IndexEntry> entries = new ArrayList<>();
        try (var index = DiskStorage.open(directory.toString()).open("events.blocks", false);
                var reader = new IndexReader(index, "index")) {
            IndexEntry entry;
            while ((entry = reader.next()) != null) {
                if (entry.isBlock()) {
                    entries.add(entry);
                }
            }
            assertThat(reader.isCutOff() || reader.isDamaged()).isFalse();
        }
        return entries;
    }
}
