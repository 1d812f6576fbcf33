package io.penstock.orb.chunk;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Parses frames as their bytes come; none need be whole. Owned by the thread that reads the connection. Long frames go
 * straight from the connection to their target.
 */
final class FrameReader {
    /** Handles frames. */
    interface Sink {
        /**
         * Data begins.
         *
         * @return null for a stream that has ended, whose bytes are dropped.
         * @throws IOException when it may not.
         */
        ChunkStream onData(int stream, int flags, int length) throws IOException;

        /**
         * Some of its bytes, or the last of them.
         *
         * @param flags of the frame, with the last of its bytes; else 0.
         */
        void onBytes(ChunkStream stream, byte[] bytes, int offset, int count, int flags);

        void onCredit(int stream, int count) throws IOException;

        void onReset(int stream, String reason);

        void onClose(String reason) throws IOException;

        /** Where the next bytes of the stream can be read to, so many at most; null when they are to be copied. */
        Claim claim(ChunkStream stream, int count);

        /**
         * The bytes were read to the claimed place.
         *
         * @param flags of the frame, with the last of its bytes; else 0.
         */
        void onClaimed(ChunkStream stream, Claim claim, int count, int flags);
    }

    private static final int BUFFER_LENGTH = 64 * 1024;
    /** Shorter data is copied: then one read takes in more than that data. */
    private static final int DIRECT_LENGTH_MIN = 16 * 1024;
    /** Read behind a long frame, which another long one may follow. */
    private static final int NEXT_LENGTH = 1024;

    private final InputStream in;
    private final Sink sink;
    private final byte[] buffer = new byte[BUFFER_LENGTH];
    private int position;
    private int limit;
    private ChunkStream current;
    private int flags;
    private int remaining;
    private boolean isLong;
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
     * @throws IOException when the connection is at its end, or what came is wrong.
     */
    void read() throws IOException {
        sinceNs = System.nanoTime();
        isReading = true;
        try {
            readOnce();
        } finally {
            isReading = false;
        }
    }

    private void readOnce() throws IOException {
        final ChunkStream known = current;
        if (position == limit && known != null && remaining >= DIRECT_LENGTH_MIN) {
            final Claim claim = sink.claim(known, remaining);
            if (claim != null) {
                isLong = true;
                readClaimed(known, claim);
                return;
            }
        }
        compact();
        final int room = buffer.length - limit;
        final int read = in.read(buffer, limit, isLong ? Math.min(room, NEXT_LENGTH) : room);
        isLong = false;
        checkEnd(read);
        limit += read;
        takeApart();
    }

    private void readClaimed(final ChunkStream stream, final Claim claim) throws IOException {
        int read = 0;
        try {
            read = in.read(claim.bytes(), claim.offset(), Math.min(claim.room(), remaining));
            checkEnd(read);
        } finally {
            final int some = Math.max(0, read);
            remaining -= some;
            sink.onClaimed(stream, claim, some, endFlags());
        }
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

    private void takeApart() throws IOException {
        while (true) {
            if (remaining > 0) {
                final int some = Math.min(remaining, limit - position);
                if (some == 0) {
                    return;
                }
                final int from = position;
                position += some;
                remaining -= some;
                if (current != null) {
                    sink.onBytes(current, buffer, from, some, endFlags());
                }
            } else if (limit - position < ChunkFrame.HEADER_LENGTH || !isBegun()) {
                return;
            }
        }
    }

    /** The flags of a frame whose bytes are all there. */
    private int endFlags() {
        return remaining == 0 ? flags : 0;
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
            if (length == 0 && current != null) {
                sink.onBytes(current, buffer, position, 0, flags);
            }
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
