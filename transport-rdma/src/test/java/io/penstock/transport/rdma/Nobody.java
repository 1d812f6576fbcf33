package io.penstock.transport.rdma;

import io.penstock.transport.Connection;
import io.penstock.transport.TransportHandler;
import org.agrona.DirectBuffer;

/** A handler that is never called. */
final class Nobody implements TransportHandler {
    @Override
    public void onConnect(final Connection connection) {
        throw new AssertionError(connection);
    }

    @Override
    public boolean onFragment(
            final Connection connection,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        throw new AssertionError(connection);
    }

    @Override
    public void onDisconnect(final Connection connection, final String reason) {
        throw new AssertionError(reason);
    }
}
