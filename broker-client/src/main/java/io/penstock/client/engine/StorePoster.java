package io.penstock.client.engine;

import io.penstock.client.PenstockException;
import io.penstock.client.PublishOptions;
import io.penstock.client.PublishStore;
import io.penstock.client.session.FrameMemory;
import io.penstock.client.session.PublishFrame;
import io.penstock.protocol.ErrorCode;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Gives messages their sequences, and puts them into a publish store, before they are handed to the agent: threads take
 * turns, so that the store has the order of the sequences, and the ring that of the store.
 */
final class StorePoster {
    private final ReentrantLock turn = new ReentrantLock();
    private final PublishStore store;
    private final Outbox outbox;
    private final FrameMemory scratch = new FrameMemory();
    private long lastSequence;

    StorePoster(final PublishStore store, final Outbox outbox) {
        this.store = store;
        this.outbox = outbox;
        lastSequence = store.lastSequence();
    }

    /** The broker has applied a sequence of this client's name. */
    void onApplied(final long sequence) {
        turn.lock();
        try {
            lastSequence = Math.max(lastSequence, sequence);
        } finally {
            turn.unlock();
        }
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
        turn.lock();
        try {
            final long sequence = publisherSequence == 0 ? lastSequence + 1 : publisherSequence;
            if (sequence <= lastSequence) {
                throw new PenstockException(
                        ErrorCode.BAD_MESSAGE,
                        "publish: publisher sequence does not rise: " + sequence + " after " + lastSequence
                                + " (leave it out, and the client gives one)");
            }
            final int index = outbox.claimStored();
            if (index < 0) {
                return false;
            }
            boolean isStored = false;
            try {
                isStored = store(sequence, topic, topicLength, payload, offset, length, options);
            } finally {
                if (isStored) {
                    lastSequence = sequence;
                    if (pending != null) {
                        pending.publisherSequence(sequence);
                    }
                    outbox.commitStored(index, pending, sequence);
                } else {
                    outbox.abortStored(index);
                }
            }
            return isStored;
        } finally {
            turn.unlock();
        }
    }

    private boolean store(
            final long sequence,
            final String topic,
            final int topicLength,
            final DirectBuffer payload,
            final int offset,
            final int length,
            final PublishOptions options) {
        final int frameLength = PublishFrame.length(topicLength, length, options);
        final UnsafeBuffer frame = scratch.ensureLength(frameLength);
        PublishFrame.write(frame, 0, topic, topicLength, payload, offset, length, options, sequence, 0);
        return store.append(sequence, frame, 0, frameLength);
    }

    /** Called when nobody posts any more. */
    void close() {
        scratch.close();
        store.close();
    }
}
