package io.penstock.broker.agent;

import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportProvider;
import java.io.IOException;

/** The scheme {@code lonely}, of a transport that has to be waited in. */
public final class LonelyTransport implements TransportProvider {
    @Override
    public String scheme() {
        return "lonely";
    }

    @Override
    public Transport open(final TransportContext context) throws IOException {
        throw new IOException("lonely: opened");
    }
}
