package io.penstock.bridge.rmi;

import io.penstock.bridge.BridgeConfig;
import io.penstock.bridge.RmiConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMIServerSocketFactory;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Takes connections, as many as there may be, and closes further ones at once. It listens from the start, so that a free
 * port is known before anything is exported there; the runtime gets it as from a factory.
 */
final class CallerServerSocket extends ServerSocket implements RMIServerSocketFactory {
    private static final int BACKLOG = 1024;

    private final RmiConfig config;
    private final long callLengthMax;
    private final BridgeCounters counters;
    private final @Nullable SSLSocketFactory tls;
    private final Set<CallerSocket> open = ConcurrentHashMap.newKeySet();

    /**
     * Listens.
     *
     * @param all      the configuration.
     * @param counters count connections.
     * @param tls      makes them; null = plain.
     */
    CallerServerSocket(final BridgeConfig all, final BridgeCounters counters, final @Nullable SSLSocketFactory tls)
            throws IOException {
        super(all.rmi().port(), BACKLOG, InetAddress.getByName(all.rmi().address()));
        config = all.rmi();
        callLengthMax = CallFilter.lengthMax(all);
        this.counters = counters;
        this.tls = tls;
    }

    @Override
    public ServerSocket createServerSocket(final int port) {
        return this;
    }

    @Override
    public Socket accept() throws IOException {
        while (true) {
            final Socket socket = new Socket();
            implAccept(socket);
            if (open.size() >= config.connectionCountMax()) {
                counters.add(BridgeCounter.CONNECTIONS_REFUSED, 1);
                socket.close();
                continue;
            }
            try {
                return taken(socket);
            } catch (final IOException | RuntimeException e) {
                // It is gone already.
                socket.close();
            }
        }
    }

    private Socket taken(final Socket socket) throws IOException {
        final CallerSocket[] made = new CallerSocket[1];
        final CallerSocket caller = new CallerSocket(
                socket,
                encrypted(socket),
                config.idleTimeoutMs(),
                callLengthMax,
                () -> counters.add(BridgeCounter.ARGUMENTS_REFUSED, 1),
                () -> {
                    counters.add(BridgeCounter.CONNECTIONS_OPEN, -1);
                    open.remove(made[0]);
                });
        made[0] = caller;
        open.add(caller);
        counters.add(BridgeCounter.CONNECTIONS, 1);
        counters.add(BridgeCounter.CONNECTIONS_OPEN, 1);
        return caller;
    }

    /** The handshake is made by the first read, on the connection's own thread. */
    private Socket encrypted(final Socket socket) throws IOException {
        if (tls == null) {
            return socket;
        }
        final SSLSocket encrypted =
                (SSLSocket) tls.createSocket(socket, socket.getInetAddress().getHostAddress(), socket.getPort(), true);
        encrypted.setUseClientMode(false);
        encrypted.setNeedClientAuth(config.tls().needsClientCertificates());
        return encrypted;
    }

    /** Closes connections whose clients neither send the rest nor take their answer. Waits for nobody. */
    void closeStuck(final long nowNs) {
        for (final CallerSocket each : open) {
            if (each.isStuck(nowNs)) {
                each.abort();
            }
        }
    }

    /** Whether messages are on their way to a client. */
    boolean isHandingOver() {
        return open.stream().anyMatch(CallerSocket::isHandingOver);
    }

    @Override
    public void close() throws IOException {
        super.close();
        for (final CallerSocket each : open) {
            each.abort();
            each.close();
        }
    }
}
