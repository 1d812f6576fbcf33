package io.penstock.simulator;

import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportProvider;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** The broker's end of the simulated network, scheme {@code sim}. */
public final class SimTransports implements TransportProvider {
    @Override
    public String scheme() {
        return "sim";
    }

    @Override
    public boolean wakesOwner() {
        return true;
    }

    @Override
    public Transport open(final TransportContext context) {
        return new SimTransport(SimNetwork.ofThread(), context);
    }

    private static final class SimTransport implements Transport {
        private final SimNetwork network;
        private final Life life;
        private final TransportContext context;
        private final List<SimConnection> connections = new ArrayList<>();
        private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        private int first;

        private SimTransport(final SimNetwork network, final TransportContext context) {
            this.network = network;
            this.context = context;
            life = network.life();
        }

        @Override
        public URI listen(final URI endpoint) {
            network.listen();
            return endpoint;
        }

        @Override
        public Connection connect(final URI endpoint) throws IOException {
            throw new IOException(endpoint + ": for brokers only");
        }

        @Override
        public int poll(final int frameLimit) {
            if (life.isEnded()) {
                return 0;
            }
            int workCount = 0;
            SimLink link;
            while ((link = network.accept()) != null) {
                final SimConnection connection = new SimConnection(network, life, link);
                connections.add(connection);
                context.handler().onConnect(connection);
                workCount++;
            }
            final int size = connections.size();
            first = size == 0 ? 0 : (first + 1) % size;
            for (int i = 0; i < size; i++) {
                workCount += poll(connections.get((first + i) % size));
            }
            connections.removeIf(SimConnection::isClosed);
            return workCount;
        }

        private int poll(final SimConnection connection) {
            int workCount = connection.send();
            byte[] frame;
            while (!connection.isClosed() && (frame = connection.link().peekForBroker()) != null) {
                buffer.wrap(frame);
                if (!context.handler().onFragment(connection, buffer, 0, frame.length, 0, frame.length)) {
                    break;
                }
                connection.link().takeForBroker();
                workCount++;
            }
            if (!connection.isClosed()
                    && connection.link().isCut()
                    && connection.link().peekForBroker() == null) {
                connection.closedByPeer();
                context.handler().onDisconnect(connection, "connection lost");
                workCount++;
            }
            return workCount;
        }

        @Override
        public void await(final long timeoutNs) {}

        @Override
        public void wakeup() {}

        @Override
        public void close() {
            for (final SimConnection connection : connections) {
                connection.close();
            }
            connections.clear();
        }
    }
}
