package io.penstock.transport.rdma.shim;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import io.penstock.transport.rdma.verbs.VerbsDevice;
import io.penstock.transport.rdma.verbs.VerbsRegistration;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/** A device that librdmacm has opened for this process, and the one domain on it; both stay open until it ends. */
final class ShimDevice implements VerbsDevice {
    private static final int NAME_LENGTH = 64;

    private static final ConcurrentHashMap<Long, ShimDevice> DEVICES = new ConcurrentHashMap<>();

    private final NativeAccess access;
    private final long address;
    private final long domain;
    private final String name;

    private ShimDevice(final NativeAccess access, final long address, final long domain) {
        this.access = access;
        this.address = address;
        this.domain = domain;
        final UnsafeBuffer text = new UnsafeBuffer(ByteBuffer.allocateDirect(NAME_LENGTH));
        final int length = access.rdmaDeviceName(address, text.addressOffset(), NAME_LENGTH);
        name = length < 0 ? "unknown device" : text.getStringWithoutLengthAscii(0, length);
    }

    /** The device that an id is on. */
    static ShimDevice of(final NativeAccess access, final long id) throws IOException {
        final long address = access.rdmaDevice(id);
        if (address < 0) {
            throw new IOException("rdma: no device: " + NativeErrors.text(access, address));
        }
        final ShimDevice known = DEVICES.get(address);
        if (known != null) {
            return known;
        }
        final long domain = access.rdmaDomainOpen(address);
        if (domain < 0) {
            throw new IOException("rdma: the device has no domain left: " + NativeErrors.text(access, domain));
        }
        final ShimDevice opened = new ShimDevice(access, address, domain);
        final ShimDevice other = DEVICES.putIfAbsent(address, opened);
        if (other != null) {
            access.rdmaDomainClose(domain);
            return other;
        }
        return opened;
    }

    long address() {
        return address;
    }

    long domain() {
        return domain;
    }

    long limit(final int which) {
        return access.rdmaDeviceLimit(address, which);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long registrationLengthMax() {
        return limit(NativeAccess.RDMA_LIMIT_REGISTRATION_LENGTH);
    }

    @Override
    public VerbsRegistration register(final long memory, final long length, final int flags) throws IOException {
        final int how = ((flags & REMOTE_WRITE) != 0 ? NativeAccess.RDMA_REMOTE_WRITE : 0)
                | ((flags & REMOTE_READ) != 0 ? NativeAccess.RDMA_REMOTE_READ : 0);
        final long registration = access.rdmaRegister(domain, memory, length, how);
        if (registration < 0) {
            throw new IOException(NativeErrors.text(access, registration));
        }
        return new ShimRegistration(access, registration);
    }

    @Override
    public String toString() {
        return name;
    }
}
