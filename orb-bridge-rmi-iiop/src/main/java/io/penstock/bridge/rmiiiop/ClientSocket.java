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
    /** So much has to come of a call, or the rest of it, or it is given up, in bytes. */
    private static final int PART_LENGTH_MIN = 64 * 1024;

    private final long callLengthMax;
    private final CallRoom room;
    private volatile boolean isWriting;
    private volatile long writingSinceNs;
    private volatile boolean isInPart;
    private volatile long partNs;
    private int partLength;
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
            final ConnectionShare newShare = new ConnectionShare(getInetAddress());
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
        partLength += Math.max(0, length);
        if (partLength >= PART_LENGTH_MIN) {
            partLength = 0;
            partNs = System.nanoTime();
        }
    }

    @Override
    public void noteEnd(final boolean hasBegun) {
        if (hasBegun != isInPart) {
            partLength = 0;
            partNs = System.nanoTime();
            isInPart = hasBegun;
        }
    }

    /** Whether the client does not read what is written, or does not send the rest of what it has begun, for that long. */
    boolean isStuck(final long nowNs, final long timeoutNs) {
        return (isWriting && nowNs - writingSinceNs > timeoutNs) || (isInPart && nowNs - partNs > timeoutNs);
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
