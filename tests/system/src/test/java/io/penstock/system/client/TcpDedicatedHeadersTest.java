package io.penstock.system.client;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;

class TcpDedicatedHeadersTest extends HeadersTck {
    TcpDedicatedHeadersTest() {
        super(BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .threading(ThreadingMode.DEDICATED)
                .shardCount(3));
    }
}
