package io.penstock.broker.shard.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateMemoryTest {
    private static final int CHUNK_LENGTH = StateMemory.CHUNK_LENGTH_MIN;
    private static final int SEED_COUNT = Integer.getInteger("penstock.seeds", 30);

    @ParameterizedTest
    @CsvSource({
        "1000000, 100000, chunkLength: not a power of two of 128 KiB to 64 MiB: 100000",
        "1000000, 65536, chunkLength: not a power of two of 128 KiB to 64 MiB: 65536",
        "1000000, 134217728, chunkLength: not a power of two of 128 KiB to 64 MiB: 134217728",
        "1000, 131072, budgetLength: less than one chunk: 1000 (use 131072 or more)"
    })
    void shouldRefuseLengthsWhenTheyDoNotFit(final long budgetLength, final int chunkLength, final String error) {
        assertThatThrownBy(() -> new StateMemory(budgetLength, chunkLength)).hasMessage(error);
    }

    @Test
    void shouldUseTheSpareChunkWhenOneWasPrepared() {
        try (StateMemory memory = new StateMemory(2 * CHUNK_LENGTH, CHUNK_LENGTH)) {
            assertThat(memory.prepare()).isTrue();
            assertThat(memory.prepare()).isFalse();
            assertThat(memory.reservedLength()).isEqualTo(CHUNK_LENGTH);
            assertThat(memory.allocate(100)).isNotZero();
            assertThat(memory.reservedLength()).isEqualTo(CHUNK_LENGTH);
            assertThat(memory.prepare()).isTrue();
            assertThat(memory.reservedLength()).isEqualTo(memory.budgetLength());
            assertThat(memory.allocatePages(7)).isNotZero();
            assertThat(memory.prepare()).as("the budget is spent").isFalse();
        }
    }

    @Test
    void shouldGiveBackOneChunkACallWhenSeveralAreEmpty() {
        try (StateMemory memory = new StateMemory(4 * CHUNK_LENGTH, CHUNK_LENGTH)) {
            final List<Long> runs = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                runs.add(memory.allocatePages(7));
            }
            assertThat(memory.trim()).isFalse();
            runs.forEach(run -> memory.freePages(run, 7));
            for (int i = 3; i > 0; i--) {
                assertThat(memory.trim()).isTrue();
                assertThat(memory.reservedLength()).isEqualTo((long) i * CHUNK_LENGTH);
            }
            assertThat(memory.trim()).as("one stays").isFalse();
            assertThat(memory.prepare()).isTrue();
            assertThat(memory.allocatePages(7)).isNotZero();
        }
    }

    @Test
    void shouldFillEveryPageWhenOneClassIsAllocated() {
        try (StateMemory memory = new StateMemory(CHUNK_LENGTH, CHUNK_LENGTH)) {
            int count = 0;
            while (memory.allocate(160) != 0) {
                count++;
            }
            final int pageCount = (int) memory.usedPageCount();
            assertThat(count).isEqualTo(pageCount * (Page.CAPACITY / 160));
        }
    }

    @Test
    void shouldNeverOverlapAndAlwaysKeepWhatHasRoomWhenAllocatedAndFreedAtRandom() {
        for (int seed = 0; seed < SEED_COUNT; seed++) {
            final Random random = new Random(seed);
            try (StateMemory memory = new StateMemory(12L * CHUNK_LENGTH, CHUNK_LENGTH)) {
                churn(memory, random, "seed " + seed);
                assertThat(memory.usedPageCount()).as("seed %d", seed).isZero();
                while (memory.trim()) {
                    assertThat(memory.reservedLength()).isLessThan(memory.budgetLength());
                }
                assertThat(memory.reservedLength()).isLessThanOrEqualTo(CHUNK_LENGTH);
            }
        }
    }

    /** Each block is filled with its own number, which has to be there when it is freed. */
    private static void churn(final StateMemory memory, final Random random, final String seed) {
        final Map<Long, Integer> lengths = new HashMap<>();
        final List<Long> blocks = new ArrayList<>();
        int refusals = 0;
        for (int step = 0; step < 6_000; step++) {
            if (random.nextInt(5) < 3) {
                final int length = 24 + random.nextInt(1 << (4 + random.nextInt(15)));
                final boolean hasRoom = memory.hasRoom(length);
                final int asked = length > SizeClasses.LENGTH_MAX - 24 ? length : length - 8 * random.nextInt(4) + 1;
                final long block = memory.allocate(Math.min(asked, length));
                assertThat(hasRoom && block == 0)
                        .as("%s: refused though there is room: %d", seed, length)
                        .isFalse();
                if (block == 0) {
                    refusals++;
                } else {
                    assertThat(block % Long.BYTES).isZero();
                    final int filled = Math.min(asked, length);
                    UnsafeApi.setMemory(block, filled, (byte) block(block));
                    lengths.put(block, filled);
                    blocks.add(block);
                }
            } else if (!blocks.isEmpty()) {
                free(memory, blocks.remove(random.nextInt(blocks.size())), lengths, seed);
            }
            assertThat(memory.reservedLength()).isLessThanOrEqualTo(memory.budgetLength());
        }
        assertThat(refusals).as("%s: refusals", seed).isPositive();
        for (final long block : blocks) {
            free(memory, block, lengths, seed);
        }
    }

    private static void free(
            final StateMemory memory, final long block, final Map<Long, Integer> lengths, final String seed) {
        final int length = lengths.remove(block);
        for (int i = 0; i < length; i++) {
            if (UnsafeApi.getByte(block + i) != (byte) block(block)) {
                throw new AssertionError(seed + ": block overwritten: " + block + " at " + i);
            }
        }
        memory.free(block);
    }

    private static int block(final long address) {
        return (int) ((address * 0x9E3779B97F4A7C15L) >>> 56);
    }
}
