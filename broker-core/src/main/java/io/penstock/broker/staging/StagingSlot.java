package io.penstock.broker.staging;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Off-heap room for one long frame while it arrives. Owned by its {@link StagingPool}. */
public final class StagingSlot {
    /** The share of a slot that was never used. */
    private static final StagingShare NOBODY = new StagingShare("");

    private final UnsafeBuffer buffer;

    StagingShare share = NOBODY;

    StagingSlot(final int length) {
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
    }

    /** The share of its user, or of its last user. */
    public StagingShare share() {
        return share;
    }

    /**
     * The frame's bytes.
     *
     * @return buffer, read-only for all but the I/O agent that fills it.
     */
    public UnsafeBuffer buffer() {
        return buffer;
    }
}
