package io.penstock.system.client;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;

class TcpDedicatedStateTest extends StateTck {
    TcpDedicatedStateTest() {
        super(BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .threading(ThreadingMode.DEDICATED)
                .shardCount(3));
    }
}
