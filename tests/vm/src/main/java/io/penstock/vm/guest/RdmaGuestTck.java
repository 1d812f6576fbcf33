package io.penstock.vm.guest;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.Transports;
import io.penstock.transport.tck.TransportTck;
import io.penstock.vm.Guest;
import java.net.URI;

/** The TCK over the guest's RDMA device, by the provider of verbs that the suite names. */
public class RdmaGuestTck extends TransportTck {
    static final URI ENDPOINT = URI.create("rdma://" + Guest.ADDRESS + ":0");

    /** Where nobody listens. */
    private static final URI DEAD_ENDPOINT = URI.create("rdma://" + Guest.ADDRESS + ":9");

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
        return DEAD_ENDPOINT;
    }
}
