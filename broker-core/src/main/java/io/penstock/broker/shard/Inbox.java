package io.penstock.broker.shard;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

import io.penstock.broker.shard.log.Publication;
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
 *  |          Length of the headers after the message              |
 *  +---------------------------------------------------------------+
 *  |          Change of a record, or that it is a request         ...
 *  +---------------------------------------------------------------+
 *  |                     Payload, unless staged                   ...
 * </pre>
 *
 * Such a change is:
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
 *  |     Flags: of a record, as a delta, as a request              |
 *  +---------------------------------------------------------------+
 *  |                      Length of the key                        |
 *  +---------------------------------------------------------------+
 *  |                            Key                               ...
 * </pre>
 */
public final class Inbox implements ControlledMessageHandler {
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
    private static final int HEADERS_LENGTH_OFFSET = SLOT_LENGTH_OFFSET + SIZE_OF_INT;
    private static final int PAYLOAD_OFFSET = HEADERS_LENGTH_OFFSET + SIZE_OF_INT;
    private static final int SESSION_OFFSET = 0;
    private static final int COMMAND_OFFSET = SESSION_OFFSET + SIZE_OF_LONG;
    private static final int EXPIRATION_OFFSET = COMMAND_OFFSET + SIZE_OF_LONG;
    private static final int FLAGS_OFFSET = EXPIRATION_OFFSET + SIZE_OF_LONG;
    private static final int KEY_LENGTH_OFFSET = FLAGS_OFFSET + SIZE_OF_INT;
    private static final int KEY_OFFSET = KEY_LENGTH_OFFSET + SIZE_OF_INT;
    private static final int SLOT_QUEUE_LENGTH = 1024;
    private static final int FLAG_RECORD = 1;
    private static final int FLAG_DELTA = 2;
    private static final int FLAG_REQUEST = 4;

    private final ManyToOneRingBuffer ring;
    private final InboxLookahead lookahead;
    private final OneToOneConcurrentArrayQueue<StagingSlot>[] slots;
    private final AtomicCounter[] processed;
    private final Duplicates[] duplicates;
    private final AppliedSequences[] applied;
    private final long[] read;
    private final IntConsumer wakeup;
    private final Publication publication = new Publication();
    private @Nullable Shard shard;

    /**
     * @param length    of the ring in bytes, a power of two.
     * @param processed for each I/O agent, how many of its messages are processed.
     * @param wakeup    ends the wait of an I/O agent.
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public Inbox(final int length, final AtomicCounter[] processed, final IntConsumer wakeup) {
        this.wakeup = wakeup;
        ring = new ManyToOneRingBuffer(
                new UnsafeBuffer(ByteBuffer.allocateDirect(length + RingBufferDescriptor.TRAILER_LENGTH)));
        lookahead = new InboxLookahead(ring);
        this.processed = processed;
        read = new long[processed.length];
        slots = new OneToOneConcurrentArrayQueue[processed.length];
        duplicates = new Duplicates[processed.length];
        applied = new AppliedSequences[processed.length];
        for (int i = 0; i < slots.length; i++) {
            applied[i] = new AppliedSequences();
            duplicates[i] = new Duplicates();
            slots[i] = new OneToOneConcurrentArrayQueue<>(SLOT_QUEUE_LENGTH);
        }
    }

    /** Called by I/O agents. */
    boolean offer(final int ioAgent, final Publication publication) {
        final int recordLength = recordLength(publication);
        final int index = ring.tryClaim(
                hasChange(publication) ? TYPE_CHANGE_INLINE : TYPE_INLINE,
                PAYLOAD_OFFSET + recordLength + publication.payloadLength() + publication.headersLength());
        if (index < 0) {
            return false;
        }
        final AtomicBuffer buffer = ring.buffer();
        putHeader(buffer, index, ioAgent, publication);
        buffer.putBytes(
                index + PAYLOAD_OFFSET + recordLength,
                publication.payload(),
                publication.payloadOffset(),
                publication.payloadLength() + publication.headersLength());
        ring.commit(index);
        return true;
    }

    /** Called by I/O agents. */
    boolean offerStaged(final int ioAgent, final Publication publication, final StagingSlot slot) {
        if (slots[ioAgent].size() == SLOT_QUEUE_LENGTH) {
            return false;
        }
        final int index = ring.tryClaim(
                hasChange(publication) ? TYPE_CHANGE_STAGED : TYPE_STAGED, PAYLOAD_OFFSET + recordLength(publication));
        if (index < 0) {
            return false;
        }
        slots[ioAgent].add(slot);
        final AtomicBuffer buffer = ring.buffer();
        putHeader(buffer, index, ioAgent, publication);
        buffer.putInt(index + SLOT_OFFSET_OFFSET, publication.payloadOffset());
        buffer.putInt(index + SLOT_LENGTH_OFFSET, publication.payloadLength());
        ring.commit(index);
        return true;
    }

    /** How many messages of an I/O agent are applied and enqueued. Called by that agent. */
    long processed(final int ioAgent) {
        return processed[ioAgent].get();
    }

    /** The sequences of the last messages of an I/O agent. Read by that agent. */
    AppliedSequences applied(final int ioAgent) {
        return applied[ioAgent];
    }

    /** Which messages of an I/O agent were dropped. Read by that agent. */
    Duplicates duplicates(final int ioAgent) {
        return duplicates[ioAgent];
    }

    /** Applies so many messages, or fewer if there are no more, or no room. Returns their number. */
    int read(final Shard to, final int limit) {
        shard = to;
        int count = 0;
        int step;
        int done;
        do {
            // All the rest when no records are changed.
            final int ahead = to.hasState() ? lookahead.look(to) : 0;
            step = ahead == 0 ? limit - count : Math.min(ahead, limit - count);
            done = RingReads.read(ring, this, step);
            count += done;
        } while (done == step && count < limit);
        return count;
    }

    /**
     * Notifies I/O agents that everything read so far is applied and enqueued. Returns false when one has no room now.
     */
    boolean onProcessed() {
        boolean isNotified = true;
        for (int i = 0; i < read.length; i++) {
            if (processed[i].getPlain() != read[i]) {
                if (duplicates[i].flush()) {
                    processed[i].setRelease(read[i]);
                } else {
                    isNotified = false;
                }
                wakeup.accept(i);
            }
        }
        return isNotified;
    }

    @Override
    public Action onMessage(final int type, final MutableDirectBuffer buffer, final int index, final int length) {
        final int ioAgent = buffer.getInt(index + IO_AGENT_OFFSET);
        readHeader(buffer, index, type == TYPE_CHANGE_INLINE || type == TYPE_CHANGE_STAGED);
        final boolean isApplied;
        if (type == TYPE_STAGED || type == TYPE_CHANGE_STAGED) {
            isApplied = applyStaged(ioAgent, buffer, index);
        } else {
            final int payloadOffset = PAYLOAD_OFFSET + recordLength(publication);
            publication.payload(buffer, index + payloadOffset, length - payloadOffset - publication.headersLength());
            isApplied = apply(ioAgent);
        }
        if (!isApplied) {
            return Action.ABORT;
        }
        read[ioAgent]++;
        return Action.CONTINUE;
    }

    private boolean applyStaged(final int ioAgent, final DirectBuffer buffer, final int index) {
        final StagingSlot slot = slots[ioAgent].peek();
        if (slot == null) {
            throw new IllegalStateException("inbox: a staged message without its slot");
        }
        publication.payload(
                slot.buffer(), buffer.getInt(index + SLOT_OFFSET_OFFSET), buffer.getInt(index + SLOT_LENGTH_OFFSET));
        if (!apply(ioAgent)) {
            return false;
        }
        slots[ioAgent].poll();
        return true;
    }

    private boolean apply(final int ioAgent) {
        final Shard to = shard;
        if (to == null || !to.apply(publication)) {
            return false;
        }
        if (to.isDuplicate()) {
            if (!duplicates[ioAgent].add(read[ioAgent] + 1, publication.publisherId())) {
                return false;
            }
            to.counters().duplicates().incrementPlain();
        }
        applied[ioAgent].put(read[ioAgent] + 1, to.appliedSequence());
        return true;
    }

    private void readHeader(final DirectBuffer buffer, final int index, final boolean hasChange) {
        publication
                .of(
                        buffer.getInt(index + TOPIC_ID_OFFSET),
                        buffer.getInt(index + PUBLISHER_ID_OFFSET),
                        buffer.getLong(index + PUBLISHER_SEQUENCE_OFFSET))
                .headers(buffer.getInt(index + HEADERS_LENGTH_OFFSET));
        if (hasChange) {
            readChange(buffer, index + PAYLOAD_OFFSET);
        }
    }

    private void readChange(final DirectBuffer buffer, final int at) {
        final int flags = buffer.getInt(at + FLAGS_OFFSET);
        if ((flags & FLAG_RECORD) != 0) {
            publication.record(
                    buffer,
                    at + KEY_OFFSET,
                    buffer.getInt(at + KEY_LENGTH_OFFSET),
                    (flags & FLAG_DELTA) != 0,
                    buffer.getLong(at + EXPIRATION_OFFSET));
        }
        if ((flags & FLAG_REQUEST) != 0) {
            publication.request();
        }
        publication.from(buffer.getLong(at + SESSION_OFFSET), buffer.getLong(at + COMMAND_OFFSET));
    }

    /** Whether a message in the ring is put into the state. */
    static boolean isRecord(final int type, final DirectBuffer buffer, final int index) {
        return (type == TYPE_CHANGE_INLINE || type == TYPE_CHANGE_STAGED)
                && (buffer.getInt(index + PAYLOAD_OFFSET + FLAGS_OFFSET) & FLAG_RECORD) != 0;
    }

    /** The topic of a message in the ring. */
    static int topicId(final DirectBuffer buffer, final int index) {
        return buffer.getInt(index + TOPIC_ID_OFFSET);
    }

    /** Where the key of a message is in the ring, that {@link #isRecord}. */
    static int keyOffset(final int index) {
        return index + PAYLOAD_OFFSET + KEY_OFFSET;
    }

    /** How long that key is, in bytes. */
    static int keyLength(final DirectBuffer buffer, final int index) {
        return buffer.getInt(index + PAYLOAD_OFFSET + KEY_LENGTH_OFFSET);
    }

    /** Whether more is to be said of a message than most need. */
    private static boolean hasChange(final Publication of) {
        return of.hasRecord() || of.isRequest();
    }

    private static int recordLength(final Publication of) {
        return hasChange(of) ? KEY_OFFSET + of.keyLength() : 0;
    }

    private static int flags(final Publication of) {
        return (of.hasRecord() ? FLAG_RECORD : 0)
                | (of.isDelta() ? FLAG_DELTA : 0)
                | (of.isRequest() ? FLAG_REQUEST : 0);
    }

    private static void putHeader(
            final MutableDirectBuffer buffer, final int index, final int ioAgent, final Publication of) {
        buffer.putLong(index + PUBLISHER_SEQUENCE_OFFSET, of.publisherSequence());
        buffer.putInt(index + TOPIC_ID_OFFSET, of.topicId());
        buffer.putInt(index + PUBLISHER_ID_OFFSET, of.publisherId());
        buffer.putInt(index + IO_AGENT_OFFSET, ioAgent);
        buffer.putInt(index + HEADERS_LENGTH_OFFSET, of.headersLength());
        if (hasChange(of)) {
            final int at = index + PAYLOAD_OFFSET;
            buffer.putLong(at + SESSION_OFFSET, of.sessionId());
            buffer.putLong(at + COMMAND_OFFSET, of.commandId());
            buffer.putLong(at + EXPIRATION_OFFSET, of.expirationNs());
            buffer.putInt(at + FLAGS_OFFSET, flags(of));
            buffer.putInt(at + KEY_LENGTH_OFFSET, of.keyLength());
            buffer.putBytes(at + KEY_OFFSET, of.key(), of.keyOffset(), of.keyLength());
        }
    }
}
