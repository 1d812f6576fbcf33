package io.penstock.transport.rdma.shim;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.transport.rdma.verbs.VerbsRegistration;
import java.util.concurrent.atomic.AtomicLong;

/** Memory registered through the native library. */
final class ShimRegistration implements VerbsRegistration {
    private final NativeAccess access;
    private final AtomicLong registration;
    private final int localKey;
    private final int remoteKey;

    ShimRegistration(final NativeAccess access, final long registration) {
        this.access = access;
        this.registration = new AtomicLong(registration);
        localKey = (int) access.rdmaKey(registration, 0);
        remoteKey = (int) access.rdmaKey(registration, 1);
    }

    @Override
    public int localKey() {
        return localKey;
    }

    @Override
    public int remoteKey() {
        return remoteKey;
    }

    @Override
    public void close() {
        final long ended = registration.getAndSet(0);
        if (ended != 0) {
            access.rdmaDeregister(ended);
        }
    }
}
