package io.penstock.transport.stream;

import io.penstock.transport.ReadyListener;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A listening socket. */
public interface ListenSocket extends AutoCloseable {
    /** Sets the listener that is notified of readiness. */
    void listener(ReadyListener listener);

    /** The port that was bound. */
    int port() throws IOException;

    /** Returns null when nobody waits. The accepted socket asks for no readiness yet. */
    @Nullable
    StreamSocket accept() throws IOException;

    /** Asks to be notified of readiness to accept, or not. */
    void interest(boolean isAccepting);

    @Override
    void close();
}
