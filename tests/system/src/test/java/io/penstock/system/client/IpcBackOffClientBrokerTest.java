package io.penstock.system.client;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.IdleMode;
import io.penstock.broker.ThreadingMode;
import io.penstock.client.ClientConfig;
import java.time.Duration;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Neither end is ever woken by the other. */
@EnabledOnOs(OS.LINUX)
class IpcBackOffClientBrokerTest extends ClientBrokerTck {
    IpcBackOffClientBrokerTest() {
        super(BrokerConfig.builder()
                .listen("ipc:back-off-client-broker-test")
                .threading(ThreadingMode.SHARED)
                .idle(IdleMode.BACK_OFF));
    }

    @Override
    ClientConfig.Builder builder() {
        return super.builder().backOff(Duration.ofMillis(1));
    }
}
