package io.penstock.system.client;

import io.penstock.broker.ThreadingMode;

class TcpInvokerReplayTest extends ReplayTck {
    TcpInvokerReplayTest() {
        super("tcp://127.0.0.1:0", ThreadingMode.INVOKER);
    }
}
