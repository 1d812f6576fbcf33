package io.penstock.transport.tck;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.tcp.TcpTransportProvider;
import io.penstock.transport.tcp.TcpsTransportProvider;
import io.penstock.transport.tls.EngineChoice;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("io.penstock.transport.tcp.TcpTransportProvider#isEpollAvailable")
class TcpsEpollTransportTest extends TlsTransportTck {
    private static final TransportProvider PROVIDER =
            TlsMedium.of(new TcpsTransportProvider(TcpTransportProvider.epoll()), EngineChoice.JDK);

    @Override
    protected TransportProvider provider() {
        return PROVIDER;
    }
}
