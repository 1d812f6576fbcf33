package io.penstock.system.client;

import io.penstock.broker.ThreadingMode;

class TcpDedicatedReplayTest extends ReplayTck {
    TcpDedicatedReplayTest() {
        super("tcp://127.0.0.1:0", ThreadingMode.DEDICATED);
    }
}
