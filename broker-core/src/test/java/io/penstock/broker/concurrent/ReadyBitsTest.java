package io.penstock.broker.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ReadyBitsTest {
    private static final int ROUND_COUNT = Integer.getInteger("penstock.seeds", 1) * 50_000;
    private static final long LOST_AFTER_NS = TimeUnit.SECONDS.toNanos(20);

    @Test
    void shouldTakeWhatWasMarkedOnceAndInOrder() {
        final Random random = new Random(1);
        final int slotCount = 200;
        final ReadyBits bits = new ReadyBits(slotCount, () -> {});
        for (int round = 0; round < 1_000; round++) {
            final TreeSet<Integer> marked = new TreeSet<>();
            for (int i = random.nextInt(20); i > 0; i--) {
                final int slot = random.nextInt(slotCount);
                marked.add(slot);
                bits.mark(slot);
            }
            final List<Integer> taken = new ArrayList<>();
            assertThat(bits.take(taken::add)).isEqualTo(marked.size());
            assertThat(taken).containsExactlyElementsOf(marked);
        }
    }

    @Test
    void shouldTakeWhatIsMarkedWhileTaking() {
        final ReadyBits bits = new ReadyBits(64, () -> {});
        final List<Integer> taken = new ArrayList<>();
        bits.mark(3);
        bits.take(slot -> {
            taken.add(slot);
            bits.mark(3);
        });
        bits.take(taken::add);

        assertThat(taken).containsExactly(3, 3);
    }

    @Test
    void shouldWakeTheTakerWhenASlotWasNotMarked() {
        final AtomicLong wakeups = new AtomicLong();
        final ReadyBits bits = new ReadyBits(64, wakeups::incrementAndGet);
        bits.mark(3);
        assertThat(wakeups).hasValue(1);
        bits.mark(3);
        assertThat(wakeups).hasValue(1);
        bits.take(slot -> {});
        bits.mark(3);

        assertThat(wakeups).hasValue(2);
    }

    /** The writer's second mark finds the first one still set while the reader takes it. */
    @Test
    @Timeout(240)
    void shouldNeverLoseWhatWasStoredBeforeAMark() throws InterruptedException {
        final ReadyBits bits = new ReadyBits(64, () -> {});
        final AtomicLong stored = new AtomicLong();
        final AtomicLong seen = new AtomicLong();
        final Thread reader = new Thread(() -> {
            while (seen.get() < 2L * ROUND_COUNT) {
                bits.take(slot -> seen.set(stored.getAcquire()));
            }
        });
        reader.setDaemon(true);
        reader.start();
        for (long i = 1; i <= 2L * ROUND_COUNT; i += 2) {
            stored.setRelease(i);
            bits.mark(5);
            stored.setRelease(i + 1);
            bits.mark(5);
            final long deadlineNs = System.nanoTime() + LOST_AFTER_NS;
            while (seen.get() < i + 1) {
                assertThat(System.nanoTime()).as("lost in round %d", i / 2).isLessThan(deadlineNs);
                Thread.onSpinWait();
            }
        }
        reader.join();
    }
}
