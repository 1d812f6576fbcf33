package io.penstock.transport.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Tells which sockets are ready. Owned by one agent; only {@link #wakeup()} may be called by others.
 *
 * <p>Readiness is level-triggered: it is told again by each {@link #poll()} and {@link #await(long)} for as long as it
 * lasts and is asked for.
 */
interface SocketLoop extends AutoCloseable {
    int BACKLOG_LENGTH = 1024;

    /** Binds and listens, asking for readiness to accept. */
    ListenSocket listen(InetSocketAddress address) throws IOException;

    /** Starts to connect, asking for readiness to write, which tells that the attempt is over. */
    StreamSocket connect(InetSocketAddress address) throws IOException;

    /** Tells what is ready now. */
    void poll() throws IOException;

    /** Tells what is ready as soon as something is; returns without it when woken or when the time is up. */
    void await(long timeoutNs) throws IOException;

    void wakeup();

    @Override
    void close();
}
