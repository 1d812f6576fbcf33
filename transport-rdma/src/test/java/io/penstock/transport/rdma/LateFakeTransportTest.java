package io.penstock.transport.rdma;

import org.junit.jupiter.api.BeforeEach;

/** The same when completions are seen late, and one by one. */
class LateFakeTransportTest extends FakeTransportTest {
    @BeforeEach
    void delay() {
        fabric().lateness = 3;
    }
}
