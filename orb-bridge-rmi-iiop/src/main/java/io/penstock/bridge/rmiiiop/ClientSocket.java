package io.penstock.bridge.rmiiiop;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A client's connection: what it sends is bounded, and it counts until it is closed. */
final class ClientSocket extends Socket {
    private final long callLengthMax;
    private final AtomicReference<@Nullable Runnable> whenClosed = new AtomicReference<>();
    private @Nullable InputStream in;

    ClientSocket(final long callLengthMax) {
        this.callLengthMax = callLengthMax;
    }

    /** Has something done once, when it is closed. */
    void whenClosed(final Runnable action) {
        whenClosed.set(action);
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
    public void close() throws IOException {
        final Runnable action = whenClosed.getAndSet(null);
        if (action != null) {
            action.run();
        }
        super.close();
    }
}
