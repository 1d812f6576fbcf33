package io.penstock.system.client;

class InprocSinkTest extends SinkTck {
    InprocSinkTest() {
        super("inproc:sink-test", false);
    }
}
