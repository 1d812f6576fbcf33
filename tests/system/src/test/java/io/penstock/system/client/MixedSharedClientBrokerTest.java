package io.penstock.system.client;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class MixedSharedClientBrokerTest extends MixedClientBrokerTck {
    MixedSharedClientBrokerTest() {
        super(BrokerConfig.builder().threading(ThreadingMode.SHARED));
    }
}
