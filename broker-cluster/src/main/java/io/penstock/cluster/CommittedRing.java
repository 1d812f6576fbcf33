package io.penstock.cluster;

import static org.agrona.concurrent.ControlledMessageHandler.Action.ABORT;
import static org.agrona.concurrent.ControlledMessageHandler.Action.CONTINUE;

import io.penstock.broker.shard.replica.CommandSource;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Commands of one shard that a majority of nodes has, on their way from the service's thread to the sequencer.
 *
 * <pre>
 *   0                8
 *  +----------------+--------------------------------
 *  | time           | command, as it was handed over
 *  +----------------+--------------------------------
 * </pre>
 *
 * Time is that of the one order, in nanoseconds since 1970.
 */
final class CommittedRing implements CommandSource {
    private static final int TYPE_COMMAND = 1;
    private static final int TIME_OFFSET = 0;
    private static final int COMMAND_OFFSET = TIME_OFFSET + Long.BYTES;

    private final OneToOneRingBuffer ring;
    private final Runnable wakeup;
    private final ControlledMessageHandler onMessage = this::onMessage;
    private @Nullable Handler handler;

    /**
     * Makes an empty one.
     *
     * @param length in bytes, a power of two; a command may take an eighth of it.
     * @param wakeup ends the wait of the sequencer.
     */
    CommittedRing(final int length, final Runnable wakeup) {
        ring = new OneToOneRingBuffer(new UnsafeBuffer(BufferUtil.allocateDirectAligned(
                length + RingBufferDescriptor.TRAILER_LENGTH, BitUtil.CACHE_LINE_LENGTH)));
        this.wakeup = wakeup;
    }

    /** The longest command that it takes. */
    int commandLengthMax() {
        return ring.maxMsgLength() - COMMAND_OFFSET;
    }

    /** Takes a command, whose bytes are copied; false when there is no room now. Called by the service's thread. */
    boolean offer(final long timeNs, final DirectBuffer buffer, final int offset, final int length) {
        final int index = ring.tryClaim(TYPE_COMMAND, COMMAND_OFFSET + length);
        if (index < 0) {
            return false;
        }
        final AtomicBuffer to = ring.buffer();
        to.putLong(index + TIME_OFFSET, timeNs);
        to.putBytes(index + COMMAND_OFFSET, buffer, offset, length);
        ring.commit(index);
        wakeup.run();
        return true;
    }

    /** Rises with what the sequencer has taken, in bytes. Called by the service's thread. */
    long takenPosition() {
        return ring.consumerPosition();
    }

    @Override
    public int read(final Handler to, final int limit) {
        handler = to;
        return ring.controlledRead(onMessage, limit);
    }

    private ControlledMessageHandler.Action onMessage(
            final int type, final MutableDirectBuffer buffer, final int index, final int length) {
        final Handler to = handler;
        return to != null
                        && to.onCommand(
                                buffer.getLong(index + TIME_OFFSET),
                                buffer,
                                index + COMMAND_OFFSET,
                                length - COMMAND_OFFSET)
                ? CONTINUE
                : ABORT;
    }
}
