package io.penstock.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class LookWheelTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long START_NS = -5_000_000_000L;

    private final LookWheel wheel = new LookWheel(64, START_NS);
    private final List<Integer> looked = new ArrayList<>();

    @Test
    void shouldLookOnceWhenDueAndNotBefore() {
        wheel.schedule(3, START_NS + 100 * MS);
        poll(99 * MS);
        assertThat(looked).isEmpty();
        poll(102 * MS);
        assertThat(looked).containsExactly(3);
        poll(10_000 * MS);
        assertThat(looked).containsExactly(3);
    }

    @Test
    void shouldLookAtTheLastTimeWhenScheduledAgain() {
        wheel.schedule(3, START_NS + 100 * MS);
        wheel.schedule(4, START_NS + 100 * MS);
        wheel.schedule(3, START_NS + 300 * MS);
        wheel.schedule(5, START_NS + 100 * MS);
        wheel.cancel(5);
        wheel.cancel(5);
        poll(200 * MS);
        assertThat(looked).containsExactly(4);
        poll(302 * MS);
        assertThat(looked).containsExactly(4, 3);
    }

    @Test
    void shouldLeaveWhatHasNoRoomForTheNextTime() {
        for (int slot = 0; slot < 40; slot++) {
            wheel.schedule(slot, START_NS + 100 * MS);
        }
        assertThat(poll(200 * MS, 1, 16)).isEqualTo(16);
        assertThat(looked).hasSize(16);
        assertThat(poll(200 * MS, 8, 16)).isEqualTo(16);
        assertThat(looked).hasSize(18);
        assertThat(poll(200 * MS, 1, 64)).isEqualTo(22);
        assertThat(looked).doesNotHaveDuplicates().hasSize(40);
        assertThat(poll(200 * MS, 1, 64)).isZero();
    }

    @Test
    void shouldLookEarlyAtWhatIsFarAway() {
        wheel.schedule(1, START_NS + TimeUnit.HOURS.toNanos(1));
        poll(TimeUnit.SECONDS.toNanos(5));
        assertThat(looked).isEmpty();
        poll(TimeUnit.SECONDS.toNanos(9));
        assertThat(looked).containsExactly(1);
    }

    @Test
    void shouldSeeAllAfterALongPause() {
        for (int slot = 0; slot < 64; slot++) {
            wheel.schedule(slot, START_NS + slot * 100L * MS);
        }
        poll(TimeUnit.DAYS.toNanos(1));
        assertThat(looked).doesNotHaveDuplicates().hasSize(64);
        wheel.schedule(7, START_NS + TimeUnit.DAYS.toNanos(1) + 50 * MS);
        poll(TimeUnit.DAYS.toNanos(1) + 40 * MS);
        assertThat(looked).hasSize(64);
        poll(TimeUnit.DAYS.toNanos(1) + 60 * MS);
        assertThat(looked).hasSize(65);
    }

    @Test
    void shouldNotLookAgainInTheSameTickWhenScheduledForThePast() {
        wheel.schedule(2, START_NS);
        wheel.poll(
                START_NS + 10 * MS,
                slot -> {
                    looked.add(slot);
                    wheel.schedule(slot, START_NS + 10 * MS);
                    return 1;
                },
                1000);
        assertThat(looked.size()).isBetween(1, 10);
    }

    @Test
    void shouldAgreeWithASortedMap() {
        final long seed = 42;
        final Random random = new Random(seed);
        final TreeMap<Integer, Long> due = new TreeMap<>();
        long nowNs = START_NS;
        for (int step = 0; step < 20_000; step++) {
            final int slot = random.nextInt(64);
            if (random.nextInt(4) == 0) {
                wheel.cancel(slot);
                due.remove(slot);
            } else {
                final long timeNs = nowNs + 2 * LookWheel.TICK_NS + random.nextInt(3_000) * MS;
                wheel.schedule(slot, timeNs);
                due.put(slot, timeNs);
            }
            nowNs += random.nextInt(40) * MS;
            final long atNs = nowNs;
            wheel.poll(
                    nowNs,
                    of -> {
                        final Long timeNs = due.remove(of);
                        assertThat(timeNs).as("seed %d, slot %d", seed, of).isNotNull();
                        assertThat(timeNs).isLessThanOrEqualTo(atNs);
                        return 1;
                    },
                    1000);
            assertThat(due.values()).allMatch(timeNs -> timeNs > atNs - 2 * LookWheel.TICK_NS);
        }
    }

    private void poll(final long afterNs) {
        poll(afterNs, 1, 1000);
    }

    private int poll(final long afterNs, final int cost, final int budget) {
        return wheel.poll(
                START_NS + afterNs,
                slot -> {
                    looked.add(slot);
                    return cost;
                },
                budget);
    }
}
