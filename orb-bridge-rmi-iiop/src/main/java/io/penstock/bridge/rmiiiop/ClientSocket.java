package io.penstock.bridge.rmiiiop;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** A client's connection: what it sends is bounded, and it counts until it is closed. */
final class ClientSocket extends Socket {
    private final long callLengthMax;
    private @Nullable InputStream in;
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

    @Override
    public synchronized void close() throws IOException {
        final Runnable action = whenClosed;
        whenClosed = null;
        if (action != null) {
            action.run();
        }
        super.close();
    }
}
