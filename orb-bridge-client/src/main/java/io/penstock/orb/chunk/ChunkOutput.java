package io.penstock.orb.chunk;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Gathers what is written into frames, with room for the header before them, so that a frame is sent by one write and copied
 * once. What is longer than a frame is sent from where it lies. Owned by the writing thread.
 */
public abstract class ChunkOutput extends OutputStream {
    private static final int ROOM = ChunkFrame.HEADER_LENGTH;
    private static final int LENGTH_MIN = 4 * 1024;
    private static final int LENGTH_MAX = ChunkFrame.PAYLOAD_LENGTH_MAX;

    private byte[] buffer = new byte[ROOM + LENGTH_MIN];
    private int length;

    /** Nothing is gathered yet. */
    protected ChunkOutput() {}

    /**
     * Sends what was gathered.
     *
     * @param bytes     with room for a header before the offset.
     * @param offset    where it begins.
     * @param count     of bytes; 0 only when flushed.
     * @param isFlushed whether the writer waits for an answer now, or has answered.
     * @return where to gather what comes next: the same array, or another one when this one was kept.
     * @throws IOException when it cannot be sent.
     */
    protected abstract byte[] send(byte[] bytes, int offset, int count, boolean isFlushed) throws IOException;

    /**
     * Sends bytes that belong to somebody else.
     *
     * @param bytes  to send; they stay as they are.
     * @param offset where to begin.
     * @param count  of bytes.
     * @throws IOException when they cannot be sent.
     */
    protected abstract void sendGathered(byte[] bytes, int offset, int count) throws IOException;

    @Override
    public final void write(final int value) throws IOException {
        claim(1);
        buffer[ROOM + length] = (byte) value;
        length++;
    }

    @Override
    public final void write(final byte[] bytes, final int offset, final int count) throws IOException {
        if (count > LENGTH_MAX) {
            drain(false);
            // The last byte stays, so that a flush says with it that it was the last.
            sendGathered(bytes, offset, count - 1);
            write(bytes[offset + count - 1]);
            return;
        }
        int at = offset;
        int left = count;
        while (left > 0) {
            // A frame that is not full costs as much as a full one.
            final int some = Math.min(left, LENGTH_MAX - length);
            claim(some);
            System.arraycopy(bytes, at, buffer, ROOM + length, some);
            length += some;
            at += some;
            left -= some;
            if (left > 0) {
                drain(false);
            }
        }
    }

    private void claim(final int count) throws IOException {
        if (length + count > LENGTH_MAX) {
            drain(false);
        }
        if (ROOM + length + count > buffer.length) {
            final int wanted = Math.max(buffer.length * 4, ROOM + length + count);
            buffer = Arrays.copyOf(buffer, Math.min(ROOM + LENGTH_MAX, wanted));
        }
    }

    @Override
    public final void flush() throws IOException {
        drain(true);
    }

    private void drain(final boolean isFlushed) throws IOException {
        final int count = length;
        length = 0;
        if (count > 0 || isFlushed) {
            byte[] next = null;
            try {
                next = send(buffer, ROOM, count, isFlushed);
            } finally {
                // It may have been kept even if this has failed.
                buffer = next == null ? new byte[ROOM + LENGTH_MIN] : next;
            }
        }
    }
}
