package io.penstock.transport.stream.tls;

import io.penstock.transport.tls.EngineChoice;
import org.junit.jupiter.api.condition.EnabledIf;

/** The same certificates and versions, refused by the native engine in the same words. */
@EnabledIf(
        value = "io.penstock.transport.tls.openssl.NettyEngineProvider#canBeUsed",
        disabledReason = "netty-tcnative is not there")
class NativeTlsRefusalTest extends TlsRefusalTest {
    @Override
    EngineChoice engine() {
        return EngineChoice.NATIVE;
    }
}
