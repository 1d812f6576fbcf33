package io.penstock.system.client;

import io.penstock.broker.ThreadingMode;

class InprocInvokerReplayTest extends ReplayTck {
    InprocInvokerReplayTest() {
        super("inproc:replay-invoker", ThreadingMode.INVOKER);
    }
}
