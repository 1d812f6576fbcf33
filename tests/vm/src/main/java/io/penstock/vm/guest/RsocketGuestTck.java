package io.penstock.vm.guest;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.Transports;
import io.penstock.transport.tck.RawPeer;
import io.penstock.transport.tck.TransportTck;
import io.penstock.vm.Guest;
import java.io.IOException;
import java.net.URI;

/** The TCK over the sockets of librdmacm, on the guest's device. */
public class RsocketGuestTck extends TransportTck {
    static final URI ENDPOINT = URI.create("rsocket://" + Guest.ADDRESS + ":0");
    private static final URI DEAD = URI.create("rsocket://" + Guest.ADDRESS + ":9");

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

    @Override
    protected boolean isLocal() {
        return false;
    }

    @Override
    protected RawPeer connectRaw(final URI endpoint) throws IOException {
        return new RawRsocketPeer(endpoint.getHost(), endpoint.getPort(), this::pollAll);
    }
}
