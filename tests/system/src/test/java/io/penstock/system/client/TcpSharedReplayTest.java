package io.penstock.system.client;

import io.penstock.broker.ThreadingMode;

class TcpSharedReplayTest extends ReplayTck {
    TcpSharedReplayTest() {
        super("tcp://127.0.0.1:0", ThreadingMode.SHARED);
    }
}
