package io.penstock.transport.rdma.disni;

import com.ibm.disni.verbs.IbvMr;
import io.penstock.transport.rdma.verbs.VerbsRegistration;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Memory registered by DiSNI. */
final class DisniRegistration implements VerbsRegistration {
    private final IbvMr region;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    DisniRegistration(final IbvMr region) {
        this.region = region;
    }

    @Override
    public int localKey() {
        return region.getLkey();
    }

    @Override
    public int remoteKey() {
        return region.getRkey();
    }

    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            try {
                region.deregMr().execute();
            } catch (final IOException e) {
                throw new IllegalStateException("rdma: memory is still in use: " + e.getMessage(), e);
            }
        }
    }
}
