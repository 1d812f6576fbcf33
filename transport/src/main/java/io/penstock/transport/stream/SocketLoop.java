package io.penstock.transport.stream;

import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Tells which sockets are ready. Owned by one agent; only {@link #wakeup()} may be called by others.
 *
 * <p>Readiness is level-triggered: it is told again by each {@link #poll()} and {@link #await(long)} for as long as it
 * lasts and is asked for.
 */
public interface SocketLoop extends AutoCloseable {
    /** Connections that may wait to be accepted. */
    int BACKLOG_LENGTH = 1024;

    /** Binds and listens, asking for readiness to accept. */
    ListenSocket listen(InetSocketAddress address) throws IOException;

    /** Starts to connect, asking for readiness to write, which tells that the attempt is over. */
    StreamSocket connect(InetSocketAddress address) throws IOException;

    /** Tells what is ready now. */
    void poll() throws IOException;

    /** Tells what is ready as soon as something is; returns without it when woken or when the time is up. */
    void await(long timeoutNs) throws IOException;

    /** Ends the owner's present or next wait. Any thread may call it. */
    void wakeup();

    @Override
    void close();
}
