package io.penstock.transport.tck;

import io.penstock.transport.TransportProvider;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** In the long form, as the one it extends. */
@EnabledIfSystemProperty(named = "penstock.tls.loops", matches = "all")
class TcpsSharedLoopTransportTest extends TcpsNioTransportTest {
    @Override
    protected TransportProvider provider() {
        return new SharedLoopProvider(super.provider());
    }
}
