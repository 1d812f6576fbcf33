package io.penstock.admin;

import io.penstock.transport.tls.EngineChoice;
import io.penstock.transport.tls.openssl.NettyEngineProvider;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledIf;

/** The same with the native engine, each of which is freed. */
@EnabledIf(
        value = "io.penstock.transport.tls.openssl.NettyEngineProvider#canBeUsed",
        disabledReason = "netty-tcnative is not there")
class NativeHttpsTest extends HttpsTest {
    @Override
    EngineChoice engine() {
        return EngineChoice.NATIVE;
    }

    /** Until then the test does not end. */
    @AfterEach
    void awaitRelease() {
        close();
        while (NettyEngineProvider.engineCount() > 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
