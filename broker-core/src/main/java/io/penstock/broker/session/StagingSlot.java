package io.penstock.broker.session;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Off-heap room for one long frame while it arrives. Owned by its {@link StagingPool}. */
public final class StagingSlot {
    final UnsafeBuffer buffer;

    StagingSlot(final int length) {
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
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
