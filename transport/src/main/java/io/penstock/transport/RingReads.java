package io.penstock.transport;

import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.ringbuffer.RingBuffer;

/** Reads rings for agents that wait when they find no work. Called by the reader of the ring. */
public final class RingReads {
    private RingReads() {}

    /**
     * Reads records; 0 means that there is none, or that the handler left the first one in place. Where the ring wraps
     * {@link RingBuffer#controlledRead} returns 0 for the padding at its end, though a record follows at its beginning:
     * an agent would wait for another wake-up than the one it has just had.
     *
     * @param ring    to read.
     * @param handler called with each record.
     * @param limit   count of records.
     * @return count of those read.
     */
    public static int read(final RingBuffer ring, final ControlledMessageHandler handler, final int limit) {
        final long position = ring.consumerPosition();
        final int count = ring.controlledRead(handler, limit);
        return count == 0 && ring.consumerPosition() != position ? ring.controlledRead(handler, limit) : count;
    }
}
