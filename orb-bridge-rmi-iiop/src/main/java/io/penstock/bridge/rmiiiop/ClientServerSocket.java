package io.penstock.bridge.rmiiiop;

import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Takes connections of clients up to a bound; one beyond it is closed at once. */
final class ClientServerSocket extends ServerSocket {
    private static final System.Logger LOG = System.getLogger(ClientServerSocket.class.getName());
    private static final int BACKLOG = 1024;
    private static final long RETRY_MS = 100;

    private final RmiIiopConfig config;
    private final BridgeCounters counters;
    private final CallRoom calls;
    private final Semaphore room;
    private final Set<ClientSocket> open = ConcurrentHashMap.newKeySet();

    ClientServerSocket(
            final RmiIiopConfig config,
            final BridgeCounters counters,
            final CallRoom calls,
            final InetSocketAddress address)
            throws IOException {
        if (address.getAddress().isAnyLocalAddress() && !config.allowInsecureListen()) {
            throw new IOException("address: every machine could reach it: " + address
                    + " (use 127.0.0.1; allowInsecureListen if all who can reach it are trusted)");
        }
        this.config = config;
        this.counters = counters;
        this.calls = calls;
        room = new Semaphore(config.connectionCountMax());
        setReuseAddress(true);
        bind(address, BACKLOG);
    }

    /** Goes on when one fails, for want of descriptors for example: the ORB would listen no more. */
    @Override
    public Socket accept() throws IOException {
        boolean hasFailed = false;
        while (true) {
            final ClientSocket socket = new ClientSocket(config.callLengthMax(), calls);
            try {
                implAccept(socket);
                if (take(socket)) {
                    return socket;
                }
                counters.add(BridgeCounter.CONNECTIONS_REFUSED, 1);
                socket.close();
            } catch (final IOException e) {
                close(socket);
                if (isClosed()) {
                    throw e;
                }
                LOG.log(
                        hasFailed ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
                        "rmi-iiop: no connection could be taken on port " + getLocalPort() + ": " + e.getMessage()
                                + "; tried again every " + RETRY_MS + " ms (if files are too many, raise ulimit -n)",
                        e);
                hasFailed = true;
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MS));
            }
        }
    }

    /** Returns false when there is no room. */
    private boolean take(final ClientSocket socket) throws IOException {
        if (!room.tryAcquire()) {
            return false;
        }
        open.add(socket);
        socket.whenClosed(() -> onClosed(socket));
        counters.add(BridgeCounter.CONNECTIONS, 1);
        counters.add(BridgeCounter.CONNECTIONS_OPEN, 1);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(config.idleTimeoutMs());
        return true;
    }

    /** Ends the connections whose client does not read what is written to it, or does not send the rest of a call. */
    void closeStuck(final long nowNs) {
        final long timeoutNs = TimeUnit.MILLISECONDS.toNanos(config.stallTimeoutMs());
        for (final ClientSocket each : open) {
            if (each.isStuck(nowNs, timeoutNs)) {
                close(each);
            }
        }
    }

    /** Ends all connections, also those that are written to. */
    void closeAll() {
        open.forEach(ClientServerSocket::close);
    }

    private static void close(final ClientSocket socket) {
        try {
            socket.close();
        } catch (final IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "rmi-iiop: a connection did not close well", e);
        }
    }

    private void onClosed(final ClientSocket socket) {
        open.remove(socket);
        counters.add(BridgeCounter.CONNECTIONS_OPEN, -1);
        room.release();
    }
}
