package io.penstock.orb.chunk;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Takes frames apart, as their bytes come; none need be whole. Owned by whoever reads the connection. Bytes of the reading
 * thread's own stream go where it wants them, long ones straight from the connection.
 */
final class FrameReader {
    /** What frames mean. */
    interface Sink {
        /**
         * Data begins.
         *
         * @return null for a stream that is gone, whose bytes are dropped.
         * @throws IOException when it may not.
         */
        ChunkStream onData(int stream, int flags, int length) throws IOException;

        /**
         * Some of its bytes, or the last of them.
         *
         * @param isTurn whether all is answered with these.
         */
        void onBytes(ChunkStream stream, byte[] bytes, int offset, int count, boolean isTurn);

        void onCredit(int stream, int count) throws IOException;

        void onReset(int stream, String reason);

        void onClose(String reason) throws IOException;

        /** Whether many bytes can be read to where the stream's thread, which waits, wants them; it does not go on then. */
        boolean claim(ChunkStream stream);

        /**
         * So many were read there; its thread goes on.
         *
         * @param isTurn whether all is answered with these.
         */
        void onClaimed(ChunkStream stream, int count, boolean isTurn);

        /** Whether bytes of this stream can go past its ring. */
        boolean isDrained(ChunkStream stream);
    }

    private static final int BUFFER_LENGTH = 16 * 1024;
    static final int DIRECT_LENGTH_MIN = 4 * 1024;

    private final InputStream in;
    private final Sink sink;
    private final byte[] buffer = new byte[BUFFER_LENGTH];
    private int position;
    private int limit;
    private ChunkStream current;
    private int flags;
    private int remaining;
    private volatile long sinceNs;
    private volatile boolean isReading;

    FrameReader(final InputStream in, final Sink sink) {
        this.in = in;
        this.sink = sink;
    }

    /** Whether a read goes on for longer than that. */
    boolean isStuck(final long nowNs, final long timeoutNs) {
        return isReading && nowNs - sinceNs > timeoutNs;
    }

    /**
     * Reads once, and takes apart all that is there.
     *
     * @param self   stream of the reading thread; null = none.
     * @param bytes  where its bytes go.
     * @param offset where to begin.
     * @param count  most of them.
     * @return how many went there.
     * @throws IOException when the connection is at its end, or what came is wrong.
     */
    int read(final ChunkStream self, final byte[] bytes, final int offset, final int count) throws IOException {
        sinceNs = System.nanoTime();
        isReading = true;
        try {
            return readOnce(self, bytes, offset, count);
        } finally {
            isReading = false;
        }
    }

    private int readOnce(final ChunkStream self, final byte[] bytes, final int offset, final int count)
            throws IOException {
        if (position == limit && remaining > 0 && current != null) {
            if (self == current && count >= DIRECT_LENGTH_MIN && isDirect(self)) {
                final int read = in.read(bytes, offset, Math.min(count, remaining));
                checkEnd(read);
                remaining -= read;
                tellTurn();
                return read;
            }
            if (self != current && remaining >= DIRECT_LENGTH_MIN && sink.claim(current)) {
                readClaimed(current);
                return 0;
            }
        }
        compact();
        final int read = in.read(buffer, limit, buffer.length - limit);
        checkEnd(read);
        limit += read;
        return takeApart(self, bytes, offset, count);
    }

    private void readClaimed(final ChunkStream stream) throws IOException {
        int read = 0;
        try {
            read = in.read(stream.target(), stream.targetEnd(), Math.min(stream.targetRoom(), remaining));
            checkEnd(read);
        } finally {
            final int some = Math.max(0, read);
            remaining -= some;
            sink.onClaimed(stream, some, isTurn());
        }
    }

    private boolean isDirect(final ChunkStream self) {
        return self != null && sink.isDrained(self);
    }

    private static void checkEnd(final int read) throws EOFException {
        if (read < 0) {
            throw new EOFException("chunk: the other side has closed the connection");
        }
    }

    private void compact() {
        if (position == limit) {
            position = 0;
            limit = 0;
        } else if (position > 0) {
            System.arraycopy(buffer, position, buffer, 0, limit - position);
            limit -= position;
            position = 0;
        }
    }

    private int takeApart(final ChunkStream self, final byte[] bytes, final int offset, final int count)
            throws IOException {
        int direct = 0;
        while (true) {
            if (remaining > 0) {
                int some = Math.min(remaining, limit - position);
                if (some == 0) {
                    return direct;
                }
                final int from = position;
                if (current != null && current == self && direct < count && isDirect(self)) {
                    some = Math.min(some, count - direct);
                    System.arraycopy(buffer, from, bytes, offset + direct, some);
                    direct += some;
                    position += some;
                    remaining -= some;
                    tellTurn();
                } else {
                    position += some;
                    remaining -= some;
                    if (current != null) {
                        sink.onBytes(current, buffer, from, some, isTurn());
                    }
                }
            } else if (limit - position < ChunkFrame.HEADER_LENGTH || !isBegun()) {
                return direct;
            }
        }
    }

    /** Whether all is answered with the bytes that were taken last. */
    private boolean isTurn() {
        return remaining == 0 && (flags & ChunkFrame.TURN) != 0;
    }

    private void tellTurn() {
        if (isTurn() && current != null) {
            sink.onBytes(current, buffer, 0, 0, true);
        }
    }

    /** Looks at the header that lies at the position; false when the frame has to be whole first. */
    private boolean isBegun() throws IOException {
        final int type = buffer[position];
        final int length = ChunkFrame.payloadLength(buffer, position);
        final int stream = ChunkFrame.getInt(buffer, position + 4);
        if (type == ChunkFrame.DATA) {
            flags = buffer[position + 1];
            position += ChunkFrame.HEADER_LENGTH;
            current = sink.onData(stream, flags, length);
            remaining = length;
            tellTurn();
            return true;
        }
        checkControl(type, length);
        if (limit - position < ChunkFrame.HEADER_LENGTH + length) {
            return false;
        }
        final int payload = position + ChunkFrame.HEADER_LENGTH;
        position = payload + length;
        if (type == ChunkFrame.WINDOW) {
            sink.onCredit(stream, ChunkFrame.getInt(buffer, payload));
        } else if (type == ChunkFrame.RESET) {
            sink.onReset(stream, text(payload, length));
        } else {
            sink.onClose(text(payload, length));
        }
        return true;
    }

    private static void checkControl(final int type, final int length) throws IOException {
        if (type != ChunkFrame.WINDOW && type != ChunkFrame.RESET && type != ChunkFrame.CLOSE) {
            throw new WrongFrameException("chunk frame: unknown type: " + type + " (the connection is closed)");
        }
        final int lengthMax = type == ChunkFrame.WINDOW ? ChunkFrame.CREDIT_LENGTH : ChunkFrame.REASON_LENGTH_MAX;
        if (length > lengthMax || (type == ChunkFrame.WINDOW && length != lengthMax)) {
            throw new WrongFrameException(
                    "chunk frame: wrong length for its type " + type + ": " + length + " (the connection is closed)");
        }
    }

    private String text(final int at, final int length) {
        return new String(buffer, at, length, StandardCharsets.UTF_8);
    }
}
