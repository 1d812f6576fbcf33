package io.penstock.bridge.rmi;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * What a client sends, read from the system in pieces of up to 64 KiB. It can be marked, so that the runtime puts no
 * smaller buffer of its own before it. Owned by the connection's thread.
 */
final class CallerInput extends BufferedInputStream {
    private static final int LENGTH = 64 * 1024;

    CallerInput(final InputStream in, final CallerSocket socket) {
        super(new Source(in, socket), LENGTH);
    }

    /** Notes whose call the reading thread serves from here on. */
    private static final class Source extends FilterInputStream {
        private final CallerSocket socket;

        Source(final InputStream in, final CallerSocket socket) {
            super(in);
            this.socket = socket;
        }

        @Override
        public int read(final byte[] bytes, final int offset, final int length) throws IOException {
            socket.enter();
            try {
                return super.read(bytes, offset, length);
            } finally {
                socket.exit();
            }
        }
    }
}
