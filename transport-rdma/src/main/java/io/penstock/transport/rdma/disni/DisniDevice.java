package io.penstock.transport.rdma.disni;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.SVCRegMr;
import com.ibm.disni.verbs.impl.NatIbvContext;
import io.penstock.nativeaccess.NativeAccess;
import io.penstock.transport.rdma.verbs.VerbsDevice;
import io.penstock.transport.rdma.verbs.VerbsRegistration;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/** A device that librdmacm has opened for this process, and the one domain on it; both stay open until it ends. */
final class DisniDevice implements VerbsDevice {
    private static final int NAME_LENGTH = 64;

    /** DiSNI takes lengths as int; a whole number of pages. */
    private static final long REGISTRATION_LENGTH_MAX = Integer.MAX_VALUE & -4096;

    private static final ConcurrentHashMap<Long, DisniDevice> DEVICES = new ConcurrentHashMap<>();

    private final NativeAccess access;
    private final NatIbvContext context;
    private final IbvPd domain;
    private final String name;

    private DisniDevice(final NativeAccess access, final NatIbvContext context, final IbvPd domain) {
        this.access = access;
        this.context = context;
        this.domain = domain;
        final UnsafeBuffer text = new UnsafeBuffer(ByteBuffer.allocateDirect(NAME_LENGTH));
        final int length = access.rdmaDeviceName(context.getObjId(), text.addressOffset(), NAME_LENGTH);
        name = length < 0 ? "unknown device" : text.getStringWithoutLengthAscii(0, length);
    }

    /**
     * The device of a context. Transports find it at the same time; DiSNI's objects for one context are many.
     *
     * @throws IOException when it has no domain left.
     */
    static synchronized DisniDevice of(final NativeAccess access, final IbvContext context) throws IOException {
        final NatIbvContext given = (NatIbvContext) context;
        final DisniDevice known = DEVICES.get(given.getObjId());
        if (known != null) {
            return known;
        }
        final DisniDevice opened = new DisniDevice(access, given, given.allocPd());
        DEVICES.put(given.getObjId(), opened);
        return opened;
    }

    IbvContext context() {
        return context;
    }

    IbvPd domain() {
        return domain;
    }

    long limit(final int which) {
        return access.rdmaDeviceLimit(context.getObjId(), which);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long registrationLengthMax() {
        return Math.min(REGISTRATION_LENGTH_MAX, limit(NativeAccess.RDMA_LIMIT_REGISTRATION_LENGTH));
    }

    @Override
    public VerbsRegistration register(final long address, final long length, final int flags) throws IOException {
        final int how = IbvMr.IBV_ACCESS_LOCAL_WRITE
                | ((flags & REMOTE_WRITE) != 0 ? IbvMr.IBV_ACCESS_REMOTE_WRITE : 0)
                | ((flags & REMOTE_READ) != 0 ? IbvMr.IBV_ACCESS_REMOTE_READ : 0);
        final SVCRegMr call = domain.regMr(address, Math.toIntExact(length), how);
        try {
            return new DisniRegistration(call.execute().getMr());
        } finally {
            call.free();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
