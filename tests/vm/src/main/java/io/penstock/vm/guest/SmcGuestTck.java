package io.penstock.vm.guest;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.Transports;
import io.penstock.transport.tck.TransportTck;
import java.net.URI;

/**
 * The TCK over the kernel's sockets of the family AF_SMC, by RDMA: without leave to fall back, so that a connection of
 * TCP fails. On the loopback device, where the kernel finds a device for both ends.
 */
public class SmcGuestTck extends TransportTck {
    private static final URI ENDPOINT = URI.create("smc://127.0.0.1:0");
    private static final URI DEAD = URI.create("smc://127.0.0.1:9");

    @Override
    protected TransportProvider provider() {
        return Transports.providerFor(ENDPOINT);
    }

    @Override
    protected URI endpoint() {
        return ENDPOINT;
    }

    @Override
    protected URI anotherEndpoint() {
        return ENDPOINT;
    }

    @Override
    protected URI deadEndpoint() {
        return DEAD;
    }
}
