package io.penstock.system.client;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;

class InprocClientBrokerTest extends ClientBrokerTck {
    InprocClientBrokerTest() {
        super(BrokerConfig.builder().listen("inproc:client-broker-test").threading(ThreadingMode.SHARED));
    }
}
