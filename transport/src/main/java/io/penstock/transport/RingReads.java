package io.penstock.transport;

import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.ringbuffer.RingBuffer;

/** Reads rings for agents that wait when they find no work. Called by the reader of the ring. */
public final class RingReads {
    private RingReads() {}

    /**
     * Reads records; 0 means that there is none, or that the handler left the first one in place. {@link
     * RingBuffer#controlledRead} stops where the ring wraps, and returns 0 for the padding at its end, though records follow
     * at its beginning: an agent would wait for another wake-up than the one it has just had.
     *
     * @param ring    to read.
     * @param handler called with each record.
     * @param limit   count of records.
     * @return count of those read.
     */
    public static int read(final RingBuffer ring, final ControlledMessageHandler handler, final int limit) {
        final long position = ring.consumerPosition();
        final int count = ring.controlledRead(handler, limit);
        final long reached = ring.consumerPosition();
        final boolean isAtWrap = reached != position && (reached & (ring.capacity() - 1)) == 0;
        return isAtWrap && count < limit ? count + ring.controlledRead(handler, limit - count) : count;
    }
}
