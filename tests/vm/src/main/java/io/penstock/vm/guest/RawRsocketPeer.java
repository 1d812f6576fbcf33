package io.penstock.vm.guest;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import io.penstock.nativeaccess.NativeLibrary;
import io.penstock.transport.tck.RawPeer;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/** A socket of librdmacm that is waited for. It takes less than the kernel's, so the other side reads meanwhile. */
final class RawRsocketPeer implements RawPeer {
    private static final int AF_INET = 2;
    private static final int POLLOUT = 4;
    private static final int EAGAIN = 11;
    private static final int EINPROGRESS = 115;
    private static final int SHUT_WR = 1;
    private static final int ADDRESS_LENGTH = 16;
    private static final int BUFFER_LENGTH = 128 * 1024;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(100);

    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(BUFFER_LENGTH));
    private final NativeAccess access = NativeLibrary.get().access();
    private final Runnable whileWaiting;
    private final int fd;

    RawRsocketPeer(final String host, final int port, final Runnable whileWaiting) throws IOException {
        this.whileWaiting = whileWaiting;
        fd = checked(access.rsocketOpen(AF_INET));
        buffer.putShort(0, (short) AF_INET, ByteOrder.nativeOrder());
        buffer.putShort(2, (short) port, ByteOrder.BIG_ENDIAN);
        buffer.putBytes(4, InetAddress.getByName(host).getAddress());
        final int result = access.rsocketConnect(fd, buffer.addressOffset(), ADDRESS_LENGTH);
        if (result != -EINPROGRESS) {
            checked(result);
        }
        awaitRoom();
    }

    private void awaitRoom() throws IOException {
        final long startNs = System.nanoTime();
        do {
            whileWaiting.run();
            buffer.putInt(0, fd);
            buffer.putInt(4, POLLOUT);
            if (System.nanoTime() - startNs > TIMEOUT_NS) {
                throw new IOException("rsocket: no room for too long");
            }
        } while (checked(access.rsocketPoll(buffer.addressOffset(), 1, 0)) == 0);
    }

    @Override
    public void write(final byte[] bytes) throws IOException {
        int sent = 0;
        while (sent < bytes.length) {
            final int length = Math.min(bytes.length - sent, BUFFER_LENGTH);
            buffer.putBytes(0, bytes, sent, length);
            final int result = access.rsocketSend(fd, buffer.addressOffset(), length);
            if (result == -EAGAIN) {
                awaitRoom();
            } else {
                sent += checked(result);
            }
        }
    }

    @Override
    public void writeFrame(final byte[] frame) throws IOException {
        final ByteBuffer whole =
                ByteBuffer.allocate(Integer.BYTES + frame.length).order(ByteOrder.LITTLE_ENDIAN);
        write(whole.putInt(frame.length).put(frame).array());
    }

    @Override
    public void endOutput() throws IOException {
        checked(access.rsocketShutdown(fd, SHUT_WR));
    }

    @Override
    public void abort() {
        close();
    }

    @Override
    public void close() {
        access.rsocketClose(fd);
    }

    private int checked(final int result) throws IOException {
        if (result < 0) {
            throw new IOException("rsocket: " + NativeErrors.text(access, result));
        }
        return result;
    }
}
