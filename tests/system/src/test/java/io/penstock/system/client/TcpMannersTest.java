package io.penstock.system.client;

class TcpMannersTest extends MannersTck {
    TcpMannersTest() {
        super("tcp://127.0.0.1:0", "tcp://127.0.0.1:0");
    }
}
