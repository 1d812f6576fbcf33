package io.penstock.transport.rdma.shim;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import io.penstock.nativeaccess.NativeLibrary;
import io.penstock.transport.rdma.verbs.Verbs;
import io.penstock.transport.rdma.verbs.VerbsProvider;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Checks the requirements, and reports missing ones. */
public final class ShimVerbsProvider implements VerbsProvider {
    static final String NAME = "shim";

    private static final int TEXT_LENGTH = 256;
    private static final int ENOENT = 2;
    private static final int ENXIO = 6;
    private static final int EACCES = 13;
    private static final int ENODEV = 19;

    /** Found by the service loader. */
    public ShimVerbsProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Verbs open() throws IOException {
        final NativeLibrary library = NativeLibrary.get();
        if (!library.isAvailable()) {
            throw new IOException("rdma: cannot be used: " + library.report());
        }
        final NativeAccess access = library.access();
        load(access);
        final long channel = access.rdmaChannelOpen();
        if (channel < 0) {
            throw new IOException("rdma: cannot be used: " + reason(access, channel));
        }
        return new ShimVerbs(access, channel);
    }

    private static void load(final NativeAccess access) throws IOException {
        final UnsafeBuffer text = new UnsafeBuffer(ByteBuffer.allocateDirect(TEXT_LENGTH));
        final int result = access.rdmaLoad(text.addressOffset(), TEXT_LENGTH);
        if (result < 0) {
            int length = 0;
            while (text.getByte(length) != 0) {
                length++;
            }
            final String remedy = result == -ENOENT
                    ? "install libibverbs and librdmacm, for example with 'apt-get install ibverbs-providers"
                            + " librdmacm1'"
                    : "build Penstock where libibverbs-dev and librdmacm-dev are installed";
            throw new IOException(
                    "rdma: cannot be used: " + text.getStringWithoutLengthAscii(0, length) + " (" + remedy + ")");
        }
    }

    private static String reason(final NativeAccess access, final long error) {
        final String text = NativeErrors.text(access, error);
        return switch ((int) -error) {
            case ENOENT, ENXIO, ENODEV ->
                "the kernel has no RDMA connection manager: " + text
                        + " (load its module with 'modprobe rdma_ucm'; 'rdma link' lists devices)";
            case EACCES ->
                "no permission to use /dev/infiniband/rdma_cm: " + text
                        + " (let this user read and write the files in /dev/infiniband, for example by a udev rule)";
            default -> text;
        };
    }
}
