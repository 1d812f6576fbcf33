package io.penstock.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.format.header.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The same changes make the same log, and the same log makes the same state, byte by byte: published live by two shards, read
 * again from the log, and gone on with after that.
 */
class ShardPathsTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_125L);
    private static final int SEED_COUNT = Integer.getInteger("penstock.seeds", 20);
    private static final int STEP_COUNT = 300;
    private static final long SOON_NS = 50;
    private static final long LATE_NS = PathShard.LATE_NS;

    @Test
    void shouldMakeTheSameLogAndStateWhenChangesAreTheSame() {
        for (long seed = SEED; seed < SEED + SEED_COUNT; seed++) {
            final List<Consumer<PathShard>> steps = steps(new Random(seed), STEP_COUNT, SOON_NS);
            try (PathShard one = new PathShard();
                    PathShard other = new PathShard()) {
                one.begin();
                other.begin();
                steps.forEach(one::run);
                steps.forEach(other::run);

                assertThat(other.window()).as("window, seed %d", seed).isEqualTo(one.window());
                assertThat(other.state()).as("state, seed %d", seed).isEqualTo(one.state());
            }
        }
    }

    @Test
    void shouldMakeTheSameStateAndGoOnAlikeWhenTheLogIsReadAgain() {
        for (long seed = SEED; seed < SEED + SEED_COUNT; seed++) {
            final Random random = new Random(seed);
            final List<Consumer<PathShard>> steps = steps(random, STEP_COUNT, SOON_NS);
            final List<Consumer<PathShard>> more = steps(random, STEP_COUNT, LATE_NS);
            try (PathShard live = new PathShard();
                    PathShard recovered = new PathShard()) {
                live.begin();
                steps.forEach(live::run);
                final List<String> records = live.records();
                recovered.replay(live);

                assertThat(recovered.state()).as("state, seed %d", seed).isEqualTo(live.state());

                more.forEach(live::run);
                more.forEach(recovered::run);
                assertThat(recovered.records())
                        .as("records, seed %d", seed)
                        .isEqualTo(live.records()
                                .subList(records.size(), live.records().size()));
                assertThat(recovered.state())
                        .as("state after more, seed %d", seed)
                        .isEqualTo(live.state());
            }
        }
    }

    /** What is done to a shard: the same whichever it is. */
    private static List<Consumer<PathShard>> steps(final Random random, final int count, final long expirationNs) {
        final List<Consumer<PathShard>> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final int id = random.nextInt(20);
            final String region = "r" + random.nextInt(3);
            final String text = "{\"id\":" + id + ",\"region\":\"" + region + "\",\"n\":" + random.nextInt(100) + "}";
            final String part = "{\"id\":" + id + ",\"n\":" + random.nextInt(100) + "}";
            final Headers headers = random.nextInt(3) == 0 ? Headers.of("region", region) : Headers.NONE;
            final int publisher = random.nextInt(3);
            final long expiration = random.nextInt(4) == 0 ? expirationNs + random.nextInt(100) : 0;
            steps.add(
                    switch (random.nextInt(10)) {
                        case 0 -> shard -> shard.publish("plain", text, headers, publisher, false, 0);
                        case 1 -> shard -> shard.publish("given", text, headers, publisher, false, expiration);
                        case 2 -> shard -> shard.delete("keyed", id);
                        case 3 -> shard -> shard.publish("keyed", part, headers, publisher, true, expiration);
                        case 4 -> PathShard::replaceTopic;
                        default -> shard -> shard.publish("keyed", text, headers, publisher, false, expiration);
                    });
        }
        return steps;
    }
}
