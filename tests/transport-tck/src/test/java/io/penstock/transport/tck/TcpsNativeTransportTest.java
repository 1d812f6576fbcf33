package io.penstock.transport.tck;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.tcp.TcpsTransportProvider;
import io.penstock.transport.tls.EngineChoice;
import org.junit.jupiter.api.condition.EnabledIf;

/** With the native engine, on the sockets that are best here. */
@EnabledIf(
        value = "io.penstock.transport.tls.openssl.NettyEngineProvider#canBeUsed",
        disabledReason = "netty-tcnative is not there")
class TcpsNativeTransportTest extends TlsTransportTck {
    private static final TransportProvider PROVIDER = TlsMedium.of(new TcpsTransportProvider(), EngineChoice.NATIVE);

    @Override
    protected TransportProvider provider() {
        return PROVIDER;
    }
}
