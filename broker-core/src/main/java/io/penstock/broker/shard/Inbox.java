package io.penstock.broker.shard;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

import io.penstock.broker.shard.state.StateChange;
import io.penstock.broker.staging.StagingSlot;
import io.penstock.transport.RingReads;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/**
 * The ring of messages from I/O agents to a sequencer on another thread. Bounded: when it is full the senders are not
 * read. Short messages are copied into it; of long ones only the news that they lie in a staging slot.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |                     Publisher sequence                        |
 *  |                           (64 bits)                           |
 *  +---------------------------------------------------------------+
 *  |                          Topic id                             |
 *  +---------------------------------------------------------------+
 *  |                        Publisher id                           |
 *  +---------------------------------------------------------------+
 *  |                          I/O agent                            |
 *  +---------------------------------------------------------------+
 *  |              Offset of the message in its slot                |
 *  +---------------------------------------------------------------+
 *  |             Length of the message in its slot                 |
 *  +---------------------------------------------------------------+
 *  |               Change of a record, for topics with state      ...
 *  +---------------------------------------------------------------+
 *  |                     Payload, unless staged                   ...
 * </pre>
 *
 * A change of a record is:
 *
 * <pre>
 *  +---------------------------------------------------------------+
 *  |                     Session of the publisher                  |
 *  |                           (64 bits)                           |
 *  +---------------------------------------------------------------+
 *  |                     Command of the publisher                  |
 *  |                           (64 bits)                           |
 *  +---------------------------------------------------------------+
 *  |                         Expiration                            |
 *  |                           (64 bits)                           |
 *  +---------------------------------------------------------------+
 *  |                   Whether it is a delta                       |
 *  +---------------------------------------------------------------+
 *  |                      Length of the key                        |
 *  +---------------------------------------------------------------+
 *  |                            Key                               ...
 * </pre>
 */
public final class Inbox implements InboxReader, ControlledMessageHandler {
    private static final int TYPE_INLINE = 1;
    private static final int TYPE_STAGED = 2;
    private static final int TYPE_CHANGE_INLINE = 3;
    private static final int TYPE_CHANGE_STAGED = 4;
    private static final int PUBLISHER_SEQUENCE_OFFSET = 0;
    private static final int TOPIC_ID_OFFSET = PUBLISHER_SEQUENCE_OFFSET + SIZE_OF_LONG;
    private static final int PUBLISHER_ID_OFFSET = TOPIC_ID_OFFSET + SIZE_OF_INT;
    private static final int IO_AGENT_OFFSET = PUBLISHER_ID_OFFSET + SIZE_OF_INT;
    private static final int SLOT_OFFSET_OFFSET = IO_AGENT_OFFSET + SIZE_OF_INT;
    private static final int SLOT_LENGTH_OFFSET = SLOT_OFFSET_OFFSET + SIZE_OF_INT;
    private static final int PAYLOAD_OFFSET = SLOT_LENGTH_OFFSET + SIZE_OF_INT;
    private static final int SESSION_OFFSET = 0;
    private static final int COMMAND_OFFSET = SESSION_OFFSET + SIZE_OF_LONG;
    private static final int EXPIRATION_OFFSET = COMMAND_OFFSET + SIZE_OF_LONG;
    private static final int DELTA_OFFSET = EXPIRATION_OFFSET + SIZE_OF_LONG;
    private static final int KEY_LENGTH_OFFSET = DELTA_OFFSET + SIZE_OF_INT;
    private static final int KEY_OFFSET = KEY_LENGTH_OFFSET + SIZE_OF_INT;
    private static final int SLOT_QUEUE_LENGTH = 1024;

    private final ManyToOneRingBuffer ring;
    private final OneToOneConcurrentArrayQueue<StagingSlot>[] slots;
    private final AtomicCounter[] processed;
    private final Duplicates[] duplicates;
    private final long[] read;
    private final IntConsumer wakeup;
    private final StateChange change = new StateChange();
    private @Nullable Sequencer sequencer;

    /**
     * @param length    of the ring in bytes, a power of two.
     * @param processed where each I/O agent is told how many of its messages are processed.
     * @param wakeup    ends the wait of an I/O agent.
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public Inbox(final int length, final AtomicCounter[] processed, final IntConsumer wakeup) {
        this.wakeup = wakeup;
        ring = new ManyToOneRingBuffer(
                new UnsafeBuffer(ByteBuffer.allocateDirect(length + RingBufferDescriptor.TRAILER_LENGTH)));
        this.processed = processed;
        read = new long[processed.length];
        slots = new OneToOneConcurrentArrayQueue[processed.length];
        duplicates = new Duplicates[processed.length];
        for (int i = 0; i < slots.length; i++) {
            duplicates[i] = new Duplicates();
            slots[i] = new OneToOneConcurrentArrayQueue<>(SLOT_QUEUE_LENGTH);
        }
    }

    /** Called by I/O agents. */
    boolean offer(
            final int ioAgent,
            final int topicId,
            final int publisherId,
            final long publisherSequence,
            final DirectBuffer payload,
            final int offset,
            final int length,
            final @Nullable StateChange stateChange) {
        final int changeLength = changeLength(stateChange);
        final int index = ring.tryClaim(
                stateChange == null ? TYPE_INLINE : TYPE_CHANGE_INLINE, PAYLOAD_OFFSET + changeLength + length);
        if (index < 0) {
            return false;
        }
        final AtomicBuffer buffer = ring.buffer();
        putHeader(buffer, index, ioAgent, topicId, publisherId, publisherSequence);
        putChange(buffer, index + PAYLOAD_OFFSET, stateChange);
        buffer.putBytes(index + PAYLOAD_OFFSET + changeLength, payload, offset, length);
        ring.commit(index);
        return true;
    }

    /** Called by I/O agents. */
    boolean offerStaged(
            final int ioAgent,
            final int topicId,
            final int publisherId,
            final long publisherSequence,
            final StagingSlot slot,
            final int offset,
            final int length,
            final @Nullable StateChange stateChange) {
        if (slots[ioAgent].size() == SLOT_QUEUE_LENGTH) {
            return false;
        }
        final int index = ring.tryClaim(
                stateChange == null ? TYPE_STAGED : TYPE_CHANGE_STAGED, PAYLOAD_OFFSET + changeLength(stateChange));
        if (index < 0) {
            return false;
        }
        slots[ioAgent].add(slot);
        final AtomicBuffer buffer = ring.buffer();
        putHeader(buffer, index, ioAgent, topicId, publisherId, publisherSequence);
        buffer.putInt(index + SLOT_OFFSET_OFFSET, offset);
        buffer.putInt(index + SLOT_LENGTH_OFFSET, length);
        putChange(buffer, index + PAYLOAD_OFFSET, stateChange);
        ring.commit(index);
        return true;
    }

    /** How many messages of an I/O agent are applied and described. Called by that agent. */
    long processed(final int ioAgent) {
        return processed[ioAgent].get();
    }

    /** Which messages of an I/O agent were dropped. Read by that agent. */
    Duplicates duplicates(final int ioAgent) {
        return duplicates[ioAgent];
    }

    @Override
    public int read(final Sequencer to, final int limit) {
        sequencer = to;
        return RingReads.read(ring, this, limit);
    }

    @Override
    public boolean onProcessed() {
        boolean isTold = true;
        for (int i = 0; i < read.length; i++) {
            if (processed[i].getPlain() != read[i]) {
                if (duplicates[i].flush()) {
                    processed[i].setRelease(read[i]);
                } else {
                    isTold = false;
                }
                wakeup.accept(i);
            }
        }
        return isTold;
    }

    @Override
    public Action onMessage(final int type, final MutableDirectBuffer buffer, final int index, final int length) {
        final int ioAgent = buffer.getInt(index + IO_AGENT_OFFSET);
        final StateChange of = type == TYPE_INLINE || type == TYPE_STAGED ? null : change(buffer, index);
        final int payloadOffset = PAYLOAD_OFFSET + changeLength(of);
        final boolean staged = (type == TYPE_STAGED) || (type == TYPE_CHANGE_STAGED);
        final boolean applied = staged
                ? applyStaged(slots[ioAgent], buffer, index, of)
                : apply(buffer, index, buffer, index + payloadOffset, length - payloadOffset, of);
        if (!applied) {
            return Action.ABORT;
        }
        read[ioAgent]++;
        return Action.CONTINUE;
    }

    private boolean applyStaged(
            final OneToOneConcurrentArrayQueue<StagingSlot> queue,
            final DirectBuffer buffer,
            final int index,
            final @Nullable StateChange of) {
        final StagingSlot slot = queue.peek();
        if (slot == null) {
            throw new IllegalStateException("inbox: a staged message without its slot");
        }
        final int offset = buffer.getInt(index + SLOT_OFFSET_OFFSET);
        final int length = buffer.getInt(index + SLOT_LENGTH_OFFSET);
        if (!apply(buffer, index, slot.buffer(), offset, length, of)) {
            return false;
        }
        queue.poll();
        return true;
    }

    private boolean apply(
            final DirectBuffer header,
            final int index,
            final DirectBuffer payload,
            final int payloadOffset,
            final int payloadLength,
            final @Nullable StateChange of) {
        final Sequencer to = sequencer;
        final int publisherId = header.getInt(index + PUBLISHER_ID_OFFSET);
        if (to == null
                || !to.publish(
                        header.getInt(index + TOPIC_ID_OFFSET),
                        publisherId,
                        header.getLong(index + PUBLISHER_SEQUENCE_OFFSET),
                        payload,
                        payloadOffset,
                        payloadLength,
                        of)) {
            return false;
        }
        final int ioAgent = header.getInt(index + IO_AGENT_OFFSET);
        if (to.isDuplicate()) {
            if (!duplicates[ioAgent].add(read[ioAgent] + 1, publisherId)) {
                return false;
            }
            to.counters().duplicates().incrementPlain();
        }
        return true;
    }

    private StateChange change(final DirectBuffer buffer, final int index) {
        final int at = index + PAYLOAD_OFFSET;
        change.wrap(
                buffer,
                at + KEY_OFFSET,
                buffer.getInt(at + KEY_LENGTH_OFFSET),
                buffer.getInt(at + DELTA_OFFSET) != 0,
                buffer.getLong(at + EXPIRATION_OFFSET),
                buffer.getLong(at + SESSION_OFFSET),
                buffer.getLong(at + COMMAND_OFFSET));
        return change;
    }

    private static int changeLength(final @Nullable StateChange change) {
        return change == null ? 0 : KEY_OFFSET + change.keyLength();
    }

    private static void putChange(final MutableDirectBuffer buffer, final int at, final @Nullable StateChange change) {
        if (change != null) {
            buffer.putLong(at + SESSION_OFFSET, change.sessionId());
            buffer.putLong(at + COMMAND_OFFSET, change.commandId());
            buffer.putLong(at + EXPIRATION_OFFSET, change.expirationNs());
            buffer.putInt(at + DELTA_OFFSET, change.isDelta() ? 1 : 0);
            buffer.putInt(at + KEY_LENGTH_OFFSET, change.keyLength());
            buffer.putBytes(at + KEY_OFFSET, change.key(), change.keyOffset(), change.keyLength());
        }
    }

    private static void putHeader(
            final MutableDirectBuffer buffer,
            final int index,
            final int ioAgent,
            final int topicId,
            final int publisherId,
            final long publisherSequence) {
        buffer.putLong(index + PUBLISHER_SEQUENCE_OFFSET, publisherSequence);
        buffer.putInt(index + TOPIC_ID_OFFSET, topicId);
        buffer.putInt(index + PUBLISHER_ID_OFFSET, publisherId);
        buffer.putInt(index + IO_AGENT_OFFSET, ioAgent);
    }
}
