package io.penstock.transport.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.transport.Connection;
import io.penstock.transport.TransportContext;
import java.util.ArrayDeque;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a connection: cuts frames into parts and offers them, and on the other side checks each fragment
 * against what was sent.
 */
final class Flow {
    /** As a protocol header would, these bytes of a frame are offered as the header. */
    private static final int HEADER_LENGTH = 24;

    private final ArrayDeque<int[]> toSend = new ArrayDeque<>();
    private final ArrayDeque<int[]> toReceive = new ArrayDeque<>();
    private final Connection sender;
    private final DirectBuffer memory;
    private int nextFrame;
    private int sentOffset;
    private int receivedOffset;
    private long acceptedLength;
    private long position;
    private int receivedCount;
    private boolean isRefusing;
    private @Nullable Random cuts;

    Flow(final Connection sender) {
        this(sender, FrameSource.bytes());
    }

    /** @param memory a copy of {@link FrameSource#bytes()} to send from. */
    Flow(final Connection sender, final DirectBuffer memory) {
        this.sender = sender;
        this.memory = memory;
    }

    /** Cuts what follows the start of a frame anywhere, not only at the longest parts. */
    void cutBy(final Random random) {
        cuts = random;
    }

    /** Adds a frame to what is to be sent. */
    Flow frame(final int length) {
        final int[] frame = {FrameSource.offsetOf(nextFrame++), length};
        toSend.addLast(frame);
        return this;
    }

    Flow frames(final int count, final int length) {
        for (int i = 0; i < count; i++) {
            frame(length);
        }
        return this;
    }

    /** Offers until there is nothing left, or the offer is refused. Returns the last result. */
    long send() {
        long result = position;
        while (!toSend.isEmpty() && result >= 0) {
            result = sendPart();
        }
        return result;
    }

    /** Offers one part. */
    long sendPart() {
        final int[] frame = toSend.getFirst();
        final int offset = frame[0] + sentOffset;
        final int length = Math.min(partLength(), frame[1] - sentOffset);
        final int remaining = frame[1] - sentOffset - length;
        final int headerLength = sentOffset == 0 ? Math.min(HEADER_LENGTH, length) : 0;
        final long result = sender.offer(
                memory, offset, headerLength, memory, offset + headerLength, length - headerLength, remaining);
        if (result < 0) {
            return result;
        }
        assertThat(result).as("position").isEqualTo(position + length);
        position = result;
        acceptedLength += length;
        if (sentOffset == 0) {
            toReceive.addLast(frame);
        }
        sentOffset += length;
        if (sentOffset == frame[1]) {
            toSend.removeFirst();
            sentOffset = 0;
        }
        return result;
    }

    private int partLength() {
        final int lengthMax = sender.bestSendLength();
        final Random random = cuts;
        return random == null || sentOffset == 0 ? lengthMax : 1 + random.nextInt(lengthMax);
    }

    boolean isBlocked() {
        return sender.isBlocked();
    }

    boolean isSent() {
        return toSend.isEmpty();
    }

    /** Whether everything that is to be sent has arrived. */
    boolean isDone() {
        return toSend.isEmpty() && toReceive.isEmpty();
    }

    long acceptedLength() {
        return acceptedLength;
    }

    /** Frames that arrived completely. */
    int receivedCount() {
        return receivedCount;
    }

    void refuse(final boolean value) {
        isRefusing = value;
    }

    /** The receiving side got a fragment. */
    boolean onFragment(
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        final int[] frame = toReceive.peekFirst();
        assertThat(frame).as("frame that was sent").isNotNull();
        assertThat(frameLength).as("frameLength").isEqualTo(frame[1]);
        assertThat(frameOffset).as("frameOffset").isEqualTo(receivedOffset);
        assertThat(length).as("length").isLessThanOrEqualTo(TransportContext.FRAGMENT_LENGTH_MIN);
        if (frameLength <= TransportContext.FRAGMENT_LENGTH_MIN) {
            assertThat(length).as("length of a frame that comes whole").isEqualTo(frameLength);
        } else {
            assertThat(length).as("length of a fragment").isPositive();
        }
        final UnsafeBuffer expected = new UnsafeBuffer(FrameSource.bytes(), frame[0] + frameOffset, length);
        assertThat(new UnsafeBuffer(buffer, offset, length).compareTo(expected))
                .as("difference in bytes %d to %d of a frame of %d", frameOffset, frameOffset + length, frameLength)
                .isZero();
        if (isRefusing) {
            return false;
        }
        receivedOffset += length;
        if (receivedOffset == frameLength) {
            toReceive.removeFirst();
            receivedOffset = 0;
            receivedCount++;
        }
        return true;
    }
}
