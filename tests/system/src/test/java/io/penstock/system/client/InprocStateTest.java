package io.penstock.system.client;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;

class InprocStateTest extends StateTck {
    InprocStateTest() {
        super(BrokerConfig.builder().listen("inproc:state-test").threading(ThreadingMode.SHARED));
    }
}
