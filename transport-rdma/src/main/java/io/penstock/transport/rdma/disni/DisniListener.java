package io.penstock.transport.rdma.disni;

import com.ibm.disni.verbs.RdmaCmId;
import io.penstock.transport.rdma.verbs.VerbsListener;
import java.net.InetSocketAddress;

/** An id that listens. */
final class DisniListener implements VerbsListener {
    private final DisniVerbs verbs;
    private final RdmaCmId id;
    private final InetSocketAddress address;
    private boolean isClosed;

    DisniListener(final DisniVerbs verbs, final RdmaCmId id, final InetSocketAddress address) {
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
