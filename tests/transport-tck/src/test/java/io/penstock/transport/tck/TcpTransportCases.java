package io.penstock.transport.tck;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;

/** What the kinds of TCP have in common. */
abstract class TcpTransportCases extends TransportTck {
    @Override
    protected URI endpoint() {
        return URI.create("tcp://127.0.0.1:0");
    }

    @Override
    protected URI anotherEndpoint() {
        return endpoint();
    }

    @Override
    protected URI deadEndpoint() {
        return DeadPort.ENDPOINT;
    }

    @Override
    protected RawPeer connectRaw(final URI endpoint) throws IOException {
        return new RawTcpPeer(endpoint);
    }

    /** A port that was free a moment ago, and that the system does not give out again so soon. */
    private static final class DeadPort {
        static final URI ENDPOINT = find();

        private static URI find() {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return URI.create("tcp://127.0.0.1:" + socket.getLocalPort());
            } catch (final IOException ex) {
                throw new AssertionError(ex);
            }
        }
    }
}
