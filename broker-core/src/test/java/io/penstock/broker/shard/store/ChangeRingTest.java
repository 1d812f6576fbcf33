package io.penstock.broker.shard.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The last changes of a block: all that were asked for, or the answer that some are gone. */
class ChangeRingTest {
    private final long ring = UnsafeApi.allocateMemory(ChangeRing.LENGTH);
    private final long[] changes = new long[ChangeRing.CAPACITY];

    @BeforeEach
    void clear() {
        ChangeRing.clear(ring);
    }

    @AfterEach
    void free() {
        UnsafeApi.freeMemory(ring);
    }

    @Test
    void shouldHaveNothingWhenNothingHasChanged() {
        assertThat(ChangeRing.read(ring, 0, 100, changes)).isZero();
    }

    @Test
    void shouldGiveChangesOrSayThatTheyAreGoneWhenSequencesAreRandom() {
        final Random random = new Random(1);
        final List<long[]> all = new ArrayList<>();
        long sequence = 1L << 40;
        for (int i = 0; i < 2_000; i++) {
            sequence += random.nextInt(4);
            final int row = random.nextInt(RowTable.BLOCK_LENGTH);
            all.add(new long[] {sequence, row});
            ChangeRing.add(ring, row, sequence);
            final long after = sequence - random.nextInt(120);
            final long upTo = after + random.nextInt(120);
            check(all, after, upTo, ChangeRing.read(ring, after, upTo, changes));
        }
    }

    private void check(final List<long[]> all, final long after, final long upTo, final int count) {
        final List<String> expected = new ArrayList<>();
        int since = 0;
        for (int i = all.size() - 1; i >= 0 && all.get(i)[0] > after; i--) {
            since++;
            if (all.get(i)[0] <= upTo) {
                expected.add(all.get(i)[0] + ":" + all.get(i)[1]);
            }
        }
        if (count < 0) {
            // One place may be about to be overwritten, and one change before the first is looked at.
            assertThat(since).isGreaterThanOrEqualTo(ChangeRing.CAPACITY - 1);
            return;
        }
        final List<String> found = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            found.add(ChangeRing.sequence(changes[i], after) + ":" + ChangeRing.row(changes[i]));
        }
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void shouldMissNoChangeWhenTheWriterGoesOn() throws InterruptedException {
        final AtomicLong applied = new AtomicLong();
        final Thread writer = new Thread(() -> {
            for (long sequence = 1; sequence <= 300_000; sequence++) {
                ChangeRing.add(ring, row(sequence), sequence);
                applied.setRelease(sequence);
            }
        });
        writer.start();
        int answered = 0;
        do {
            final long upTo = applied.getAcquire();
            final long after = Math.max(0, upTo - 20);
            final int count = ChangeRing.read(ring, after, upTo, changes);
            if (count >= 0) {
                answered++;
                assertThat((long) count).isEqualTo(upTo - after);
            }
            for (int i = 0; i < count; i++) {
                assertThat(ChangeRing.sequence(changes[i], after)).isEqualTo(upTo - i);
                assertThat(ChangeRing.row(changes[i])).isEqualTo(row(upTo - i));
            }
        } while (writer.isAlive());
        writer.join();
        assertThat(answered).isPositive();
    }

    private static int row(final long sequence) {
        return (int) (sequence * 7 & RowTable.BLOCK_LENGTH - 1);
    }
}
