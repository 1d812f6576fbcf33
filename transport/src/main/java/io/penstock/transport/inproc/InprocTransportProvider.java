package io.penstock.transport.inproc;

import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportProvider;

/**
 * Makes transports of scheme {@code inproc}, whose endpoints are {@code inproc:name} or {@code inproc://name}. A name
 * is known in the whole process.
 */
public final class InprocTransportProvider implements TransportProvider {
    @Override
    public String scheme() {
        return InprocEndpoint.SCHEME;
    }

    @Override
    public boolean wakesOwner() {
        return true;
    }

    @Override
    public Transport open(final TransportContext context) {
        return new InprocTransport(context, InprocRegistry.PROCESS);
    }
}
