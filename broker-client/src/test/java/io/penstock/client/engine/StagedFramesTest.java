package io.penstock.client.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StagedFramesTest {
    private static final int PAYLOAD = StagedFrames.PAYLOAD_LENGTH_MIN;
    private static final int HEADER = StagedFrames.HEADER_LENGTH;
    private static final int SHORT = PAYLOAD + HEADER;
    private static final int TWICE = 2 * PAYLOAD + HEADER;
    private static final int FOUR_TIMES = 4 * PAYLOAD + HEADER;
    private static final int LONGEST = 7 * PAYLOAD;
    private static final int LENGTH = 16 * SHORT;

    private final StagedFrames frames = new StagedFrames(LENGTH, LONGEST);

    @AfterEach
    void close() {
        frames.close();
    }

    private List<StagedFrames.Slot> takeAll(final int frameLength) {
        final List<StagedFrames.Slot> slots = new ArrayList<>();
        StagedFrames.Slot slot = frames.take(frameLength);
        while (slot != null) {
            assertThat(slot.buffer().capacity()).isGreaterThanOrEqualTo(frameLength);
            assertThat(frames.at(slot.index())).isSameAs(slot);
            slots.add(slot);
            slot = frames.take(frameLength);
        }
        return slots;
    }

    private StagedFrames.Slot take(final int frameLength) {
        return requireNonNull(frames.take(frameLength));
    }

    @Test
    void shouldBoundWhatIsTakenInBytes() {
        assertThat(takeAll(SHORT)).hasSize(16).doesNotHaveDuplicates();
    }

    @Test
    void shouldTakeFramesOfAllLengths() {
        assertThat(take(1).buffer().capacity()).isEqualTo(SHORT);
        assertThat(take(SHORT + 1).buffer().capacity()).isEqualTo(TWICE);
        assertThat(take(FOUR_TIMES).buffer().capacity()).isEqualTo(FOUR_TIMES);
        assertThat(take(FOUR_TIMES + 1).buffer().capacity()).isEqualTo(LONGEST);
        assertThat(takeAll(SHORT)).hasSize((LENGTH - SHORT - TWICE - FOUR_TIMES - LONGEST) / SHORT);
    }

    @Test
    void shouldNotTakeTwiceTheLengthForARoundOneAndItsHeader() {
        assertThat(take(4 * PAYLOAD + 100).buffer().capacity()).isEqualTo(FOUR_TIMES);
    }

    @Test
    void shouldUseSlotsAgainThatAreGivenBack() {
        final List<StagedFrames.Slot> slots = takeAll(SHORT);
        frames.release(slots.get(3));
        assertThat(frames.take(SHORT)).isSameAs(slots.get(3));
        assertThat(frames.take(SHORT)).isNull();
    }

    @Test
    void shouldGiveTheMemoryOfShortFramesToLongOnes() {
        takeAll(SHORT).forEach(frames::release);
        final List<StagedFrames.Slot> slots = takeAll(LONGEST);
        assertThat(slots).hasSize(2);
        assertThat(takeAll(SHORT)).hasSize(2);
    }

    @Test
    void shouldGiveTheMemoryOfLongFramesToShortOnes() {
        takeAll(LONGEST).forEach(frames::release);
        assertThat(takeAll(SHORT)).hasSize(16);
    }

    @Test
    void shouldLendASlotOfTwiceTheLength() {
        final List<StagedFrames.Slot> lent = takeAll(TWICE);
        lent.forEach(frames::release);
        final int unusedCount = (LENGTH - lent.size() * TWICE) / SHORT;
        assertThat(takeAll(SHORT)).hasSize(lent.size() + unusedCount).containsAll(lent);
    }

    @Test
    void shouldKeepUnusedSlotsWhenTheirMemoryDoesNotSuffice() {
        final List<StagedFrames.Slot> slots = takeAll(SHORT);
        slots.subList(0, 6).forEach(frames::release);
        assertThat(frames.take(LONGEST)).isNull();
        for (final StagedFrames.Slot each : slots.subList(0, 6)) {
            assertThat(each.buffer().capacity()).isEqualTo(SHORT);
        }
        frames.release(slots.get(6));
        assertThat(take(LONGEST).buffer().capacity()).isEqualTo(LONGEST);
    }

    @Test
    void shouldTakeTheLongestFrameWhateverTheBound() {
        final StagedFrames small = new StagedFrames(0, LONGEST);
        final StagedFrames.Slot slot = requireNonNull(small.take(LONGEST));
        assertThat(slot.buffer().capacity()).isEqualTo(LONGEST);
        assertThat(small.take(1)).isNull();
        small.release(slot);
        small.close();
    }

    @RepeatedTest(20)
    void shouldGiveASlotToOneThreadAtATime() throws Exception {
        final int threadCount = 4;
        final AtomicLong inUse = new AtomicLong();
        final ExecutorService threads = Executors.newFixedThreadPool(threadCount);
        try {
            final List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < threadCount; i++) {
                all.add(threads.submit(takeAndGive(i, inUse)));
            }
            for (final Future<Integer> each : all) {
                assertThat(each.get()).isPositive();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(inUse).hasValue(0);
        // Nothing is lost. A short frame may get a slot of twice its length, so what is left is not always two of them.
        assertThat(takeAll(LONGEST)).hasSize(2);
        int unused = LENGTH - 2 * LONGEST;
        for (final StagedFrames.Slot each : takeAll(SHORT)) {
            unused -= each.buffer().capacity();
        }
        assertThat(unused).isBetween(0, SHORT - 1);
    }

    private Callable<Integer> takeAndGive(final int seed, final AtomicLong inUse) {
        return () -> {
            final Random random = new Random(seed);
            final Queue<StagedFrames.Slot> mine = new ArrayDeque<>();
            int takenCount = 0;
            while (takenCount < 2_000) {
                final int frameLength = 1 + random.nextInt(random.nextInt(8) == 0 ? LONGEST : 2 * SHORT);
                final StagedFrames.Slot slot = random.nextBoolean() ? frames.take(frameLength) : null;
                if (slot != null) {
                    takenCount++;
                    final int capacity = slot.buffer().capacity();
                    assertThat(capacity).isGreaterThanOrEqualTo(frameLength);
                    assertThat(inUse.addAndGet(capacity)).isLessThanOrEqualTo(LENGTH);
                    slot.buffer().putInt(0, seed);
                    slot.buffer().putInt(capacity - Integer.BYTES, seed);
                    mine.add(slot);
                } else if (!mine.isEmpty()) {
                    give(mine.remove(), seed, inUse);
                }
            }
            mine.forEach(each -> give(each, seed, inUse));
            return takenCount;
        };
    }

    private void give(final StagedFrames.Slot slot, final int seed, final AtomicLong inUse) {
        final int capacity = slot.buffer().capacity();
        assertThat(slot.buffer().getInt(0)).isEqualTo(seed);
        assertThat(slot.buffer().getInt(capacity - Integer.BYTES)).isEqualTo(seed);
        inUse.addAndGet(-capacity);
        frames.release(slot);
    }
}
