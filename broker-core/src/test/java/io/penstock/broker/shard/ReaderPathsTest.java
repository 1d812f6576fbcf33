package io.penstock.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.shard.recovery.ImageFile;
import io.penstock.broker.shard.store.Snapshot;
import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateSettings;
import io.penstock.format.header.Headers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a shard writes is a function of what is done to it: readers of one, its memory, and starts from its log or from a
 * snapshot in the middle change nothing, byte by byte.
 */
class ReaderPathsTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_125L);
    private static final int SEED_COUNT = Integer.getInteger("penstock.seeds", 20);
    private static final int STEP_COUNT = 250;
    private static final int KEY_COUNT = 60;
    private static final int GROUP_COUNT = 8;
    private static final StateSettings OTHER_MEMORY =
            new StateSettings(1 << 25, 1 << 17, 1 << 14, 1024, 0, 1 << 20, 0);

    @TempDir
    private Path directory;

    @Test
    void shouldWriteTheSameWhenReadersHoldSnapshots() {
        for (long seed = SEED; seed < SEED + SEED_COUNT; seed++) {
            final List<Consumer<PathShard>> steps = steps(new Random(seed), STEP_COUNT);
            try (PathShard one = new PathShard();
                    PathShard other = new PathShard(OTHER_MEMORY)) {
                one.begin();
                other.begin();
                final Readers readers = new Readers(new Random(~seed), other);
                for (final Consumer<PathShard> step : steps) {
                    one.run(step);
                    other.run(step);
                    readers.run();
                }
                shouldBeSame(other.records(), one.records(), seed);
                assertThat(other.deletedCount()).isEqualTo(one.deletedCount());
                assertThat(other.state()).as("state, seed %d", seed).isEqualTo(one.state());
            }
        }
    }

    @Test
    void shouldRefuseTheSameWhenTheStateIsFull() throws IOException {
        final long liveLengthMax = 30_000;
        long refusedCount = 0;
        for (long seed = SEED; seed < SEED + SEED_COUNT; seed++) {
            final Random random = new Random(seed);
            final List<Consumer<PathShard>> steps = steps(random, STEP_COUNT);
            final List<Consumer<PathShard>> more = steps(random, STEP_COUNT);
            try (PathShard one = new PathShard(bounded(PathShard.SETTINGS, liveLengthMax));
                    PathShard other = new PathShard(bounded(OTHER_MEMORY, liveLengthMax));
                    PathShard started = new PathShard(bounded(OTHER_MEMORY, liveLengthMax))) {
                one.begin();
                other.begin();
                final Readers readers = new Readers(new Random(~seed), other);
                for (final Consumer<PathShard> step : steps) {
                    one.run(step);
                    other.run(step);
                    readers.run();
                }
                assertThat(one.refusedCount()).isEqualTo(other.refusedCount());
                refusedCount += one.refusedCount();
                shouldBeSame(other.records(), one.records(), seed);
                // What had no room before the start may have some now.
                started.keepRows();
                started.restore(other.image(directory.resolve("full" + seed)), one);
                shouldGoOnAlike(one, started, more, seed);
            }
        }
        assertThat(refusedCount).isPositive();
    }

    private static StateSettings bounded(final StateSettings settings, final long liveLengthMax) {
        return new StateSettings(
                settings.memoryLengthMax(),
                settings.chunkLength(),
                settings.versionLengthMax(),
                settings.messageLengthMax(),
                settings.queryAgentCount(),
                settings.historyLengthMax(),
                settings.columnLengthMax(),
                liveLengthMax);
    }

    @Test
    void shouldGoOnAlikeWhenStartedFromItsLogInTheMiddle() {
        for (long seed = SEED; seed < SEED + SEED_COUNT; seed++) {
            final Random random = new Random(seed);
            final List<Consumer<PathShard>> steps = steps(random, STEP_COUNT);
            final List<Consumer<PathShard>> more = steps(random, STEP_COUNT);
            try (PathShard live = new PathShard();
                    PathShard started = new PathShard(OTHER_MEMORY)) {
                live.begin();
                steps.forEach(live::run);
                started.replay(live);
                shouldGoOnAlike(live, started, more, seed);
            }
        }
    }

    @Test
    void shouldGoOnAlikeWhenStartedFromASnapshotInTheMiddle() throws IOException {
        for (long seed = SEED; seed < SEED + SEED_COUNT; seed++) {
            final Random random = new Random(seed);
            final List<Consumer<PathShard>> steps = steps(random, STEP_COUNT);
            final List<Consumer<PathShard>> afterImage = steps(random, random.nextInt(3) * STEP_COUNT / 2);
            final List<Consumer<PathShard>> more = steps(random, STEP_COUNT);
            try (PathShard live = new PathShard();
                    PathShard started = new PathShard(OTHER_MEMORY)) {
                live.begin();
                // Rows of the shard whose image it is are numbered as its readers made it.
                final Readers readers = new Readers(new Random(~seed), live);
                for (final Consumer<PathShard> step : steps) {
                    live.run(step);
                    readers.run();
                }
                final ImageFile image = live.image(directory.resolve("seed" + seed));
                afterImage.forEach(live::run);
                started.restore(image, live);
                shouldGoOnAlike(live, started, more, seed);
            }
        }
    }

    @Test
    void shouldComputeViewsAlikeWhenTheyAreOthersAfterAStart() throws IOException {
        for (long seed = SEED; seed < SEED + SEED_COUNT; seed++) {
            final List<Consumer<PathShard>> steps = steps(new Random(seed), STEP_COUNT);
            try (PathShard live = new PathShard();
                    PathShard fromLog = new PathShard();
                    PathShard fromImage = new PathShard(OTHER_MEMORY)) {
                live.begin();
                final Readers readers = new Readers(new Random(~seed), live);
                for (final Consumer<PathShard> step : steps) {
                    live.run(step);
                    readers.run();
                }
                fromLog.wanted("n > 60");
                fromLog.replay(live);
                fromImage.wanted("n > 60");
                fromImage.restore(live.image(directory.resolve("other" + seed)), live);
                assertThat(fromLog.records()).isNotEmpty();
                shouldBeSame(fromImage.records(), fromLog.records(), seed);
            }
        }
    }

    private static void shouldGoOnAlike(
            final PathShard live, final PathShard started, final List<Consumer<PathShard>> more, final long seed) {
        assertThat(started.records()).as("written by the start, seed %d", seed).isEmpty();
        assertThat(started.state()).as("state at the start, seed %d", seed).isEqualTo(live.state());
        final int count = live.records().size();
        final Readers readers = new Readers(new Random(~seed), started);
        for (final Consumer<PathShard> step : more) {
            live.run(step);
            started.run(step);
            readers.run();
        }
        final List<String> records = live.records();
        shouldBeSame(started.records(), records.subList(count, records.size()), seed);
        assertThat(started.state()).as("state, seed %d", seed).isEqualTo(live.state());
    }

    /** Compares one after the other: there are very many. */
    private static void shouldBeSame(final List<String> records, final List<String> expected, final long seed) {
        for (int i = 0; i < Math.min(records.size(), expected.size()); i++) {
            assertThat(records.get(i)).as("record %d, seed %d", i, seed).isEqualTo(expected.get(i));
        }
        assertThat(records.size()).as("count of records, seed %d", seed).isEqualTo(expected.size());
    }

    /** What is done to a shard: the same whichever it is. Expirations come due together, some of them at one time. */
    private static List<Consumer<PathShard>> steps(final Random random, final int count) {
        final List<Consumer<PathShard>> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final String topic = random.nextInt(3) == 0 ? "given" : "keyed";
            final long passing = random.nextInt(30) == 0 ? 400 + random.nextInt(200) : 0;
            final int id = random.nextInt(KEY_COUNT);
            steps.add(
                    switch (random.nextInt(30) == 0 ? -1 : random.nextInt(8)) {
                        case -1 -> random.nextBoolean()
                                ? shard -> shard.find("keyed")
                                : shard -> shard.deleteFound("keyed", "n > 80");
                        case 0 -> shard -> shard.delete("keyed", id);
                        case 1 -> PathShard::replaceTopic;
                        case 2 -> batch(random, topic, 1 + random.nextInt(12), passing);
                        default -> batch(random, topic, 1, passing);
                    });
        }
        return steps;
    }

    /** Messages of one batch. */
    private static Consumer<PathShard> batch(
            final Random random, final String topic, final int count, final long passing) {
        final List<Consumer<PathShard>> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final int id = random.nextInt(KEY_COUNT);
            final String text = "{\"id\":" + id + ",\"region\":\"r" + random.nextInt(GROUP_COUNT) + "\",\"n\":"
                    + random.nextInt(100) + ",\"text\":\"" + "x".repeat(random.nextInt(50)) + "\"}";
            final boolean isDelta = topic.equals("keyed") && random.nextInt(4) == 0;
            final String message = isDelta ? "{\"id\":" + id + ",\"n\":" + random.nextInt(100) + "}" : text;
            final long expiration = random.nextInt(2) == 0 ? 100L * (1 + random.nextInt(4)) : 0;
            final int publisher = random.nextInt(3);
            messages.add(
                    shard -> shard.publish(topic, message, Headers.NONE, publisher, isDelta, expiration));
        }
        return shard -> {
            messages.forEach(message -> message.accept(shard));
            shard.pass(passing);
        };
    }

    /** Readers of a shard, which open snapshots and close them. */
    private static final class Readers {
        private final Random random;
        private final PathShard shard;
        private final Deque<Snapshot> open = new ArrayDeque<>();

        Readers(final Random random, final PathShard shard) {
            this.random = random;
            this.shard = shard;
        }

        void run() {
            final Snapshots snapshots = shard.shard().state().snapshots();
            final int choice = random.nextInt(20);
            if (choice == 0 && open.size() < 5) {
                open.add(snapshots.open(shard.shard().commands().newestSequence()));
            } else if (choice == 1 && !open.isEmpty()) {
                snapshots.close(random.nextBoolean() ? open.removeFirst() : open.removeLast());
            }
        }
    }
}
