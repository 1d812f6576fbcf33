package io.penstock.vm.guest;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.Transports;
import io.penstock.transport.tck.SocketTransportTck;
import io.penstock.vm.Guest;
import java.net.URI;

/** The TCK over sockets of the guest: what all others are compared with, and proof that the guest runs tests. */
public class TcpGuestTck extends SocketTransportTck {
    static final URI ENDPOINT = URI.create("tcp://" + Guest.ADDRESS + ":0");

    @Override
    protected TransportProvider provider() {
        return Transports.providerFor(ENDPOINT);
    }

    @Override
    protected URI endpoint() {
        return ENDPOINT;
    }

    @Override
    protected boolean isLocal() {
        return false;
    }
}
