package io.penstock.transport.sdp;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.transport.TransportContext;
import io.penstock.transport.fallback.Fallback;
import io.penstock.transport.stream.StreamEndpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Finds the family that a socket of Java has got, which Java does not report: looks among the descriptors of this
 * process for those with the socket's address. Owned by one agent, once for each connection.
 */
final class SocketFamily {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final int SOL_SOCKET = 1;
    private static final int SO_DOMAIN = 39;
    private static final int ADDRESS_LENGTH = 16;
    private static final int PORT_OFFSET = 2;
    private static final int HOST_OFFSET = 4;
    private static final int UNKNOWN = -1;

    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(2 * ADDRESS_LENGTH));
    private final NativeAccess access;

    SocketFamily(final NativeAccess access) {
        this.access = access;
    }

    String schemeOf(final TransportContext context, final InetSocketAddress local, final StreamEndpoint endpoint)
            throws IOException {
        final int family = familyOf(local);
        if (family == SdpPreflight.AF_INET_SDP) {
            Fallback.notNeeded(endpoint, "SDP");
            return SdpTransportProvider.SCHEME;
        }
        return Fallback.toTcp(
                context,
                endpoint,
                "Java made a socket of family " + family + ", and " + SdpPreflight.AF_INET_SDP + " is AF_INET_SDP",
                "let the first socket of the process be opened after the rules of " + SdpPreflight.RULES_PROPERTY
                        + " are complete");
    }

    private int familyOf(final InetSocketAddress local) throws IOException {
        final List<Path> all;
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            all = descriptors.toList();
        }
        for (final Path each : all) {
            final int fd = Integer.parseInt(String.valueOf(each.getFileName()));
            if (access.socketName(fd, buffer.addressOffset(), ADDRESS_LENGTH) == ADDRESS_LENGTH && isAt(local)) {
                return access.socketOption(fd, SOL_SOCKET, SO_DOMAIN);
            }
        }
        return UNKNOWN;
    }

    private boolean isAt(final InetSocketAddress local) {
        final byte[] host = local.getAddress().getAddress();
        if (host.length != Integer.BYTES
                || (buffer.getShort(PORT_OFFSET, ByteOrder.BIG_ENDIAN) & 0xFFFF) != local.getPort()) {
            return false;
        }
        return buffer.getInt(HOST_OFFSET, ByteOrder.BIG_ENDIAN)
                == ByteBuffer.wrap(host).getInt();
    }
}
