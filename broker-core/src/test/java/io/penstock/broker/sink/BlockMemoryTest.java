package io.penstock.broker.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockMemoryTest {
    private static final int MIN = BlockMemory.PIECE_LENGTH_MIN;

    private record Piece(int offset, int length) {}

    @Test
    void shouldGiveAllOfItWhenOnePieceIsAskedFor() {
        final BlockMemory memory = new BlockMemory(8 * MIN);

        final int offset = memory.acquire(8 * MIN);

        assertThat(offset).isZero();
        assertThat(memory.acquire(1)).isNegative();
        memory.release(offset, 8 * MIN);
        assertThat(memory.usedLength()).isZero();
        memory.free();
    }

    @Test
    void shouldRefuseWhenLongerThanTheMemory() {
        final BlockMemory memory = new BlockMemory(4 * MIN);

        assertThat(memory.acquire(4 * MIN + 1)).isNegative();
        assertThat(memory.usedLength()).isZero();
        memory.free();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldGiveEachByteOnceAndAllOfThemAgainWhenPiecesComeAndGo(final long seed) {
        final Random random = new Random(seed);
        final int capacity = MIN << random.nextInt(8);
        final BlockMemory memory = new BlockMemory(capacity);
        final List<Piece> pieces = new ArrayList<>();
        long used = 0;

        for (int i = 0; i < 5_000; i++) {
            if (random.nextInt(5) < 3) {
                final int length = 1 + random.nextInt(random.nextBoolean() ? capacity : 2 * MIN);
                final int offset = memory.acquire(length);
                if (offset >= 0) {
                    final Piece piece = new Piece(offset, length);
                    assertThat(offset + length).as("seed %d", seed).isLessThanOrEqualTo(capacity);
                    for (final Piece other : pieces) {
                        assertThat(offset >= other.offset + other.length || other.offset >= offset + length)
                                .as("seed %d: %s and %s", seed, piece, other)
                                .isTrue();
                    }
                    pieces.add(piece);
                    used += BlockMemory.pieceLength(length);
                }
            } else if (!pieces.isEmpty()) {
                final Piece piece = pieces.remove(random.nextInt(pieces.size()));
                memory.release(piece.offset, piece.length);
                used -= BlockMemory.pieceLength(piece.length);
            }
            assertThat(memory.usedLength()).isEqualTo(used);
        }

        pieces.forEach(piece -> memory.release(piece.offset, piece.length));
        assertThat(memory.acquire(capacity)).as("seed %d", seed).isZero();
        memory.free();
    }
}
