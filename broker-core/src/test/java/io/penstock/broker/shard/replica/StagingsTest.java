package io.penstock.broker.shard.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.shard.order.PieceHeader;
import java.util.Objects;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Long messages have room only while they come. */
class StagingsTest {
    private static final int PIECE_LENGTH = 1000;
    private static final int ORIGIN = 5;

    private final Stagings stagings = new Stagings();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[PieceHeader.LENGTH + PIECE_LENGTH]);

    private @Nullable String begin(final int origin, final long number, final int wholeLength) {
        PieceHeader.put(buffer, 0, number, wholeLength, 0);
        return stagings.add(origin, buffer, 0, PIECE_LENGTH);
    }

    @Test
    void shouldTakeNoMoreRoomThanAMessageHas() {
        assertThat(begin(ORIGIN, 1, 9_000_001)).isNull();

        assertThat(stagings.roomLength()).isBetween(9_000_001L, 9_000_001L + 4096);
    }

    @Test
    void shouldGiveRoomBackWhenALongMessageIsApplied() {
        begin(ORIGIN, 1, 16 << 20);
        begin(ORIGIN + 1, 1, 16 << 20);
        stagings.onApplied(ORIGIN);

        assertThat(stagings.roomLength()).isEqualTo(16 << 20);
        assertThat(stagings.find(ORIGIN, 1, 16 << 20)).isNull();
        assertThat(begin(ORIGIN, 2, 300_000)).isNull();
    }

    @Test
    void shouldKeepALittleRoomWhenAMessageIsApplied() {
        for (int number = 1; number < 10; number++) {
            assertThat(begin(ORIGIN, number, 300_000 + number)).isNull();
            stagings.onApplied(ORIGIN);
            assertThat(stagings.roomLength()).isBetween(300_000L, 310_000L);
        }
    }

    @Test
    void shouldGiveRoomBackWhenANodeStartsAnew() {
        begin(ORIGIN, 1, 300_000);
        stagings.drop(ORIGIN);
        stagings.drop(ORIGIN);
        stagings.onApplied(ORIGIN);

        assertThat(stagings.roomLength()).isZero();
    }

    @Test
    void shouldKeepTheBytesUntilTheyAreApplied() {
        buffer.setMemory(PieceHeader.LENGTH, PIECE_LENGTH, (byte) 'x');
        begin(ORIGIN, 1, PIECE_LENGTH);

        assertThat(Objects.requireNonNull(stagings.find(ORIGIN, 1, PIECE_LENGTH))
                        .getByte(PIECE_LENGTH - 1))
                .isEqualTo((byte) 'x');
        stagings.onApplied(ORIGIN);
        assertThat(stagings.find(ORIGIN, 1, PIECE_LENGTH)).isNull();
    }
}
