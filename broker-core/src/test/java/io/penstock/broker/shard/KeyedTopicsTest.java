package io.penstock.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.shard.match.FollowOptions;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a message and a duty cycle cost does not grow with the keyed topics that have nothing to do. */
class KeyedTopicsTest {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int MANY = 10_000;
    private static final int CYCLES = 200;
    private static final long LATER_NS = TimeUnit.HOURS.toNanos(1);
    private static final FollowOptions OOF = new FollowOptions(true, false, false, null, 0, null);

    @Test
    void shouldLookAtNoTopicThatHasNothingToDoWhenThereAreManyOfThem() {
        assertThat(looks(MANY, shard -> {})).isEqualTo(looks(1, shard -> {}));
    }

    @Test
    void shouldLookAtNoOtherTopicWhenRecordsOfAllExpireLater() {
        final Consumer<StateShard> expireLater = shard -> {
            for (int i = 0; i < shard.topics.size(); i++) {
                shard.publish(i, -1, LATER_NS + i);
            }
        };
        assertThat(looks(MANY, expireLater)).isEqualTo(looks(1, expireLater));
    }

    @Test
    void shouldLookAtNoOtherTopicWhenAllAreFollowed() {
        final Consumer<StateShard> follow = shard -> {
            for (int i = 0; i < shard.topics.size(); i++) {
                shard.follow(i, i + 1, OOF);
            }
        };
        assertThat(looks(1_000, follow)).isEqualTo(looks(1, follow));
    }

    @Test
    void shouldLookAtNoOtherTopicWhenAllKeepVersionsForASnapshot() {
        final Consumer<StateShard> keep = shard -> {
            shard.state.snapshots().open(shard.sequencer.shard().commands().newestSequence());
            for (int i = 0; i < shard.topics.size(); i++) {
                shard.publish(i, -1, 0);
                shard.publish(i, -1, 0);
            }
        };
        assertThat(looks(MANY, keep)).isEqualTo(looks(1, keep));
    }

    @Test
    void shouldLookAtEachTopicOnceWhenRecordsOfAllExpire() {
        try (StateShard shard = new StateShard(MANY)) {
            for (int i = 0; i < MANY; i++) {
                shard.publish(i, -1, 1_000 + i);
            }
            final long before = shard.state.lookCount();
            shard.clock.advance(LATER_NS);
            for (int i = 0; shard.state.mayExpire(shard.clock.nanoTime()); i++) {
                assertThat(i).isLessThan(MANY);
                shard.cycle();
            }
            assertThat(shard.state.lookCount() - before).isLessThanOrEqualTo(2L * MANY);
            assertThat(shard.state.topics().stream()
                            .mapToLong(topic -> topic.store().liveCount()))
                    .containsOnly(0L);
        }
    }

    @Test
    void shouldCostWhatOneTopicCostsWhenThereAreTenThousand() {
        try (StateShard one = new StateShard(1);
                StateShard many = new StateShard(MANY)) {
            final double[] ratios = new double[15];
            for (int i = 0; i < ratios.length; i++) {
                // One after the other, so that what else the machine does meets both.
                final long oneNs = Math.min(time(one), time(one));
                final long manyNs = Math.min(time(many), time(many));
                ratios[i] = (double) manyNs / oneNs;
            }
            Arrays.sort(ratios);
            System.out.printf("10,000 keyed topics cost %.3f of one%n", ratios[ratios.length / 2]);
            assertThat(ratios[ratios.length / 2]).isLessThan(1.5);
        }
    }

    /** How often topics are looked at while one of them is published to, a message in each duty cycle. */
    private static long looks(final int topicCount, final Consumer<StateShard> before) {
        try (StateShard shard = new StateShard(topicCount)) {
            before.accept(shard);
            for (int i = 0; i < MANY; i++) {
                shard.cycle();
            }
            final long start = shard.state.lookCount();
            run(shard);
            return shard.state.lookCount() - start;
        }
    }

    private static long time(final StateShard shard) {
        final long startNs = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < 10; i++) {
            run(shard);
        }
        return THREADS.getCurrentThreadCpuTime() - startNs;
    }

    private static void run(final StateShard shard) {
        for (int i = 0; i < CYCLES; i++) {
            shard.clock.advance(1_000);
            shard.publish(shard.topics.size() / 2, i % 10, 0);
            shard.cycle();
        }
    }
}
