package io.penstock.broker.session;

import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Puts the fragments of one session's long frame together in a staging slot. Takes a slot only while such a frame
 * arrives. Confined to the session's I/O agent.
 */
final class FrameAssembler {
    private final StagingPool pool;
    private @Nullable StagingSlot slot;
    private int length;
    private long startedNs;

    FrameAssembler(final StagingPool pool) {
        this.pool = pool;
    }

    /** Takes room for a frame; false when there is none now. */
    boolean begin(final int frameLength, final long nowNs) {
        if (slot == null) {
            slot = pool.acquire(frameLength);
            length = 0;
            startedNs = nowNs;
        }
        return slot != null;
    }

    /** Adds the next fragment; adding one twice changes nothing. */
    void add(final DirectBuffer buffer, final int offset, final int fragmentLength, final int frameOffset) {
        final StagingSlot to = slot;
        if (to != null && frameOffset == length) {
            to.buffer.putBytes(frameOffset, buffer, offset, fragmentLength);
            length += fragmentLength;
        }
    }

    /** The slot of the frame under way. */
    @Nullable
    StagingSlot slot() {
        return slot;
    }

    /** The frame is done; its slot belongs to the caller. */
    void detach() {
        slot = null;
    }

    /** Gives the slot of an unfinished frame back. */
    void abort() {
        if (slot != null) {
            pool.release(slot);
            slot = null;
        }
    }

    boolean isBusy() {
        return slot != null;
    }

    long startedNs() {
        return startedNs;
    }
}
