package io.penstock.transport.tck;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.tcp.TcpTransportProvider;

class TcpNioTransportTest extends TcpTransportCases {
    @Override
    protected TransportProvider provider() {
        return TcpTransportProvider.nio();
    }
}
