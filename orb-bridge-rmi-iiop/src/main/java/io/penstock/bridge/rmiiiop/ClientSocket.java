package io.penstock.bridge.rmiiiop;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection: what it sends is bounded, it can be given up when nothing more comes of a call or nothing is taken,
 * and it counts until it is closed. The ORB reads by one thread at a time, and writes by one.
 */
final class ClientSocket extends Socket implements CallInput.Progress {
    /** What each byte of a call may take beside the time-out, so that a call has a longest time: 500 kB/s. */
    private static final long NANOS_PER_BYTE = 2000;

    private final long callLengthMax;
    private final CallRoom room;
    private volatile boolean isWriting;
    private volatile long writingSinceNs;
    private volatile boolean isInPart;
    private volatile boolean isWaiting;
    private volatile long partNs;
    private long waitingSinceNs;
    private @Nullable InputStream in;
    private @Nullable OutputStream out;
    private @Nullable ConnectionShare share;
    private @Nullable Runnable whenClosed;

    ClientSocket(final long callLengthMax, final CallRoom room) {
        this.callLengthMax = callLengthMax;
        this.room = room;
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
            final InputStream plain = super.getInputStream();
            final ConnectionShare newShare = new ConnectionShare(getInetAddress(), this::closeQuietly);
            share = newShare;
            known = new CallInput(plain, callLengthMax, room, newShare, this);
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

    @Override
    public void note(final int length) {
        final long nowNs = System.nanoTime();
        final long lateNs = nowNs - partNs - NANOS_PER_BYTE * Math.max(0, length);
        partNs = nowNs - Math.max(0, lateNs);
    }

    @Override
    public void noteEnd(final boolean hasBegun) {
        if (hasBegun != isInPart) {
            partNs = System.nanoTime();
            isInPart = hasBegun;
        }
    }

    @Override
    public void noteWait(final boolean waits) {
        final long nowNs = System.nanoTime();
        if (waits) {
            waitingSinceNs = nowNs;
        } else {
            final long sinceNs = partNs;
            partNs = sinceNs + nowNs - waitingSinceNs;
        }
        isWaiting = waits;
    }

    /** Whether the client does not read what is written for that long, or is so late with the rest of what it has begun. */
    boolean isStuck(final long nowNs, final long timeoutNs) {
        return (isWriting && nowNs - writingSinceNs > timeoutNs)
                || (isInPart && !isWaiting && nowNs - partNs > timeoutNs);
    }

    @Override
    public synchronized void close() throws IOException {
        final Runnable action = whenClosed;
        whenClosed = null;
        if (action != null) {
            action.run();
        }
        final ConnectionShare known = share;
        if (known != null) {
            room.close(known);
        }
        super.close();
    }

    private void closeQuietly() {
        try {
            close();
        } catch (final IOException e) {
            // It is gone as well.
            return;
        }
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
