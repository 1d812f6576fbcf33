package io.penstock.vm.guest;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.Transports;
import io.penstock.transport.tck.SocketTransportTck;
import java.net.URI;

/**
 * The TCK over the sockets that Java makes where it is set to use SDP, with a library before it that makes TCP sockets
 * in their place. So it tests Java's use of SDP, and that the transport recognises the sockets that it got; it does not
 * test the protocol.
 */
public class SdpGuestTck extends SocketTransportTck {
    private static final URI ENDPOINT = URI.create("sdp://127.0.0.1:0?fallback=tcp");

    @Override
    protected TransportProvider provider() {
        return Transports.providerFor(ENDPOINT);
    }

    @Override
    protected URI endpoint() {
        return ENDPOINT;
    }

    @Override
    protected String peerScheme() {
        return "tcp";
    }
}
