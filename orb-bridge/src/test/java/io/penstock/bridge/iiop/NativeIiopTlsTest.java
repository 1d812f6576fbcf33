package io.penstock.bridge.iiop;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.Harness;
import io.penstock.transport.tls.EngineChoice;
import io.penstock.transport.tls.openssl.NettyEngineProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledIf;

/** The same with the native engine, each of which is freed. */
@EnabledIf(
        value = "io.penstock.transport.tls.openssl.NettyEngineProvider#canBeUsed",
        disabledReason = "netty-tcnative is not there")
class NativeIiopTlsTest extends IiopTlsTest {
    @Override
    EngineChoice engine() {
        return EngineChoice.NATIVE;
    }

    @AfterEach
    void awaitRelease() {
        assertThat(Harness.await(() -> NettyEngineProvider.engineCount() == 0)).isTrue();
    }
}
