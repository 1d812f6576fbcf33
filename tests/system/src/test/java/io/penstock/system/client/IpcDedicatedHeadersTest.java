package io.penstock.system.client;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;

class IpcDedicatedHeadersTest extends HeadersTck {
    IpcDedicatedHeadersTest() {
        super(BrokerConfig.builder().listen("ipc:headers-test").threading(ThreadingMode.DEDICATED));
    }
}
