package io.penstock.vm.guest.verbs;

import io.penstock.transport.rdma.disni.DisniVerbsProvider;
import io.penstock.transport.rdma.verbs.VerbsProvider;

/** The provider over DiSNI. */
public class DisniVerbsGuestTck extends VerbsTck {
    @Override
    protected VerbsProvider provider() {
        return new DisniVerbsProvider();
    }
}
