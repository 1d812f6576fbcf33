package io.penstock.system.client;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;

class InprocHeadersTest extends HeadersTck {
    InprocHeadersTest() {
        super(BrokerConfig.builder().listen("inproc:headers-test").threading(ThreadingMode.SHARED));
    }
}
