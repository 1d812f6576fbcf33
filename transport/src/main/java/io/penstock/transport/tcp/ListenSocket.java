package io.penstock.transport.tcp;

import io.penstock.transport.ReadyListener;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A listening socket. */
interface ListenSocket extends AutoCloseable {
    void listener(ReadyListener listener);

    int port() throws IOException;

    /** Returns null when nobody waits. The accepted socket asks for no readiness yet. */
    @Nullable
    StreamSocket accept() throws IOException;

    /** Asks to be told of readiness to accept, or not. */
    void interest(boolean isAccepting);

    @Override
    void close();
}
