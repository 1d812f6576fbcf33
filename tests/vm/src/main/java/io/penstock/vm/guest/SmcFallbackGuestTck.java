package io.penstock.vm.guest;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.Transports;
import io.penstock.transport.tck.SocketTransportTck;
import java.net.URI;

/** The TCK over sockets of the family AF_SMC that fall back to TCP, as they may: the kernel has no device for them. */
public class SmcFallbackGuestTck extends SocketTransportTck {
    private static final URI ENDPOINT = URI.create("smc://127.0.0.1:0?fallback=tcp");

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
