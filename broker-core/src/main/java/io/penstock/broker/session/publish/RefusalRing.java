package io.penstock.broker.session.publish;

import static org.agrona.concurrent.ringbuffer.RingBufferDescriptor.TRAILER_LENGTH;

import io.penstock.broker.shard.state.StateRefusal;
import java.nio.ByteBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;

/**
 * Messages that sequencers have refused, on their way to the I/O agent of their publishers. That agent makes the text
 * for the publisher, so that a sequencer takes no more time and memory for a refusal than for a message. Bounded: when
 * it is full {@link #offer} is refused.
 */
public final class RefusalRing {
    private static final int CAPACITY = 64 * 1024;
    private static final int TYPE = 1;

    private static final int SESSION_OFFSET = 0;
    private static final int COMMAND_OFFSET = SESSION_OFFSET + Long.BYTES;
    private static final int SEQUENCE_OFFSET = COMMAND_OFFSET + Long.BYTES;
    private static final int USED_OFFSET = SEQUENCE_OFFSET + Long.BYTES;
    private static final int LIMIT_OFFSET = USED_OFFSET + Long.BYTES;
    private static final int TOPIC_OFFSET = LIMIT_OFFSET + Long.BYTES;
    private static final int SHARD_OFFSET = TOPIC_OFFSET + Integer.BYTES;
    private static final int REASON_OFFSET = SHARD_OFFSET + Integer.BYTES;
    private static final int LENGTH = REASON_OFFSET + Integer.BYTES;

    private final ManyToOneRingBuffer ring =
            new ManyToOneRingBuffer(new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY + TRAILER_LENGTH)));
    private final MessageHandler onRefusal;

    /**
     * Makes an empty ring.
     *
     * @param listener notified by the I/O agent that reads.
     */
    public RefusalRing(final Listener listener) {
        onRefusal = (type, buffer, index, length) -> listener.onRefused(
                buffer.getLong(index + SESSION_OFFSET),
                buffer.getLong(index + COMMAND_OFFSET),
                buffer.getLong(index + SEQUENCE_OFFSET),
                buffer.getInt(index + SHARD_OFFSET),
                buffer.getInt(index + TOPIC_OFFSET),
                StateRefusal.of(buffer.getInt(index + REASON_OFFSET)),
                buffer.getLong(index + USED_OFFSET),
                buffer.getLong(index + LIMIT_OFFSET));
    }

    /**
     * Reports a refusal. Called by sequencers.
     *
     * @param sessionId         of the publisher.
     * @param commandId         of the publish.
     * @param publisherSequence given with it, or 0.
     * @param shard             of the topic.
     * @param topicId           of the topic.
     * @param reason            for it.
     * @param used              as the reason says.
     * @param limit             as the reason says.
     * @return false when there is no room now.
     */
    public boolean offer(
            final long sessionId,
            final long commandId,
            final long publisherSequence,
            final int shard,
            final int topicId,
            final StateRefusal reason,
            final long used,
            final long limit) {
        final int index = ring.tryClaim(TYPE, LENGTH);
        if (index < 0) {
            return false;
        }
        final AtomicBuffer buffer = ring.buffer();
        buffer.putLong(index + SESSION_OFFSET, sessionId);
        buffer.putLong(index + COMMAND_OFFSET, commandId);
        buffer.putLong(index + SEQUENCE_OFFSET, publisherSequence);
        buffer.putLong(index + USED_OFFSET, used);
        buffer.putLong(index + LIMIT_OFFSET, limit);
        buffer.putInt(index + TOPIC_OFFSET, topicId);
        buffer.putInt(index + SHARD_OFFSET, shard);
        buffer.putInt(index + REASON_OFFSET, reason.id());
        ring.commit(index);
        return true;
    }

    /**
     * Reads all refusals that were there when this was called. Called by the I/O agent, which acknowledges after it what is
     * processed: none may be left behind where the ring wraps, or behind one that another sequencer is just writing.
     *
     * @return count of those read.
     */
    public int read() {
        final long end = ring.producerPosition();
        int count = 0;
        while (ring.consumerPosition() < end) {
            final int some = ring.read(onRefusal);
            if (some == 0) {
                Thread.onSpinWait();
            }
            count += some;
        }
        return count;
    }

    /** Takes refusals. */
    @FunctionalInterface
    public interface Listener {
        /**
         * A message was refused.
         *
         * @param sessionId         of the publisher.
         * @param commandId         of the publish.
         * @param publisherSequence given with it, or 0.
         * @param shard             of the topic.
         * @param topicId           of the topic.
         * @param reason            for it.
         * @param used              as the reason says.
         * @param limit             as the reason says.
         */
        void onRefused(
                long sessionId,
                long commandId,
                long publisherSequence,
                int shard,
                int topicId,
                StateRefusal reason,
                long used,
                long limit);
    }
}
