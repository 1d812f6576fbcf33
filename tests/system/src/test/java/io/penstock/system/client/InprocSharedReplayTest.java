package io.penstock.system.client;

import io.penstock.broker.ThreadingMode;

class InprocSharedReplayTest extends ReplayTck {
    InprocSharedReplayTest() {
        super("inproc:replay-shared", ThreadingMode.SHARED);
    }
}
