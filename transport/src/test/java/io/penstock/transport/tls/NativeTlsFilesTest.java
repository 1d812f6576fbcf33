package io.penstock.transport.tls;

import org.junit.jupiter.api.condition.EnabledIf;

/** The same files for the native engine. */
@EnabledIf(
        value = "io.penstock.transport.tls.openssl.NettyEngineProvider#canBeUsed",
        disabledReason = "netty-tcnative is not there")
class NativeTlsFilesTest extends TlsFilesTest {
    @Override
    EngineChoice engine() {
        return EngineChoice.NATIVE;
    }
}
