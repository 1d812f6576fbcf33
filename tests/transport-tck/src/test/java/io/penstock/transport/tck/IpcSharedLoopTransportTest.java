package io.penstock.transport.tck;

import io.penstock.transport.TransportProvider;

class IpcSharedLoopTransportTest extends IpcTransportTest {
    @Override
    protected TransportProvider provider() {
        return new SharedLoopProvider(super.provider());
    }
}
