package io.penstock.transport.tck;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.tcp.TcpTransportProvider;
import java.net.URI;

class TcpNioTransportTest extends SocketTransportTck {
    @Override
    protected TransportProvider provider() {
        return TcpTransportProvider.nio();
    }

    @Override
    protected URI endpoint() {
        return URI.create("tcp://127.0.0.1:0");
    }
}
