package io.penstock.transport.rsocket;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** The calls of the library, with addresses and errors as Java has them. Owned by one agent. */
final class RsocketCalls {
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;

    private static final int EAGAIN = 11;
    private static final int EINPROGRESS = 115;
    private static final int SOL_SOCKET = 1;
    private static final int SO_ERROR = 4;
    private static final int TEXT_LENGTH = 256;

    /** Offsets in struct sockaddr_in: family, port in network order, address. */
    private static final int PORT_OFFSET = 2;

    private static final int IPV4_OFFSET = 4;
    private static final int IPV4_LENGTH = 16;

    /** Offsets in struct sockaddr_in6: family, port, flow, address, scope. */
    private static final int IPV6_OFFSET = 8;

    private static final int IPV6_LENGTH = 28;

    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(TEXT_LENGTH));
    private final NativeAccess access;

    RsocketCalls(final NativeAccess access) {
        this.access = access;
    }

    /** Why the library is not there, or null. */
    @Nullable
    String missing() {
        if (access.rsocketLoad(buffer.addressOffset(), TEXT_LENGTH) == 0) {
            return null;
        }
        int length = 0;
        while (length < TEXT_LENGTH && buffer.getByte(length) != 0) {
            length++;
        }
        return buffer.getStringWithoutLengthUtf8(0, length);
    }

    /** Negative when no socket can be opened. */
    int probe() {
        final int fd = access.rsocketOpen(AF_INET);
        return fd < 0 ? fd : access.rsocketClose(fd);
    }

    String text(final long result) {
        return NativeErrors.text(access, result);
    }

    int open(final InetSocketAddress address) throws IOException {
        return checked(access.rsocketOpen(address.getAddress().getAddress().length == 4 ? AF_INET : AF_INET6));
    }

    void listen(final int fd, final InetSocketAddress address, final int backlog) throws IOException {
        checked(access.rsocketBind(fd, buffer.addressOffset(), put(address)));
        checked(access.rsocketListen(fd, backlog));
    }

    /** Returns true when connected at once. */
    boolean connect(final int fd, final InetSocketAddress address) throws IOException {
        final int result = access.rsocketConnect(fd, buffer.addressOffset(), put(address));
        return result != -EINPROGRESS && checked(result) == 0;
    }

    /** Throws what an attempt that is over came to, if it failed. */
    void checkConnected(final int fd) throws IOException {
        checked(-checked(access.rsocketOption(fd, SOL_SOCKET, SO_ERROR)));
    }

    InetSocketAddress name(final int fd, final boolean isPeer) throws IOException {
        final int length = checked(access.rsocketName(fd, isPeer ? 1 : 0, buffer.addressOffset(), TEXT_LENGTH));
        final boolean isIpv4 = buffer.getShort(0, ByteOrder.nativeOrder()) == AF_INET;
        if (length < (isIpv4 ? IPV4_LENGTH : IPV6_LENGTH)) {
            throw new IOException("address is cut off: " + length + " bytes");
        }
        final byte[] bytes = new byte[isIpv4 ? 4 : 16];
        buffer.getBytes(isIpv4 ? IPV4_OFFSET : IPV6_OFFSET, bytes);
        final int port = buffer.getShort(PORT_OFFSET, ByteOrder.BIG_ENDIAN) & 0xFFFF;
        return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
    }

    private int put(final InetSocketAddress address) {
        final byte[] bytes = address.getAddress().getAddress();
        final boolean isIpv4 = bytes.length == 4;
        buffer.setMemory(0, IPV6_LENGTH, (byte) 0);
        buffer.putShort(0, (short) (isIpv4 ? AF_INET : AF_INET6), ByteOrder.nativeOrder());
        buffer.putShort(PORT_OFFSET, (short) address.getPort(), ByteOrder.BIG_ENDIAN);
        buffer.putBytes(isIpv4 ? IPV4_OFFSET : IPV6_OFFSET, bytes);
        return isIpv4 ? IPV4_LENGTH : IPV6_LENGTH;
    }

    /** Negative when nobody waits. */
    int accept(final int fd) throws IOException {
        final int accepted = access.rsocketAccept(fd);
        return accepted == -EAGAIN ? accepted : checked(accepted);
    }

    /** Returns the bytes received, 0 at the end of the stream, negative when there are none now. */
    int receive(final int fd, final long address, final int length) throws IOException {
        final int received = access.rsocketReceive(fd, address, length);
        return received == -EAGAIN ? received : checked(received);
    }

    int send(final int fd, final long address, final int length) throws IOException {
        final int sent = access.rsocketSend(fd, address, length);
        return sent == -EAGAIN ? 0 : checked(sent);
    }

    void close(final int fd) {
        access.rsocketClose(fd);
    }

    private int checked(final int result) throws IOException {
        if (result < 0) {
            throw new IOException(text(result));
        }
        return result;
    }
}
