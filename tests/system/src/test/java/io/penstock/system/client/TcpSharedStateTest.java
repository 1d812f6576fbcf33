package io.penstock.system.client;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;

class TcpSharedStateTest extends StateTck {
    TcpSharedStateTest() {
        super(BrokerConfig.builder().listen("tcp://127.0.0.1:0").threading(ThreadingMode.SHARED));
    }
}
