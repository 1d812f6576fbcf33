package io.penstock.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CheckedRangeTest {
    private static final int LENGTH = 40;

    /** In an array, in a part of one, and outside of the heap. */
    static Stream<UnsafeBuffer> buffers() {
        return Stream.of(
                new UnsafeBuffer(new byte[LENGTH]),
                new UnsafeBuffer(new byte[LENGTH + 20], 7, LENGTH),
                new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH)));
    }

    @ParameterizedTest
    @MethodSource("buffers")
    void shouldWriteWhatTheBufferReads(final UnsafeBuffer buffer) {
        final long address = CheckedRange.address(buffer, 5, 11);
        CheckedRange.putLong(buffer, address, 0x0123_4567_89AB_CDEFL);
        CheckedRange.putShort(buffer, address + 8, (short) 0x7654);
        CheckedRange.putByte(buffer, address + 10, (byte) 0x42);

        assertThat(buffer.getLong(5, ByteOrder.LITTLE_ENDIAN)).isEqualTo(0x0123_4567_89AB_CDEFL);
        assertThat(buffer.getShort(13, ByteOrder.LITTLE_ENDIAN)).isEqualTo((short) 0x7654);
        assertThat(buffer.getByte(15)).isEqualTo((byte) 0x42);
        assertThat(buffer.getByte(4)).isZero();
        assertThat(buffer.getByte(16)).isZero();
    }

    @ParameterizedTest
    @MethodSource("buffers")
    void shouldReadWhatTheBufferWrites(final UnsafeBuffer buffer) {
        buffer.putLong(LENGTH - 9, -5L, ByteOrder.LITTLE_ENDIAN);
        buffer.putByte(LENGTH - 1, (byte) 9);

        final long address = CheckedRange.address(buffer, LENGTH - 9, 9);
        assertThat(CheckedRange.getLong(buffer, address)).isEqualTo(-5L);
        assertThat(CheckedRange.getByte(buffer, address + 8)).isEqualTo((byte) 9);
    }

    @ParameterizedTest
    @CsvSource({"-1, 4", "0, 41", "33, 8", "40, 1", "0, -1", "2147483647, 1", "5, 2147483647"})
    void shouldRefuseARangeThatIsNotInTheBuffer(final int offset, final int length) {
        buffers()
                .forEach(buffer -> assertThatThrownBy(() -> CheckedRange.address(buffer, offset, length))
                        .isInstanceOf(IndexOutOfBoundsException.class));
    }
}
