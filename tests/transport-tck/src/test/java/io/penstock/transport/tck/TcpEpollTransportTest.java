package io.penstock.transport.tck;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.tcp.TcpTransportProvider;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("io.penstock.transport.tcp.TcpTransportProvider#isEpollAvailable")
class TcpEpollTransportTest extends TcpTransportCases {
    @Override
    protected TransportProvider provider() {
        return TcpTransportProvider.epoll();
    }
}
