package io.penstock.system.client;

import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class IpcSinkTest extends SinkTck {
    IpcSinkTest() {
        super("ipc:sink-test", true);
    }
}
