package io.penstock.broker.query.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockClaimsTest {
    private static final int THREAD_COUNT = 3;
    private static final int COUNT = 20_000;
    private static final int ROUND_COUNT = 200_000;

    @ParameterizedTest
    @CsvSource({"1, 0", "5, 3", "63, 62", "64, 0", "64, 63", "65, 64", "200, 70", "200, 200", "7, 900"})
    void shouldTakeEachBlockOnceFromOneOnAndThenFromTheFirst(final int count, final int from) {
        final BlockClaims claims = new BlockClaims(count);
        final List<Integer> taken = new ArrayList<>();
        int block = claims.take(from);
        while (block != BlockClaims.NONE) {
            taken.add(block);
            block = claims.take(block);
        }
        final List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            expected.add((from >= count ? i : from + i) % count);
        }
        assertThat(taken).isEqualTo(expected);
        assertThat(claims.isEmpty()).isTrue();
        assertThat(claims.count()).isEqualTo(count);
    }

    @Test
    void shouldHaveNoneWhenThereAreNoRows() {
        final BlockClaims claims = new BlockClaims(0);
        assertThat(claims.isEmpty()).isTrue();
        assertThat(claims.take(0)).isEqualTo(BlockClaims.NONE);
    }

    @Test
    void shouldBeEmptyForWhomeverItHasNoneWhenAnotherOneHasJustTakenTheLast() throws InterruptedException {
        final AtomicReference<BlockClaims> shared = new AtomicReference<>(new BlockClaims(1));
        final AtomicInteger lateCount = new AtomicInteger();
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREAD_COUNT; i++) {
            threads.add(new Thread(() -> {
                for (int round = 0; round < ROUND_COUNT; round++) {
                    final BlockClaims claims = shared.getAcquire();
                    if (claims.take(0) == BlockClaims.NONE) {
                        lateCount.addAndGet(claims.isEmpty() ? 0 : 1);
                    } else {
                        shared.setRelease(new BlockClaims(1));
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (final Thread thread : threads) {
            thread.join();
        }
        assertThat(lateCount).hasValue(0);
    }

    @Test
    void shouldGiveEachBlockToOneThreadWhenSeveralTakeThem() throws InterruptedException {
        final BlockClaims claims = new BlockClaims(COUNT);
        final AtomicIntegerArray times = new AtomicIntegerArray(COUNT);
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREAD_COUNT; i++) {
            // Two of them from the same block on.
            final int first = i / 2 * COUNT / 2;
            threads.add(new Thread(() -> {
                int block = claims.take(first);
                while (block != BlockClaims.NONE) {
                    times.getAndIncrement(block);
                    block = claims.take(block);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (final Thread thread : threads) {
            thread.join();
        }
        for (int i = 0; i < COUNT; i++) {
            assertThat(times.get(i)).as("block %d", i).isEqualTo(1);
        }
    }
}
