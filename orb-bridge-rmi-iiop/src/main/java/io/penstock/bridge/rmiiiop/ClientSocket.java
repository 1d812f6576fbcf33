package io.penstock.bridge.rmiiiop;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection: what it sends is bounded, a write to it can be given up, and it counts until it is closed. The ORB
 * writes by one thread at a time.
 */
final class ClientSocket extends Socket {
    private final long callLengthMax;
    private volatile boolean isWriting;
    private volatile long writingSinceNs;
    private @Nullable InputStream in;
    private @Nullable OutputStream out;
    private @Nullable Runnable whenClosed;

    ClientSocket(final long callLengthMax) {
        this.callLengthMax = callLengthMax;
    }

    /** Has something done once, when it is closed. */
    synchronized void whenClosed(final Runnable action) {
        whenClosed = action;
    }

    /** The ORB asks before each read. */
    @Override
    public synchronized InputStream getInputStream() throws IOException {
        InputStream known = in;
        if (known == null) {
            known = new CallLengthInput(super.getInputStream(), callLengthMax);
            in = known;
        }
        return known;
    }

    /** The ORB asks before each write. */
    @Override
    public synchronized OutputStream getOutputStream() throws IOException {
        OutputStream known = out;
        if (known == null) {
            known = new TimedOutput(super.getOutputStream());
            out = known;
        }
        return known;
    }

    /** Whether a write is under way for longer than that: the client does not read. */
    boolean isStuck(final long nowNs, final long timeoutNs) {
        return isWriting && nowNs - writingSinceNs > timeoutNs;
    }

    @Override
    public synchronized void close() throws IOException {
        final Runnable action = whenClosed;
        whenClosed = null;
        if (action != null) {
            action.run();
        }
        super.close();
    }

    /** Notes when a write begins and ends. */
    private final class TimedOutput extends FilterOutputStream {
        TimedOutput(final OutputStream out) {
            super(out);
        }

        @Override
        public void write(final byte[] bytes, final int offset, final int length) throws IOException {
            writingSinceNs = System.nanoTime();
            isWriting = true;
            try {
                out.write(bytes, offset, length);
            } finally {
                isWriting = false;
            }
        }
    }
}
