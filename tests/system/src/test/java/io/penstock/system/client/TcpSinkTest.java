package io.penstock.system.client;

class TcpSinkTest extends SinkTck {
    TcpSinkTest() {
        super("tcp://127.0.0.1:0", false);
    }
}
