package io.penstock.transport.rdma;

import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A transport over a fabric, and what its handler has seen. */
final class Party implements TransportHandler, AutoCloseable {
    private static final URI ANY = URI.create("rdma://127.0.0.1:0");

    final List<Connection> connections = new ArrayList<>();
    final List<String> reasons = new ArrayList<>();
    final List<Throwable> errors = new ArrayList<>();
    final TransportCounters counters = new TransportCounters();
    final Transport transport;
    boolean isRefusing;
    int receivedCount;
    Check check = (buffer, offset, length) -> {};

    /** Looks at a frame. */
    interface Check {
        void on(DirectBuffer buffer, int offset, int length);
    }

    Party(final FakeFabric fabric, final RdmaConfig config, final long connectTimeoutMs) throws IOException {
        transport = new RdmaTransportProvider(() -> config, () -> List.of(fabric))
                .open(new TransportContext(
                        this,
                        TransportContext.FRAME_LENGTH_MAX_DEFAULT,
                        TimeUnit.MILLISECONDS.toNanos(connectTimeoutMs),
                        64,
                        counters,
                        () -> {},
                        errors::add));
    }

    URI listen() throws IOException {
        return transport.listen(ANY);
    }

    /** Offers until that is refused. Returns how many were taken. */
    static int fill(final Connection connection, final int length, final int limit) {
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[length]);
        int count = 0;
        while (count < limit && connection.offer(frame, 0, 0, frame, 0, length, 0) >= 0) {
            count++;
        }
        return count;
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
        if (!isRefusing) {
            receivedCount++;
            check.on(buffer, offset, length);
        }
        return !isRefusing;
    }

    @Override
    public void onDisconnect(final Connection connection, final String reason) {
        reasons.add(reason);
    }

    @Override
    public void close() {
        transport.close();
    }
}
