package io.penstock.transport.tck;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.tcp.TcpTransportProvider;
import io.penstock.transport.tcp.TcpsTransportProvider;
import io.penstock.transport.tls.EngineChoice;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** In the long form: brokers with several transports use the same sockets in the tests of the system. */
@EnabledIfSystemProperty(named = "penstock.tls.loops", matches = "all")
class TcpsNioTransportTest extends TlsTransportTck {
    private static final TransportProvider PROVIDER =
            TlsMedium.of(new TcpsTransportProvider(TcpTransportProvider.nio()), EngineChoice.JDK);

    @Override
    protected TransportProvider provider() {
        return PROVIDER;
    }
}
