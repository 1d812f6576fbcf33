package io.penstock.bridge.rmiiiop;

import com.sun.corba.ee.spi.orb.ORB;
import com.sun.corba.ee.spi.transport.Acceptor;
import com.sun.corba.ee.spi.transport.ORBSocketFactory;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The ORB's only way to the network: it listens by {@link ClientServerSocket}, and connects to nobody, whatever a client
 * names. Public since the ORB makes it by its name; configured before the ORB listens.
 */
public final class OrbSockets implements ORBSocketFactory {
    private @Nullable RmiIiopConfig config;
    private @Nullable BridgeCounters counters;
    private @Nullable CallRoom calls;
    private final List<ClientServerSocket> listening = new CopyOnWriteArrayList<>();

    /** Made by the ORB. */
    public OrbSockets() {}

    void configure(final RmiIiopConfig newConfig, final BridgeCounters newCounters, final CallRoom newCalls) {
        config = newConfig;
        calls = newCalls;
        counters = newCounters;
    }

    /** Ends the connections whose client does not read what is written to it, or does not send the rest of a call. */
    void closeStuck(final long nowNs) {
        listening.forEach(each -> each.closeStuck(nowNs));
    }

    /** Ends all connections. The ORB ends connections that come before it stops to listen. */
    void closeAll() {
        listening.forEach(ClientServerSocket::closeAll);
    }

    @Override
    public void setORB(final ORB orb) {}

    @Override
    public ServerSocket createServerSocket(final String type, final InetSocketAddress address) throws IOException {
        final RmiIiopConfig known = config;
        final BridgeCounters counts = counters;
        final CallRoom room = calls;
        if (known == null || counts == null || room == null) {
            throw new IOException("sockets: not configured yet");
        }
        final ClientServerSocket socket = new ClientServerSocket(known, counts, room, address);
        listening.add(socket);
        return socket;
    }

    @Override
    public Socket createSocket(final String type, final InetSocketAddress address) throws IOException {
        final BridgeCounters counts = counters;
        if (counts != null) {
            counts.add(BridgeCounter.CALLBACKS_REFUSED, 1);
        }
        throw new ConnectException("sockets: this ORB connects to nobody: " + address);
    }

    @Override
    public void setAcceptedSocketOptions(
            final Acceptor acceptor, final ServerSocket serverSocket, final Socket socket) {}
}
