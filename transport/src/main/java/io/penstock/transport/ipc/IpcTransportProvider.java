package io.penstock.transport.ipc;

import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportProvider;
import java.io.IOException;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Makes transports of scheme {@code ipc}, whose endpoints are {@code ipc:NAME} or {@code ipc:/path/to/directory}. Both
 * ends run on one machine as the same user.
 */
public final class IpcTransportProvider implements TransportProvider {
    @Override
    public String scheme() {
        return IpcEndpoint.SCHEME;
    }

    @Override
    public boolean joinsLoop() {
        return true;
    }

    @Override
    public Transport open(final TransportContext context) throws IOException {
        if (!System.getProperty("os.name").equals("Linux")) {
            throw new IOException("ipc: not on this system: " + System.getProperty("os.name") + " (use tcp)");
        }
        return new IpcTransport(context, SystemNanoClock.INSTANCE);
    }
}
