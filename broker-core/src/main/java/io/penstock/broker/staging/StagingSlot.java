package io.penstock.broker.staging;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Off-heap room for one long frame while it arrives. Owned by its {@link StagingPool}. */
public final class StagingSlot {
    /** Of a slot that nobody has used yet. */
    private static final StagingShare NOBODY = new StagingShare("");

    private final UnsafeBuffer buffer;

    StagingShare share = NOBODY;

    StagingSlot(final int length) {
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
    }

    /** Of who uses it, or has used it last. */
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
