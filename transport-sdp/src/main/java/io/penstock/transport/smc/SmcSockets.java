package io.penstock.transport.smc;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import io.penstock.transport.TransportContext;
import io.penstock.transport.fallback.Fallback;
import io.penstock.transport.stream.StreamEndpoint;
import io.penstock.transport.stream.StreamSocket;
import io.penstock.transport.stream.epoll.DescriptorFactory;
import java.io.IOException;

/** Makes sockets of the family, and asks the kernel what a connection has become: it falls back to TCP by itself. */
final class SmcSockets implements DescriptorFactory {
    private static final int AF_SMC = 43;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_NONBLOCK = 0x800;

    /** The protocol that takes IPv4 addresses. */
    private static final int SMCPROTO_SMC = 0;

    private static final int MODE_BITS = 8;
    private static final long MODE_MASK = (1 << MODE_BITS) - 1;

    private final NativeAccess access;

    SmcSockets(final NativeAccess access) {
        this.access = access;
    }

    @Override
    public int open() throws IOException {
        final int fd = access.socketOpen(AF_SMC, SOCK_STREAM | SOCK_NONBLOCK, SMCPROTO_SMC);
        if (fd < 0) {
            throw new IOException("the kernel has no sockets of the family AF_SMC: " + NativeErrors.text(access, fd));
        }
        return fd;
    }

    String schemeOf(final TransportContext context, final StreamSocket socket, final StreamEndpoint endpoint)
            throws IOException {
        final long mode = access.smcMode(socket.descriptor());
        if (mode < 0) {
            return Fallback.toTcp(
                    context,
                    endpoint,
                    "the kernel does not report what the connection has become: " + NativeErrors.text(access, mode),
                    "load its module: modprobe smc_diag");
        }
        switch ((int) (mode & MODE_MASK)) {
            case NativeAccess.SMC_RDMA -> Fallback.notNeeded(endpoint, "SMC over RDMA");
            case NativeAccess.SMC_MEMORY -> Fallback.notNeeded(endpoint, "SMC over shared memory");
            default -> {
                return Fallback.toTcp(
                        context,
                        endpoint,
                        String.format("the kernel fell back to TCP, for its reason 0x%08x", mode >>> MODE_BITS),
                        "look that up in 'man smc_run', and at the devices of both machines");
            }
        }
        return SmcTransportProvider.SCHEME;
    }
}
