package io.penstock.bridge.rmi;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Bytes of a client, read from the system in pieces of up to 64 KiB. It can be marked, so that the runtime puts no
 * smaller buffer of its own before it. Owned by the connection's thread.
 */
final class CallerInput extends BufferedInputStream {
    private static final int LENGTH = 64 * 1024;

    /** What a handshake of TLS begins with. */
    private static final int TLS_HANDSHAKE = 22;

    private final Source source;

    /**
     * Reads calls.
     *
     * @param in        what to read.
     * @param socket    of the client.
     * @param lengthMax of one call, in bytes; what was read ahead of it comes on top.
     * @param onTooLong notified when a call is longer.
     */
    CallerInput(final InputStream in, final CallerSocket socket, final long lengthMax, final Runnable onTooLong) {
        this(new Source(in, socket, lengthMax + LENGTH, onTooLong));
    }

    private CallerInput(final Source source) {
        super(source, LENGTH);
        this.source = source;
    }

    /** Whether all that was read from the system was given to the runtime. */
    boolean isDrained() {
        return pos >= count;
    }

    /** The client is answered: what comes from here on is another call. */
    void onAnswer() {
        source.count = 0;
    }

    /**
     * Notes whose call the reading thread serves from here on, and counts what it reads: the filter of a call is not asked
     * before a string, however long, and not at all for calls of the registry and of the collector.
     */
    private static final class Source extends FilterInputStream {
        private final CallerSocket socket;
        private final long countMax;
        private final Runnable onTooLong;
        private long count;
        private boolean isTooLong;
        private boolean isFirst = true;

        Source(final InputStream in, final CallerSocket socket, final long countMax, final Runnable onTooLong) {
            super(in);
            this.socket = socket;
            this.countMax = countMax;
            this.onTooLong = onTooLong;
        }

        @Override
        public int read(final byte[] bytes, final int offset, final int length) throws IOException {
            if (isTooLong) {
                throw tooLong();
            }
            socket.enter();
            final int read;
            try {
                read = super.read(bytes, offset, length);
            } finally {
                socket.exit();
            }
            if (isFirst) {
                isFirst = false;
                if (read > 0 && bytes[offset] == TLS_HANDSHAKE) {
                    socket.onTls();
                    return -1;
                }
                if (read > 0 && isShared(bytes, offset, read)) {
                    return -1;
                }
            }
            count += Math.max(0, read);
            if (count > countMax) {
                // Nothing is read from it any more, which closes it.
                isTooLong = true;
                onTooLong.run();
                throw tooLong();
            }
            return read;
        }

        /** Serves the connection to its end when many calls share it. */
        private boolean isShared(final byte[] bytes, final int offset, final int count) throws IOException {
            if (!SharedConnection.isHead(bytes, offset, count)) {
                return false;
            }
            socket.share(Arrays.copyOfRange(bytes, offset, offset + count));
            return true;
        }

        private IOException tooLong() {
            return new IOException("call: longer than " + countMax
                    + " bytes (send less at once, or configure a larger batchLengthMax)");
        }
    }
}
