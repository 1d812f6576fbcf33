package io.penstock.transport.inproc;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RecordDescriptor;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * State that the two ends of a connection share: a ring in each direction, whether each end has closed or waits for
 * room, and how to wake it. The memory is freed by the end that leaves last. It is not cleared when it is allocated, so
 * that a connection costs no more than it uses of it.
 *
 * <p>A record of a ring is one offer. Its type is the length of the frame it belongs to plus one, so that it needs no
 * header: the reader knows how much of that frame it has seen.
 */
final class InprocLink {
    /** A record holds up to an eighth of its ring, which is {@link #PART_LENGTH_MAX}. */
    static final int RING_LENGTH = 512 * 1024;

    static final int PART_LENGTH_MAX = RING_LENGTH / 8;

    private static final int MEMORY_LENGTH = RING_LENGTH + RingBufferDescriptor.TRAILER_LENGTH;

    private final End connector;
    private final End acceptor;
    private final AtomicInteger holderCount = new AtomicInteger(2);

    /** One side's view of the link; what is volatile in it is read by the other side. */
    static final class End {
        private final long address = UnsafeApi.allocateMemory(MEMORY_LENGTH);
        private final OneToOneRingBuffer ring;
        private final AtomicBoolean waitsForRoom = new AtomicBoolean();
        private final Runnable wakeup;
        private volatile boolean isClosed;

        private End(final Runnable wakeup) {
            this.wakeup = wakeup;
            // A writer clears the header after each record, so only the first one and the trailer must be clear now.
            final UnsafeBuffer memory = new UnsafeBuffer(address, MEMORY_LENGTH);
            memory.setMemory(0, RecordDescriptor.HEADER_LENGTH, (byte) 0);
            memory.setMemory(RING_LENGTH, RingBufferDescriptor.TRAILER_LENGTH, (byte) 0);
            ring = new OneToOneRingBuffer(memory);
        }

        /** The ring that this end writes. */
        OneToOneRingBuffer ring() {
            return ring;
        }

        /** Ends a wait of the agent that has this end. */
        void wake() {
            wakeup.run();
        }

        void waitsForRoom(final boolean value) {
            waitsForRoom.set(value);
        }

        boolean waitsForRoom() {
            return waitsForRoom.get();
        }

        /** Called by the other end after it made room. */
        void wakeIfWaitingForRoom() {
            // A read-modify-write: the reader's new head must be visible before it looks whether the writer waits.
            if (waitsForRoom.getAndSet(false)) {
                wake();
            }
        }

        boolean isClosed() {
            return isClosed;
        }
    }

    /**
     * Allocates both rings.
     *
     * @param connectorWakeup ends a wait of the connecting agent.
     * @param acceptorWakeup  ends a wait of the listening agent, from before it has accepted.
     */
    InprocLink(final Runnable connectorWakeup, final Runnable acceptorWakeup) {
        connector = new End(connectorWakeup);
        acceptor = new End(acceptorWakeup);
    }

    End connector() {
        return connector;
    }

    End acceptor() {
        return acceptor;
    }

    /** Leaves the link; the caller touches no ring of it from here on. Called once by each side. */
    void release(final End own, final End peer) {
        own.isClosed = true;
        peer.wake();
        if (holderCount.decrementAndGet() == 0) {
            UnsafeApi.freeMemory(connector.address);
            UnsafeApi.freeMemory(acceptor.address);
        }
    }
}
