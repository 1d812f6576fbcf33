package io.penstock.transport.tck;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.tcp.TcpTransportProvider;
import java.net.URI;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("io.penstock.transport.tcp.TcpTransportProvider#isEpollAvailable")
class TcpEpollTransportTest extends SocketTransportTck {
    @Override
    protected TransportProvider provider() {
        return TcpTransportProvider.epoll();
    }

    @Override
    protected URI endpoint() {
        return URI.create("tcp://127.0.0.1:0");
    }
}
