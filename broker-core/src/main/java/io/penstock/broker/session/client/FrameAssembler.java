package io.penstock.broker.session.client;

import io.penstock.broker.staging.StagingShare;
import io.penstock.broker.staging.StagingSlot;
import io.penstock.transport.TransportContext;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Puts the fragments of one session's long frame together in a staging slot, and knows when its sender last made progress.
 * Confined to the session's I/O agent.
 */
public final class FrameAssembler {
    /** Bytes that a sender has to send within a time so that it does not count as stalled. */
    static final int PROGRESS_LENGTH = TransportContext.FRAGMENT_LENGTH_MIN;

    /** Where the session is among those whose frames arrive; kept by {@link Staging}. */
    int index = -1;

    /** Before then a frame that waits for room need not look who has stalled; kept by {@link Staging}. */
    long lookAgainNs = Long.MIN_VALUE;

    /** Where the frames of its session count; null before the first; kept by {@link Staging}. */
    @Nullable
    StagingShare share;

    private @Nullable StagingSlot slot;
    private int frameLength;
    private int length;
    private int progressLength;
    private long progressNs;

    /** A frame begins. */
    void start(final StagingSlot to, final int ofLength, final long nowNs) {
        slot = to;
        frameLength = ofLength;
        length = 0;
        progressLength = 0;
        progressNs = nowNs;
    }

    /** Adds the next fragment; adding one twice changes nothing. */
    public void add(
            final DirectBuffer buffer,
            final int offset,
            final int fragmentLength,
            final int frameOffset,
            final long nowNs) {
        final StagingSlot to = slot;
        if (to != null && frameOffset == length) {
            to.buffer().putBytes(frameOffset, buffer, offset, fragmentLength);
            length += fragmentLength;
            if (length - progressLength >= PROGRESS_LENGTH) {
                onProgress(nowNs);
            }
        }
    }

    /** Its sender has sent more, or would have if it were read. */
    public void onProgress(final long nowNs) {
        progressLength = length;
        progressNs = nowNs;
    }

    /** The slot of the frame under way. */
    @Nullable
    public StagingSlot slot() {
        return slot;
    }

    /** The frame is done, or will never be. */
    void end() {
        slot = null;
    }

    /** Whether a frame is under way. */
    public boolean isBusy() {
        return slot != null;
    }

    /** Since when the sender has brought less than it has to. */
    long progressNs() {
        return progressNs;
    }

    /** Whether a frame is under way whose sender has brought less than it has to for so long. */
    public boolean isStalled(final long nowNs, final long patienceNs) {
        return slot != null && nowNs - progressNs > patienceNs;
    }

    int length() {
        return length;
    }

    int frameLength() {
        return frameLength;
    }
}
