package io.penstock.transport.stream.tls;

import io.penstock.transport.tls.EngineChoice;
import org.junit.jupiter.api.condition.EnabledIf;

/** The same peers, whom the native engine treats in the same way. */
@EnabledIf(
        value = "io.penstock.transport.tls.openssl.NettyEngineProvider#canBeUsed",
        disabledReason = "netty-tcnative is not there")
class NativeTlsPeersTest extends TlsPeersTest {
    @Override
    EngineChoice engine() {
        return EngineChoice.NATIVE;
    }
}
