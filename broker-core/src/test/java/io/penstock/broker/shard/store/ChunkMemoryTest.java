package io.penstock.broker.shard.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.penstock.nativeaccess.NativeLibrary;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;

class ChunkMemoryTest {
    private static final int LENGTH = 4 << 20;

    @Test
    void shouldBeginAtAHugePageAndLoseNothingWhenChunksAreMapped() {
        assumeThat(NativeLibrary.get().isAvailable()).isTrue();
        final ChunkMemory memory = ChunkMemory.of(LENGTH);
        assertThat(memory.isMapped()).isTrue();
        for (int i = 0; i < 50; i++) {
            final long address = i % 2 == 0 ? memory.take() : memory.takeTouched();
            assertThat(address % ChunkMemory.HUGE_PAGE_LENGTH).isZero();
            UnsafeApi.putByte(address, (byte) 1);
            UnsafeApi.putByte(address + LENGTH - 1, (byte) 1);
            assertThat(new Chunk(address, LENGTH, false).pageCount()).isEqualTo(LENGTH / Page.LENGTH);
            memory.give(address);
        }
    }

    @Test
    void shouldKeepChunksApartWhenSeveralAreTaken() {
        final ChunkMemory memory = ChunkMemory.of(LENGTH);
        final long[] chunks = new long[8];
        for (int i = 0; i < chunks.length; i++) {
            chunks[i] = memory.take();
            UnsafeApi.setMemory(chunks[i], LENGTH, (byte) i);
        }
        memory.give(chunks[3]);
        for (int i = 0; i < chunks.length; i++) {
            if (i != 3) {
                assertThat(UnsafeApi.getByte(chunks[i])).isEqualTo((byte) i);
                assertThat(UnsafeApi.getByte(chunks[i] + LENGTH - 1)).isEqualTo((byte) i);
                memory.give(chunks[i]);
            }
        }
    }

    @Test
    void shouldComeFromTheAllocatorWhenChunksAreShorterThanAHugePage() {
        assertThat(ChunkMemory.of(StateMemory.CHUNK_LENGTH_MIN).isMapped()).isFalse();
        assertThat(ChunkMemory.allocated(LENGTH).isMapped()).isFalse();
        final ChunkMemory memory = ChunkMemory.allocated(LENGTH);
        memory.give(memory.takeTouched());
    }
}
