package io.penstock.system.client;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class IpcSharedClientBrokerTest extends ClientBrokerTck {
    IpcSharedClientBrokerTest() {
        super(BrokerConfig.builder().listen("ipc:client-broker-test").threading(ThreadingMode.SHARED));
    }
}
