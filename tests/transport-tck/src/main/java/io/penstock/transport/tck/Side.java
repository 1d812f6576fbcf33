package io.penstock.transport.tck;

import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import io.penstock.transport.TransportProvider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/** A transport and what its handler has seen. */
final class Side implements TransportHandler, AutoCloseable {
    static final int FRAME_LIMIT = 64;

    final TransportCounters counters = new TransportCounters();
    final List<Connection> connections = new ArrayList<>();
    final Map<Connection, String> reasonByConnection = new HashMap<>();
    final List<Throwable> errors = new ArrayList<>();

    /** What arrives on a connection is checked by its flow. */
    final Map<Connection, Flow> flowByConnection = new HashMap<>();

    /** Takes the place of the flows when a case wants to look itself. */
    FragmentRule rule = this::checkFlow;

    private final Transport transport;

    interface FragmentRule {
        boolean onFragment(
                Connection connection, DirectBuffer buffer, int offset, int length, int frameOffset, int frameLength);
    }

    Side(final TransportProvider provider, final int frameLengthMax, final int connectionLimit) throws IOException {
        final Transport[] opened = new Transport[1];
        transport = provider.open(new TransportContext(
                this,
                frameLengthMax,
                TimeUnit.SECONDS.toNanos(5),
                connectionLimit,
                counters,
                () -> opened[0].wakeup(),
                errors::add));
        opened[0] = transport;
    }

    Transport transport() {
        return transport;
    }

    int poll() {
        return transport.poll(FRAME_LIMIT);
    }

    private boolean checkFlow(
            final Connection connection,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        final Flow flow = flowByConnection.get(connection);
        if (flow == null) {
            throw new AssertionError("a frame came on " + connection + " where none was sent");
        }
        return flow.onFragment(buffer, offset, length, frameOffset, frameLength);
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
        if (connection.isClosed()) {
            throw new AssertionError("a fragment came on " + connection + ", which is closed");
        }
        if (frameOffset == 0 && length != Math.min(frameLength, TransportContext.FRAGMENT_LENGTH_MIN)) {
            throw new AssertionError("the first fragment of a frame of " + frameLength + " has " + length + " bytes");
        }
        return rule.onFragment(connection, buffer, offset, length, frameOffset, frameLength);
    }

    @Override
    public void onDisconnect(final Connection connection, final String reason) {
        if (!connection.isClosed()) {
            throw new AssertionError(connection + " is not closed in onDisconnect");
        }
        if (reasonByConnection.put(connection, reason) != null) {
            throw new AssertionError(connection + " was disconnected twice");
        }
    }

    @Override
    public void close() {
        transport.close();
        Traffic.onSent(counters.bytesSent());
    }
}
