package io.penstock.vm.guest.verbs;

import io.penstock.transport.rdma.shim.ShimVerbsProvider;
import io.penstock.transport.rdma.verbs.VerbsProvider;

/** The provider over our own native library. */
public class ShimVerbsGuestTck extends VerbsTck {
    @Override
    protected VerbsProvider provider() {
        return new ShimVerbsProvider();
    }
}
