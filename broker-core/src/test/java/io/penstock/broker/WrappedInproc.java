package io.penstock.broker;

import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportHandler;
import io.penstock.transport.Transports;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.agrona.DirectBuffer;

/**
 * A broker's side of inproc connections, each of which is wrapped in another before the broker sees it. For transports of tests
 * with schemes of their own, to which clients connect by {@code inproc}.
 *
 * @param <C> the connections that the broker sees.
 */
final class WrappedInproc<C extends Connection> implements TransportHandler {
    private final TransportHandler handler;
    private final Function<Connection, C> wrap;
    private final Map<Long, C> connections = new HashMap<>();
    private final Transport medium;

    /**
     * Opens it.
     *
     * @param context of the broker.
     * @param wrap    called once for each connection that is accepted.
     */
    WrappedInproc(final TransportContext context, final Function<Connection, C> wrap) throws IOException {
        handler = context.handler();
        this.wrap = wrap;
        medium = Transports.providerFor(URI.create("inproc:x"))
                .open(new TransportContext(
                        this,
                        context.frameLengthMax(),
                        context.connectTimeoutNs(),
                        context.connectionLimit(),
                        context.counters(),
                        context.wakeup(),
                        context.errorHandler()));
    }

    /** The transport below. */
    Transport medium() {
        return medium;
    }

    /** Connections that are open, by the numbers of those below. */
    Map<Long, C> connections() {
        return connections;
    }

    /** Listens where clients connect by inproc. */
    URI listen(final URI endpoint) throws IOException {
        return medium.listen(URI.create("inproc:" + endpoint.getSchemeSpecificPart()));
    }

    @Override
    public void onConnect(final Connection connection) {
        final C wrapped = wrap.apply(connection);
        connections.put(connection.id(), wrapped);
        handler.onConnect(wrapped);
    }

    @Override
    public boolean onFragment(
            final Connection connection,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        return handler.onFragment(connections.get(connection.id()), buffer, offset, length, frameOffset, frameLength);
    }

    @Override
    public void onDisconnect(final Connection connection, final String reason) {
        handler.onDisconnect(connections.remove(connection.id()), reason);
    }
}
