package io.penstock.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RingReadsTest {
    private static final int LENGTH = 1024;

    static List<RingBuffer> rings() {
        return List.of(
                new OneToOneRingBuffer(new UnsafeBuffer(new byte[LENGTH + RingBufferDescriptor.TRAILER_LENGTH])),
                new ManyToOneRingBuffer(new UnsafeBuffer(new byte[LENGTH + RingBufferDescriptor.TRAILER_LENGTH])));
    }

    @ParameterizedTest
    @MethodSource("rings")
    void shouldReadEachRecordAtOnceWhereTheRingWraps(final RingBuffer ring) {
        final UnsafeBuffer record = new UnsafeBuffer(new byte[100]);
        for (int i = 0; i < 100; i++) {
            assertThat(ring.write(1, record, 0, record.capacity())).isTrue();
            assertThat(RingReads.read(
                            ring, (type, buffer, index, length) -> ControlledMessageHandler.Action.CONTINUE, 10))
                    .as("record %d", i)
                    .isEqualTo(1);
        }
        assertThat(RingReads.read(ring, (type, buffer, index, length) -> ControlledMessageHandler.Action.CONTINUE, 10))
                .isZero();
    }

    @ParameterizedTest
    @MethodSource("rings")
    void shouldReadNothingWhenTheFirstIsLeftInPlace(final RingBuffer ring) {
        final UnsafeBuffer record = new UnsafeBuffer(new byte[100]);
        assertThat(ring.write(1, record, 0, record.capacity())).isTrue();
        assertThat(RingReads.read(ring, (type, buffer, index, length) -> ControlledMessageHandler.Action.ABORT, 10))
                .isZero();
        assertThat(ring.size()).isPositive();
    }
}
