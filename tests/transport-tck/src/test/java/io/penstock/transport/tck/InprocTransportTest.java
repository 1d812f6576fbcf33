package io.penstock.transport.tck;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.inproc.InprocTransportProvider;
import java.net.URI;

class InprocTransportTest extends TransportTck {
    @Override
    protected TransportProvider provider() {
        return new InprocTransportProvider();
    }

    @Override
    protected URI endpoint() {
        return URI.create("inproc:tck");
    }

    @Override
    protected URI anotherEndpoint() {
        return URI.create("inproc:tck-2");
    }

    @Override
    protected URI deadEndpoint() {
        return URI.create("inproc:nobody");
    }
}
