package io.penstock.transport.tck;

import io.penstock.transport.TransportProvider;

class TcpSharedLoopTransportTest extends TcpNioTransportTest {
    @Override
    protected TransportProvider provider() {
        return new SharedLoopProvider(super.provider());
    }
}
