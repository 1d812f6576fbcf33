package io.penstock.transport.rdma.disni;

import io.penstock.transport.rdma.verbs.VerbsProvider;
import io.penstock.transport.rdma.verbs.VerbsTck;

class DisniVerbsTest extends VerbsTck {
    @Override
    protected VerbsProvider provider() {
        return new DisniVerbsProvider();
    }
}
