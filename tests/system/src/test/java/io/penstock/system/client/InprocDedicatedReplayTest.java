package io.penstock.system.client;

import io.penstock.broker.ThreadingMode;

class InprocDedicatedReplayTest extends ReplayTck {
    InprocDedicatedReplayTest() {
        super("inproc:replay-dedicated", ThreadingMode.DEDICATED);
    }
}
