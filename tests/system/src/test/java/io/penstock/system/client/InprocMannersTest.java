package io.penstock.system.client;

class InprocMannersTest extends MannersTck {
    InprocMannersTest() {
        super("inproc:manners", "inproc:manners-second");
    }
}
