package io.penstock.client.session;

import io.penstock.transport.Connection;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A frame that is sent in parts, straight from where it lies: its bytes are in use until the medium has completed the
 * last part. Owned by the session; one at a time.
 */
final class LargeFrame {
    private static final DirectBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private DirectBuffer buffer = EMPTY;
    private int offset;
    private int remaining;
    private long endPosition;
    private boolean isActive;

    void start(final DirectBuffer frame, final int frameOffset, final int frameLength) {
        assert !isActive;
        buffer = frame;
        offset = frameOffset;
        remaining = frameLength;
        isActive = true;
    }

    /** Whether bytes of the frame are still needed. */
    boolean isActive() {
        return isActive;
    }

    /** Whether parts are to be offered before any other frame. */
    boolean isPartial() {
        return remaining > 0;
    }

    /** Offers as many parts as the connection takes and returns their number. */
    int send(final Connection connection) {
        int partCount = 0;
        while (remaining > 0) {
            final int length = Math.min(remaining, connection.bestSendLength());
            final long position = connection.offer(EMPTY, 0, 0, buffer, offset, length, remaining - length);
            if (position < 0) {
                return partCount;
            }
            offset += length;
            remaining -= length;
            endPosition = position;
            partCount++;
        }
        if (isActive && connection.completedPosition() >= endPosition) {
            reset();
            partCount++;
        }
        return partCount;
    }

    void reset() {
        buffer = EMPTY;
        remaining = 0;
        isActive = false;
    }
}
