package io.penstock.transport.stream;

import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Reports which sockets are ready. Owned by one agent; only {@link #wakeup()} may be called by others.
 *
 * <p>Readiness is level-triggered: each {@link #poll()} and {@link #await(long)} reports it again as long as it lasts
 * and is asked for.
 */
public interface SocketLoop extends AutoCloseable {
    /** Connections that may wait to be accepted. */
    int BACKLOG_LENGTH = 1024;

    /** Binds and listens, asking for readiness to accept. */
    ListenSocket listen(InetSocketAddress address) throws IOException;

    /** Starts to connect, asking for readiness to write, which shows that the attempt is over. */
    StreamSocket connect(InetSocketAddress address) throws IOException;

    /** Reports what is ready now. */
    void poll() throws IOException;

    /** Reports what is ready as soon as something is; returns without a report when woken or when the time is up. */
    void await(long timeoutNs) throws IOException;

    /** Ends the owner's present or next wait. Any thread may call it. */
    void wakeup();

    @Override
    void close();
}
