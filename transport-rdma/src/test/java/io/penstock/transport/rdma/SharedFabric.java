package io.penstock.transport.rdma;

import io.penstock.transport.rdma.verbs.Verbs;
import io.penstock.transport.rdma.verbs.VerbsProvider;

/** One fabric for all transports of this process that ask for the provider {@code fake}. */
public final class SharedFabric implements VerbsProvider {
    private static final FakeFabric FABRIC = new FakeFabric(9);

    @Override
    public String name() {
        return FABRIC.name();
    }

    @Override
    public Verbs open() {
        return FABRIC.open();
    }
}
