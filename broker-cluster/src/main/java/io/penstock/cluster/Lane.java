package io.penstock.cluster;

import io.penstock.broker.shard.replica.CommandSender;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * The way of one agent's commands to the thread that hands them to whoever leads. Bounded: it is full while nobody leads. The
 * agent owns it as a sender; what empties it is another thread.
 */
final class Lane implements CommandSender {
    private static final int TYPE_COMMAND = 1;
    private static final MessageHandler NOTHING = (type, buffer, offset, length) -> {};

    private final OneToOneRingBuffer ring;
    private final AtomicLong generation;
    private final Runnable wakeup;
    private final AtomicBoolean wasFull = new AtomicBoolean();

    /**
     * Makes an empty one.
     *
     * @param length     for commands on their way, in bytes, a power of two; a command may take an eighth of it.
     * @param generation of the session to the leader; not written here.
     * @param wakeup     ends the wait of the agent.
     */
    Lane(final int length, final AtomicLong generation, final Runnable wakeup) {
        ring = new OneToOneRingBuffer(new UnsafeBuffer(BufferUtil.allocateDirectAligned(
                length + RingBufferDescriptor.TRAILER_LENGTH, BitUtil.CACHE_LINE_LENGTH)));
        this.generation = generation;
        this.wakeup = wakeup;
    }

    @Override
    public boolean offer(final DirectBuffer buffer, final int offset, final int length) {
        if (ring.write(TYPE_COMMAND, buffer, offset, length)) {
            return true;
        }
        wasFull.set(true);
        // There may be room since, and nobody would say so.
        return ring.write(TYPE_COMMAND, buffer, offset, length);
    }

    @Override
    public long generation() {
        return generation.get();
    }

    @Override
    public int doWork() {
        return 0;
    }

    /** Hands on what is there, until the handler wants no more. Called by the thread that empties it. Returns how many. */
    int read(final ControlledMessageHandler handler, final int limit) {
        final int count = ring.controlledRead(handler, limit);
        if (count > 0 && wasFull.compareAndSet(true, false)) {
            wakeup.run();
        }
        return count;
    }

    /** Forgets what is there, as it will be handed over again. Called by the thread that empties it. */
    void discard() {
        // Twice: the first time up to the end of its memory.
        ring.read(NOTHING, Integer.MAX_VALUE);
        ring.read(NOTHING, Integer.MAX_VALUE);
    }

    /** Notifies the agent that its commands may be lost. */
    void wakeup() {
        wakeup.run();
    }
}
