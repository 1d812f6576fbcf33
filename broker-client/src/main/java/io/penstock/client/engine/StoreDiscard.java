package io.penstock.client.engine;

import io.penstock.client.PublishStore;
import io.penstock.client.session.FrameSender;

/** Frees room in a publish store, as far as its messages are done and none is just being sent. Owned by the agent. */
final class StoreDiscard {
    private final PublishStore store;
    private final FrameSender sender;

    /** The long message whose bytes are in use while the session sends it. */
    private long largeSequence;

    private long doneSequence;
    private long discardedSequence;

    StoreDiscard(final PublishStore store, final FrameSender sender) {
        this.store = store;
        this.sender = sender;
    }

    void onLarge(final long sequence) {
        largeSequence = sequence;
    }

    void onDone(final long sequence) {
        doneSequence = sequence;
    }

    /** Whether a message is done, and all before it are. */
    boolean isDone(final long sequence) {
        return sequence <= doneSequence;
    }

    /** Once for each duty cycle. */
    void discard() {
        long sequence = doneSequence;
        if (largeSequence != 0 && sender.isLargeActive()) {
            sequence = Math.min(sequence, largeSequence - 1);
        }
        if (sequence > discardedSequence) {
            discardedSequence = sequence;
            store.discard(sequence);
        }
    }
}
