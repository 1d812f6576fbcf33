package io.penstock.transport.stream.tls;

import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import io.penstock.transport.tcp.TcpsTransportProvider;
import io.penstock.transport.tls.TlsContexts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;

/** A transport over TLS, and what its handler has seen. */
final class TlsSide implements TransportHandler, AutoCloseable {
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(20);

    final TransportCounters counters = new TransportCounters();
    final List<Connection> connections = new ArrayList<>();
    final List<String> refusals = new ArrayList<>();
    final List<String> ends = new ArrayList<>();
    final List<Throwable> errors = new ArrayList<>();
    final Transport transport;
    int frameCount;

    TlsSide(final TlsContexts contexts) throws IOException {
        final Transport[] opened = new Transport[1];
        transport = new TcpsTransportProvider()
                .open(new TransportContext(
                                this,
                                TransportContext.FRAME_LENGTH_MAX_DEFAULT,
                                DEADLINE_NS,
                                64,
                                counters,
                                () -> opened[0].wakeup(),
                                errors::add)
                        .tls(contexts));
        opened[0] = transport;
    }

    static void pollUntil(final BooleanSupplier condition, final TlsSide... sides) {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            for (final TlsSide side : sides) {
                side.transport.poll(64);
            }
            if (System.nanoTime() - startNs > DEADLINE_NS) {
                throw new AssertionError("not within the deadline");
            }
        }
    }

    @Override
    public void onConnect(final Connection connection) {
        connections.add(connection);
    }

    @Override
    public boolean onFragment(
            final Connection connection,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        if (frameOffset + length == frameLength) {
            frameCount++;
        }
        return true;
    }

    @Override
    public void onDisconnect(final Connection connection, final String reason) {
        ends.add(reason);
    }

    @Override
    public void onRefused(final String peer, final String reason) {
        refusals.add(reason);
    }

    @Override
    public void close() {
        transport.close();
    }
}
