package io.penstock.transport.rdma.shim;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;

/** The C structs {@code sockaddr_in} and {@code sockaddr_in6}. */
final class SocketAddresses {
    static final int LENGTH_MAX = 28;

    private static final short AF_INET = 2;
    private static final short AF_INET6 = 10;
    private static final int IPV4_LENGTH = 16;
    private static final int PORT_OFFSET = 2;
    private static final int IPV4_OFFSET = 4;
    private static final int IPV6_OFFSET = 8;
    private static final int SCOPE_OFFSET = 24;
    private static final int IPV4_ADDRESS_LENGTH = 4;
    private static final int IPV6_ADDRESS_LENGTH = 16;

    private SocketAddresses() {}

    /** Writes a struct. Returns its length. */
    static int put(final MutableDirectBuffer buffer, final InetSocketAddress address) {
        final byte[] bytes = address.getAddress().getAddress();
        final boolean isIpv4 = bytes.length == IPV4_ADDRESS_LENGTH;
        buffer.setMemory(0, LENGTH_MAX, (byte) 0);
        buffer.putShort(0, isIpv4 ? AF_INET : AF_INET6, ByteOrder.nativeOrder());
        buffer.putShort(PORT_OFFSET, (short) address.getPort(), ByteOrder.BIG_ENDIAN);
        buffer.putBytes(isIpv4 ? IPV4_OFFSET : IPV6_OFFSET, bytes);
        if (address.getAddress() instanceof final java.net.Inet6Address ipv6) {
            buffer.putInt(SCOPE_OFFSET, ipv6.getScopeId(), ByteOrder.nativeOrder());
        }
        return isIpv4 ? IPV4_LENGTH : LENGTH_MAX;
    }

    /** Reads a struct of a length that the system gave. */
    static InetSocketAddress get(final MutableDirectBuffer buffer, final int length) {
        final boolean isIpv4 = length == IPV4_LENGTH;
        final byte[] bytes = new byte[isIpv4 ? IPV4_ADDRESS_LENGTH : IPV6_ADDRESS_LENGTH];
        buffer.getBytes(isIpv4 ? IPV4_OFFSET : IPV6_OFFSET, bytes);
        final int port = buffer.getShort(PORT_OFFSET, ByteOrder.BIG_ENDIAN) & 0xFFFF;
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
        } catch (final UnknownHostException ex) {
            throw new AssertionError("an address of " + bytes.length + " bytes", ex);
        }
    }
}
