package io.penstock.broker.shard.match;

import static org.agrona.concurrent.ringbuffer.RingBufferDescriptor.TRAILER_LENGTH;

import io.penstock.broker.concurrent.ReadyBits;
import io.penstock.transport.RingReads;
import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RecordDescriptor;

/**
 * A ring of descriptors from one writer (a sequencer, or the replayer) to one client's I/O agent. Bounded: when it is
 * full {@link #offer} is refused, and the writer goes on with other work.
 */
public final class DescriptorRing {
    private final OneToOneRingBuffer ring;
    private final ReadyBits ready;
    private final int slot;

    /**
     * Makes an empty ring. Called by the I/O agent.
     *
     * @param length in bytes, a power of two.
     * @param ready  marked for each offer that was taken.
     * @param slot   of the client in the bits.
     */
    public DescriptorRing(final int length, final ReadyBits ready, final int slot) {
        ring = new OneToOneRingBuffer(new UnsafeBuffer(ByteBuffer.allocateDirect(length + TRAILER_LENGTH)));
        this.ready = ready;
        this.slot = slot;
    }

    /**
     * Offers a descriptor without a run. Called by the writer.
     *
     * @param type         one of the types of {@link Descriptor}.
     * @param subscription feed that it is for.
     * @param shard        whose log it speaks of.
     * @param position     as the type says.
     * @param sequence     as the type says.
     * @return false when there is no room.
     */
    public boolean offer(
            final int type, final long subscription, final int shard, final long position, final long sequence) {
        return offer(type, subscription, shard, position, sequence, 0, 0, 0, 0);
    }

    /**
     * Offers a descriptor. Called by the writer.
     *
     * @param type         one of the types of {@link Descriptor}.
     * @param subscription feed that it is for.
     * @param shard        whose log it speaks of.
     * @param position     of the run.
     * @param sequence     of the run's first record, 0 for derived ones.
     * @param runLength    in bytes with padding.
     * @param topicId      of the run's records.
     * @param recordCount  of the run.
     * @param kind         of the delivery.
     * @return false when there is no room.
     */
    public boolean offer(
            final int type,
            final long subscription,
            final int shard,
            final long position,
            final long sequence,
            final int runLength,
            final int topicId,
            final int recordCount,
            final int kind) {
        if (!enqueue(type, subscription, shard, position, sequence, runLength, topicId, recordCount, kind)) {
            return false;
        }
        announce();
        return true;
    }

    /** Offers a descriptor, without notice: {@link #announce} is to follow. Called by the writer. */
    boolean enqueue(
            final int type,
            final long subscription,
            final int shard,
            final long position,
            final long sequence,
            final int runLength,
            final int topicId,
            final int recordCount,
            final int kind) {
        final int index = ring.tryClaim(type, Descriptor.LENGTH);
        if (index < 0) {
            return false;
        }
        final AtomicBuffer buffer = ring.buffer();
        buffer.putLong(index + Descriptor.SUBSCRIPTION_OFFSET, subscription);
        buffer.putLong(index + Descriptor.POSITION_OFFSET, position);
        buffer.putLong(index + Descriptor.SEQUENCE_OFFSET, sequence);
        buffer.putInt(index + Descriptor.RUN_LENGTH_OFFSET, runLength);
        buffer.putInt(index + Descriptor.TOPIC_ID_OFFSET, topicId);
        buffer.putInt(index + Descriptor.RECORD_COUNT_OFFSET, recordCount);
        buffer.putShort(index + Descriptor.SHARD_OFFSET, (short) shard);
        buffer.putShort(index + Descriptor.KIND_OFFSET, (short) kind);
        ring.commit(index);
        return true;
    }

    /** Notifies the I/O agent of all that is enqueued. Called by the writer. */
    void announce() {
        ready.mark(slot);
    }

    /**
     * Reads descriptors. Called by the I/O agent.
     *
     * @param handler that may leave a descriptor in place.
     * @param limit   count of descriptors.
     * @return count of those read.
     */
    public int read(final ControlledMessageHandler handler, final int limit) {
        return RingReads.read(ring, handler, limit);
    }

    /**
     * Where the next descriptor goes. Everything that was offered before lies before it.
     *
     * @return position in the ring since it was made.
     */
    public long producerPosition() {
        return ring.producerPosition();
    }

    /**
     * How far the ring was read.
     *
     * @return position in the ring since it was made.
     */
    public long consumerPosition() {
        return ring.consumerPosition();
    }

    /**
     * How many descriptors are not read yet. Called by the I/O agent.
     *
     * @return about as many.
     */
    public int count() {
        return ring.size()
                / BitUtil.align(Descriptor.LENGTH + RecordDescriptor.HEADER_LENGTH, RecordDescriptor.ALIGNMENT);
    }

    public boolean isEmpty() {
        return ring.size() == 0;
    }
}
