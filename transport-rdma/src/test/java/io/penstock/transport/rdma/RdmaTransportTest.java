package io.penstock.transport.rdma;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.tck.TransportTck;
import java.net.URI;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Over a real device, whose address {@code -Dpenstock.rdma.address} says. */
@EnabledIfSystemProperty(named = "penstock.rdma.address", matches = ".+")
class RdmaTransportTest extends TransportTck {
    private static final String ADDRESS = System.getProperty("penstock.rdma.address", "");

    /** Where nobody listens. */
    private static final int DEAD_PORT = 9;

    @Override
    protected TransportProvider provider() {
        return new RdmaTransportProvider();
    }

    @Override
    protected URI endpoint() {
        return URI.create("rdma://" + ADDRESS + ":0");
    }

    @Override
    protected URI anotherEndpoint() {
        return URI.create("rdma://" + ADDRESS + ":0");
    }

    @Override
    protected URI deadEndpoint() {
        return URI.create("rdma://" + ADDRESS + ":" + DEAD_PORT);
    }
}
