package io.penstock.transport.rdma;

import io.penstock.transport.TransportProvider;
import io.penstock.transport.tck.TransportTck;
import java.net.URI;
import java.util.List;

/** The transport over a fabric in memory, where no device is needed. */
class FakeTransportTest extends TransportTck {
    private final FakeFabric fabric = new FakeFabric(1);

    static RdmaConfig config() {
        return new RdmaConfig(
                RdmaConfig.AUTO,
                RdmaConfig.SLOT_COUNT_DEFAULT,
                RdmaConfig.MEMORY_LENGTH_DEFAULT,
                RdmaConfig.SPIN_NS_DEFAULT);
    }

    FakeFabric fabric() {
        return fabric;
    }

    @Override
    protected TransportProvider provider() {
        return new RdmaTransportProvider(FakeTransportTest::config, () -> List.of(fabric));
    }

    @Override
    protected URI endpoint() {
        return URI.create("rdma://127.0.0.1:0");
    }

    @Override
    protected URI anotherEndpoint() {
        return URI.create("rdma://127.0.0.1:0");
    }

    @Override
    protected URI deadEndpoint() {
        return URI.create("rdma://127.0.0.1:9");
    }
}
