package io.penstock.transport.tck;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** The TCK for transports whose endpoints are {@code scheme://host:port}, and that a plain socket reaches. */
public abstract class SocketTransportTck extends TransportTck {
    private @Nullable URI dead;

    @Override
    protected URI anotherEndpoint() {
        return endpoint();
    }

    /** {@inheritDoc} The same one each time: the system does not give its port out again so soon. */
    @Override
    protected URI deadEndpoint() {
        if (dead == null) {
            dead = findDead(endpoint());
        }
        return dead;
    }

    private static URI findDead(final URI endpoint) {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(endpoint.getHost()))) {
            return URI.create(endpoint.getScheme() + "://" + endpoint.getHost() + ":" + socket.getLocalPort());
        } catch (final IOException ex) {
            throw new AssertionError(ex);
        }
    }

    @Override
    protected RawPeer connectRaw(final URI endpoint) throws IOException {
        return new RawSocketPeer(endpoint);
    }
}
