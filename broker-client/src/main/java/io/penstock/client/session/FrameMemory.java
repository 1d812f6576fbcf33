package io.penstock.client.session;

import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Internal: memory for one long frame, which grows to the longest frame so far and does not shrink; the configured
 * frame length bounds it. Owned by its maker.
 */
public final class FrameMemory implements AutoCloseable {
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private @Nullable ByteBuffer memory;

    /** Holds the frame from its start on. */
    DirectBuffer buffer() {
        return buffer;
    }

    /** Internal: makes room for a frame and returns the buffer to write it to; what was there is lost. */
    public UnsafeBuffer ensureLength(final int frameLength) {
        if (frameLength > buffer.capacity()) {
            close();
            memory = ByteBuffer.allocateDirect(frameLength);
            buffer.wrap(memory);
        }
        return buffer;
    }

    /**
     * Adds a fragment; adding the same one again changes nothing.
     *
     * @return whether the frame is complete.
     */
    boolean add(
            final DirectBuffer source,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        if (frameOffset == 0) {
            ensureLength(frameLength);
        }
        buffer.putBytes(frameOffset, source, offset, length);
        return frameOffset + length == frameLength;
    }

    @Override
    public void close() {
        buffer.wrap(0, 0);
        BufferUtil.free(memory);
        memory = null;
    }
}
