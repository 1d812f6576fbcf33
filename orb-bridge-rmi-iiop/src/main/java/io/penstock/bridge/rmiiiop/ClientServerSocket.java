package io.penstock.bridge.rmiiiop;

import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Semaphore;

/** Takes connections of clients up to a bound; one beyond it is closed at once. */
final class ClientServerSocket extends ServerSocket {
    private static final int BACKLOG = 1024;

    private final RmiIiopConfig config;
    private final BridgeCounters counters;
    private final Semaphore room;

    ClientServerSocket(final RmiIiopConfig config, final BridgeCounters counters, final InetSocketAddress address)
            throws IOException {
        if (address.getAddress().isAnyLocalAddress() && !config.allowInsecureListen()) {
            throw new IOException("address: every machine could reach it: " + address
                    + " (use 127.0.0.1; allowInsecureListen if all who can reach it are trusted)");
        }
        this.config = config;
        this.counters = counters;
        room = new Semaphore(config.connectionCountMax());
        setReuseAddress(true);
        bind(address, BACKLOG);
    }

    @Override
    public Socket accept() throws IOException {
        while (true) {
            final ClientSocket socket = new ClientSocket(config.callLengthMax());
            implAccept(socket);
            if (room.tryAcquire()) {
                socket.whenClosed(this::onClosed);
                counters.add(BridgeCounter.CONNECTIONS, 1);
                counters.add(BridgeCounter.CONNECTIONS_OPEN, 1);
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(config.idleTimeoutMs());
                return socket;
            }
            counters.add(BridgeCounter.CONNECTIONS_REFUSED, 1);
            socket.close();
        }
    }

    private void onClosed() {
        counters.add(BridgeCounter.CONNECTIONS_OPEN, -1);
        room.release();
    }
}
