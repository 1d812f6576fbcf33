package io.penstock.client.engine;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockException;
import io.penstock.client.PublishOptions;
import io.penstock.client.session.CommandFrame;
import io.penstock.client.session.FrameSender;
import io.penstock.client.session.PublishFrame;
import io.penstock.transport.RingReads;
import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Carries commands from the threads of a program to the client's agent, as whole frames that only lack their command
 * id. Any thread posts; the agent reads.
 *
 * <pre>
 *  frame in the ring:   | index of the pending command or -1 | unused       | frame ...    |
 *  frame in a slot:     | index of the pending command or -1 | slot         | frame length |
 *  message in a store:  | index of the pending command or -1 | unused       | sequence     |
 *  end of a drain:      | index of the pending command       |
 * </pre>
 */
final class Outbox {
    private static final int TYPE_FRAME = 1;
    private static final int TYPE_STAGED = 2;
    private static final int TYPE_STORED = 3;
    private static final int TYPE_DRAIN = 4;

    private static final int PENDING_OFFSET = 0;
    private static final int SLOT_OFFSET = PENDING_OFFSET + SIZE_OF_INT;
    private static final int FRAME_OFFSET = SLOT_OFFSET + SIZE_OF_INT;
    private static final int FRAME_LENGTH_OFFSET = FRAME_OFFSET;
    private static final int STAGED_LENGTH = FRAME_LENGTH_OFFSET + SIZE_OF_INT;
    private static final int SEQUENCE_OFFSET = FRAME_OFFSET;
    private static final int STORED_LENGTH = SEQUENCE_OFFSET + SIZE_OF_LONG;

    /** Longer frames are staged: a connection takes up to this in one part, straight from the ring. */
    private static final int RING_FRAME_LENGTH_MAX = CommandFrame.LENGTH_MAX;

    /** Room for the description of a staged frame, with plenty of space for those of other threads. */
    private static final int RING_RESERVE = 4 * 1024;

    private final ByteBuffer memory;
    private final ManyToOneRingBuffer ring;
    private final StagedFrames staged;
    private final PendingPool pool;

    Outbox(final ClientConfig config) {
        memory = ByteBuffer.allocateDirect(config.ringLength() + RingBufferDescriptor.TRAILER_LENGTH);
        ring = new ManyToOneRingBuffer(new UnsafeBuffer(memory));
        staged = new StagedFrames(
                config.stagingLength(),
                PublishFrame.stateLength(PublishFrame.TOPIC_LENGTH_MAX, 0, config.messageLengthMax()));
        pool = new PendingPool(config.inFlightLimit());
    }

    PendingPool pool() {
        return pool;
    }

    boolean isEmpty() {
        return ring.size() == 0;
    }

    /** Whether a frame goes by a slot and not by the ring. */
    static boolean isStaged(final int frameLength) {
        return frameLength > RING_FRAME_LENGTH_MAX;
    }

    /** Posts a publish whose lengths were checked; returns false when there is no room. */
    boolean tryPost(
            final @Nullable PendingCommand pending,
            final String topic,
            final int topicLength,
            final DirectBuffer payload,
            final int offset,
            final int length,
            final PublishOptions options,
            final long publisherSequence) {
        final int frameLength = PublishFrame.length(topicLength, length, options);
        final int ackTypes = pending == null ? 0 : pending.ackTypes();
        if (isStaged(frameLength)) {
            return tryStage(
                    pending, topic, topicLength, payload, offset, length, options, publisherSequence, frameLength);
        }
        final int index = ring.tryClaim(TYPE_FRAME, FRAME_OFFSET + frameLength);
        if (index < 0) {
            return false;
        }
        final AtomicBuffer buffer = ring.buffer();
        buffer.putInt(index + PENDING_OFFSET, indexOf(pending));
        PublishFrame.write(
                buffer,
                index + FRAME_OFFSET,
                topic,
                topicLength,
                payload,
                offset,
                length,
                options,
                publisherSequence,
                ackTypes);
        ring.commit(index);
        return true;
    }

    private boolean tryStage(
            final @Nullable PendingCommand pending,
            final String topic,
            final int topicLength,
            final DirectBuffer payload,
            final int offset,
            final int length,
            final PublishOptions options,
            final long publisherSequence,
            final int frameLength) {
        // Looked at first, so that a full ring does not cost a long copy in vain.
        final boolean hasRoom = ring.capacity() - ring.size() > RING_RESERVE;
        final StagedFrames.Slot slot = hasRoom ? staged.take(frameLength) : null;
        if (slot == null) {
            return false;
        }
        final int ackTypes = pending == null ? 0 : pending.ackTypes();
        PublishFrame.write(
                slot.buffer(), 0, topic, topicLength, payload, offset, length, options, publisherSequence, ackTypes);
        final int index = ring.tryClaim(TYPE_STAGED, STAGED_LENGTH);
        if (index < 0) {
            staged.release(slot);
            return false;
        }
        ring.buffer().putInt(index + PENDING_OFFSET, indexOf(pending));
        ring.buffer().putInt(index + SLOT_OFFSET, slot.index());
        ring.buffer().putInt(index + FRAME_LENGTH_OFFSET, frameLength);
        ring.commit(index);
        return true;
    }

    /** Posts a command; returns false when there is no room. */
    boolean tryPost(final PendingCommand pending, final CommandFrame frame) {
        final int index = ring.tryClaim(TYPE_FRAME, FRAME_OFFSET + frame.length());
        if (index < 0) {
            return false;
        }
        ring.buffer().putInt(index + PENDING_OFFSET, indexOf(pending));
        ring.buffer().putBytes(index + FRAME_OFFSET, frame.buffer(), 0, frame.length());
        ring.commit(index);
        return true;
    }

    /** Makes room for a message that is to be stored; returns where, or a negative number when there is none. */
    int claimStored() {
        return ring.tryClaim(TYPE_STORED, STORED_LENGTH);
    }

    /** Posts a message that is stored. */
    void commitStored(final int index, final @Nullable PendingCommand pending, final long sequence) {
        ring.buffer().putInt(index + PENDING_OFFSET, indexOf(pending));
        ring.buffer().putLong(index + SEQUENCE_OFFSET, sequence);
        ring.commit(index);
    }

    /** Gives room back that was claimed. */
    void abortStored(final int index) {
        ring.abort(index);
    }

    /** Posts a request that is done when all stored messages before it are; returns false when there is no room. */
    boolean tryPostDrain(final PendingCommand pending) {
        final int index = ring.tryClaim(TYPE_DRAIN, FRAME_OFFSET);
        if (index < 0) {
            return false;
        }
        ring.buffer().putInt(index + PENDING_OFFSET, pending.index());
        ring.commit(index);
        return true;
    }

    private static int indexOf(final @Nullable PendingCommand pending) {
        return pending == null ? PendingCommand.NO_INDEX : pending.index();
    }

    /** Hands what was posted to a reader that is the agent's. */
    int read(final Reader reader, final int limit) {
        return RingReads.read(ring, reader, limit);
    }

    /** Frees the memory; called by the agent when nobody posts any more. */
    void close() {
        staged.close();
        BufferUtil.free(memory);
    }

    /** Passes what was posted to the session, in its order. Owned by the agent. */
    static final class Reader implements ControlledMessageHandler {
        private final Outbox outbox;
        private final FrameSender sender;
        private final InFlight inFlight;
        private final @Nullable StoredPublishes stored;
        private StagedFrames.@Nullable Slot sending;

        Reader(
                final Outbox outbox,
                final FrameSender sender,
                final InFlight inFlight,
                final @Nullable StoredPublishes stored) {
            this.outbox = outbox;
            this.sender = sender;
            this.inFlight = inFlight;
            this.stored = stored;
        }

        /** Sends as much as the session takes and returns the number of commands. */
        int poll(final int limit) {
            releaseSent();
            return outbox.read(this, limit);
        }

        /** Whether nothing is posted that is not sent. */
        boolean isEmpty() {
            return outbox.isEmpty();
        }

        /** Drops what was posted and fails those who wait for it. */
        void failAll(final PenstockException reason) {
            outbox.failAll(reason);
        }

        /** Frees the memory, when nobody posts any more. */
        void close() {
            outbox.close();
        }

        /** Gives a slot back whose frame is sent, or never will be. */
        void releaseSent() {
            if (sending != null && !sender.isLargeActive()) {
                outbox.staged.release(sending);
                sending = null;
            }
        }

        @Override
        public Action onMessage(final int typeId, final MutableDirectBuffer buffer, final int index, final int length) {
            if (stored != null && stored.isBehind()) {
                return Action.ABORT;
            }
            final int pendingIndex = buffer.getInt(index + PENDING_OFFSET);
            final PendingCommand pending =
                    pendingIndex == PendingCommand.NO_INDEX ? null : outbox.pool.at(pendingIndex);
            if (stored != null && typeId == TYPE_STORED) {
                stored.add(buffer.getLong(index + SEQUENCE_OFFSET), pending);
                stored.send();
                return Action.CONTINUE;
            }
            if (stored != null && typeId == TYPE_DRAIN && pending != null) {
                stored.addDrain(pending);
                return Action.CONTINUE;
            }
            final long commandId;
            if (typeId == TYPE_STAGED) {
                if (sending != null) {
                    return Action.ABORT;
                }
                final StagedFrames.Slot slot = outbox.staged.at(buffer.getInt(index + SLOT_OFFSET));
                commandId = sender.offerLarge(slot.buffer(), 0, buffer.getInt(index + FRAME_LENGTH_OFFSET));
                sending = commandId < 0 ? null : slot;
            } else {
                commandId = sender.offerFrame(buffer, index + FRAME_OFFSET, length - FRAME_OFFSET);
            }
            if (commandId < 0) {
                return Action.ABORT;
            }
            if (pending != null) {
                inFlight.add(commandId, pending);
                if (pending.request() != null) {
                    pending.request().onSent(commandId);
                }
            }
            return Action.CONTINUE;
        }
    }

    /** Drops what was posted and fails those who wait for it. Called by the agent as its last. */
    void failAll(final PenstockException reason) {
        long position;
        do {
            position = ring.consumerPosition();
            // Each read stops where the ring wraps.
            fail(reason);
        } while (ring.consumerPosition() != position);
    }

    private void fail(final PenstockException reason) {
        ring.read((typeId, buffer, index, length) -> {
            final int pendingIndex = buffer.getInt(index + PENDING_OFFSET);
            if (typeId == TYPE_STAGED) {
                staged.release(staged.at(buffer.getInt(index + SLOT_OFFSET)));
            }
            if (pendingIndex != PendingCommand.NO_INDEX) {
                pool.at(pendingIndex).onFailure(reason);
            }
        });
    }
}
