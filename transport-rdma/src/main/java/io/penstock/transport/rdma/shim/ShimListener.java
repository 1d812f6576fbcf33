package io.penstock.transport.rdma.shim;

import io.penstock.transport.rdma.verbs.VerbsListener;
import java.net.InetSocketAddress;

/** An id that listens. */
final class ShimListener implements VerbsListener {
    private final ShimVerbs verbs;
    private final long id;
    private final InetSocketAddress address;
    private boolean isClosed;

    ShimListener(final ShimVerbs verbs, final long id, final InetSocketAddress address) {
        this.verbs = verbs;
        this.id = id;
        this.address = address;
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            verbs.close(id);
        }
    }
}
