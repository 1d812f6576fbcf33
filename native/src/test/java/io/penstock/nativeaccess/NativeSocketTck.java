package io.penstock.nativeaccess;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every binding of the native library has to do, and sockets with it. */
abstract class NativeSocketTck extends NativeAccessTck {
    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCK_STREAM = 1;
    private static final int SOL_SOCKET = 1;
    private static final int SO_REUSEADDR = 2;
    private static final int ENOPROTOOPT = 92;
    private static final int EAFNOSUPPORT = 97;
    private static final int EADDRINUSE = 98;
    private static final int ENOBUFS = 105;
    private static final int ENOTCONN = 107;
    private static final int ECONNREFUSED = 111;
    private static final int ENOENT = 2;
    private static final int PORT_OFFSET = 2;
    private static final int POLLIN = 1;

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void shouldConnectWhenAnAddressIsListenedOn(final String host) throws Exception {
        final UnsafeBuffer address = internetAddress(host);
        final long at = address.addressOffset();
        final int length = address.capacity();
        final int family = address.getShort(0);
        final int listener = open(family);
        assertThat(access.socketSetOption(listener, SOL_SOCKET, SO_REUSEADDR, 1))
                .isZero();
        assertThat(access.socketBind(listener, at, length)).isZero();
        assertThat(access.socketListen(listener, 1)).isZero();
        assertThat(access.socketName(listener, at, 2)).isEqualTo(-ENOBUFS);
        assertThat(access.socketName(listener, at, length)).isEqualTo(length);
        assertThat(address.getShort(PORT_OFFSET)).isNotZero();

        assertThat(access.socketConnect(open(family), at, length)).isZero();

        final int server = access.socketAccept(listener);
        assertThat(server).isNotNegative();
        descriptors.add(server);
        assertThat(access.socketPeer(server, NativeAccess.PEER_PROCESS)).isEqualTo(-ENOTCONN);
        assertThat(access.socketBind(open(family), at, length)).isEqualTo(-EADDRINUSE);
        descriptors.remove(Integer.valueOf(listener));
        assertThat(access.descriptorClose(listener)).isZero();
        assertThat(access.socketConnect(open(family), at, length)).isEqualTo(-ECONNREFUSED);
    }

    @Test
    void shouldSayWhoThePeerIsWhenASocketIsUnix() {
        // An abstract name: it begins with a zero byte and is no file.
        final UnsafeBuffer address = text("..." + UUID.randomUUID());
        address.putShort(0, (short) AF_UNIX, ByteOrder.nativeOrder());
        address.putByte(2, (byte) 0);
        final int listener = open(AF_UNIX);
        assertThat(access.socketBind(listener, address.addressOffset(), address.capacity()))
                .isZero();
        assertThat(access.socketListen(listener, 1)).isZero();
        final int client = open(AF_UNIX);
        assertThat(access.socketConnect(client, address.addressOffset(), address.capacity()))
                .isZero();

        final int server = access.socketAccept(listener);

        descriptors.add(server);
        assertThat(access.socketPeer(server, NativeAccess.PEER_PROCESS))
                .isEqualTo(ProcessHandle.current().pid());
        assertThat(access.socketPeer(client, NativeAccess.PEER_USER))
                .isEqualTo(access.socketPeer(server, NativeAccess.PEER_USER))
                .isNotNegative();
        assertThat(access.socketPeer(server, NativeAccess.PEER_GROUP)).isNotNegative();
        assertThat(access.socketPeer(server, 3)).isEqualTo(-EINVAL);
    }

    @Test
    void shouldReadAndSetOptionsWhenThereAreAny() {
        final int socket = open(AF_INET);

        assertThat(access.socketOption(socket, SOL_SOCKET, SO_REUSEADDR)).isZero();
        assertThat(access.socketSetOption(socket, SOL_SOCKET, SO_REUSEADDR, 1)).isZero();
        assertThat(access.socketOption(socket, SOL_SOCKET, SO_REUSEADDR)).isEqualTo(1);
        assertThat(access.socketOption(socket, SOL_SOCKET, 9999)).isEqualTo(-ENOPROTOOPT);
    }

    @Test
    void shouldRefuseWhenAFamilyOrASocketIsNotThere() {
        assertThat(access.socketOpen(12345, SOCK_STREAM, 0)).isEqualTo(-EAFNOSUPPORT);
        assertThat(access.socketAccept(NO_FD)).isEqualTo(-EBADF);
        assertThat(access.socketListen(NO_FD, 1)).isEqualTo(-EBADF);
        assertThat(access.socketConnect(NO_FD, 0, -1)).isEqualTo(-EINVAL);
        assertThat(access.socketPeer(NO_FD, NativeAccess.PEER_PROCESS)).isEqualTo(-EBADF);
    }

    @Test
    void shouldWakeWhoWaitsWhenASignalIsSet() {
        final UnsafeBuffer polled = new UnsafeBuffer(ByteBuffer.allocateDirect(2 * Long.BYTES));
        final int signal = access.signalOpen();
        assertThat(signal).isNotNegative();
        descriptors.add(signal);
        polled.putInt(0, signal);
        polled.putInt(Integer.BYTES, POLLIN);
        polled.putInt(Long.BYTES, -1);
        assertThat(access.descriptorsWait(polled.addressOffset(), 2, 1_000_000)).isZero();

        assertThat(access.signalSet(signal)).isZero();

        assertThat(access.descriptorsWait(polled.addressOffset(), 2, -1)).isEqualTo(1);
        assertThat(access.signalClear(signal)).isZero();
        assertThat(access.descriptorsWait(polled.addressOffset(), 2, 0)).isZero();
        assertThat(access.signalSet(NO_FD)).isEqualTo(-EBADF);
    }

    @Test
    void shouldSayWhatIsMissingWhenThereIsNoRdma() {
        final UnsafeBuffer text = new UnsafeBuffer(ByteBuffer.allocateDirect(256));
        final int loaded = access.rdmaLoad(text.addressOffset(), text.capacity());

        assertThat(loaded).isIn(0, -ENOENT, -ENOSYS);
        assertThat(text.getByte(0) == 0).isEqualTo(loaded == 0);
        assertThat(access.rdmaPostSends(0, 0, 0)).isEqualTo(loaded == -ENOSYS ? -ENOSYS : -EINVAL);
        assertThat(access.rdmaLoad(0, 0)).isEqualTo(-EINVAL);
    }

    @Test
    void shouldBecomeReadyWhenTheTimeOfATimerIsUp() {
        final UnsafeBuffer polled = new UnsafeBuffer(ByteBuffer.allocateDirect(Long.BYTES));
        final int timer = access.timerOpen();
        assertThat(timer).isNotNegative();
        descriptors.add(timer);
        polled.putInt(0, timer);
        polled.putInt(Integer.BYTES, POLLIN);
        assertThat(access.descriptorsWait(polled.addressOffset(), 1, 0)).isZero();

        assertThat(access.timerSet(timer, 1)).isZero();

        assertThat(access.descriptorsWait(polled.addressOffset(), 1, -1)).isEqualTo(1);
        assertThat(access.timerSet(timer, 1_000_000_000_000L)).isZero();
        assertThat(access.descriptorsWait(polled.addressOffset(), 1, 0)).isZero();
        assertThat(access.timerSet(timer, -1)).isEqualTo(-EINVAL);
        assertThat(access.timerSet(NO_FD, 1)).isEqualTo(-EBADF);
    }

    @Test
    void shouldSayWhatIsMissingWhenThereAreNoRsockets() {
        final UnsafeBuffer text = new UnsafeBuffer(ByteBuffer.allocateDirect(256));
        final int loaded = access.rsocketLoad(text.addressOffset(), text.capacity());

        assertThat(loaded).isIn(0, -ENOENT);
        assertThat(text.getByte(0) == 0).isEqualTo(loaded == 0);
        assertThat(access.rsocketLoad(0, 0)).isEqualTo(-EINVAL);
        assertThat(access.rsocketAccept(NO_FD)).isEqualTo(loaded == 0 ? -EBADF : -ENOSYS);
        assertThat(access.rsocketSend(NO_FD, 0, -1)).isEqualTo(loaded == 0 ? -EINVAL : -ENOSYS);
        assertThat(access.rsocketPoll(0, 0, 0)).isEqualTo(loaded == 0 ? 0 : -ENOSYS);
    }

    @Test
    void shouldNotSayWhatAConnectionIsWhenItIsNotOfSmc() {
        assertThat(access.smcMode(open(AF_INET))).isNegative();
        assertThat(access.smcMode(NO_FD)).isEqualTo(-EBADF);
        assertThat(access.smcMode(access.timerOpen())).isNegative();
    }

    private int open(final int family) {
        final int socket = access.socketOpen(family, SOCK_STREAM, 0);
        assertThat(socket).isNotNegative();
        descriptors.add(socket);
        return socket;
    }

    /** A struct sockaddr_in or sockaddr_in6 with port 0. */
    private static UnsafeBuffer internetAddress(final String host) throws Exception {
        final byte[] bytes = InetAddress.getByName(host).getAddress();
        final boolean isIpv4 = bytes.length == 4;
        final UnsafeBuffer address = new UnsafeBuffer(ByteBuffer.allocateDirect(isIpv4 ? 16 : 28));
        address.putShort(0, (short) (isIpv4 ? AF_INET : AF_INET6), ByteOrder.nativeOrder());
        address.putBytes(isIpv4 ? 4 : 8, bytes);
        return address;
    }
}
