package io.penstock.transport.rdma;

import io.penstock.transport.rdma.verbs.VerbsListener;
import java.net.InetSocketAddress;

/** Somebody who listens on a fabric. */
final class FakeListener implements VerbsListener {
    final FakeVerbs verbs;

    private final FakeFabric fabric;
    private final InetSocketAddress address;

    FakeListener(final FakeFabric fabric, final FakeVerbs verbs, final InetSocketAddress address) {
        this.fabric = fabric;
        this.verbs = verbs;
        this.address = address;
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() {
        fabric.close(this);
    }
}
