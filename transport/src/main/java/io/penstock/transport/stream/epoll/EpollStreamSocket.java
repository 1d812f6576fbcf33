package io.penstock.transport.stream.epoll;

import io.netty.channel.IoEvent;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import io.penstock.transport.ReadyListener;
import io.penstock.transport.stream.Chunk;
import io.penstock.transport.stream.StreamSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** A socket on epoll. */
final class EpollStreamSocket implements StreamSocket, EpollIoHandle {
    /** Nothing but errors, which come in any case. After NONE, Netty 4.2.18 cannot ask for anything again. */
    private static final EpollIoOps NOTHING = EpollIoOps.EPOLLERR;

    private static final EpollIoOps READ_AND_WRITE = EpollIoOps.EPOLLIN.with(EpollIoOps.EPOLLOUT);

    private final EpollSocketLoop loop;
    private final Socket socket;
    private final IoRegistration registration;
    private EpollIoOps ops = NOTHING;
    private @Nullable ReadyListener listener;
    private boolean isConnecting;
    private boolean isAttemptOver;

    EpollStreamSocket(final EpollSocketLoop loop, final Socket socket) throws IOException {
        this.loop = loop;
        this.socket = socket;
        socket.setTcpNoDelay(true);
        this.registration = loop.register(this);
    }

    void startConnect(final InetSocketAddress address) throws IOException {
        isConnecting = !socket.connect(address);
        interest(false, isConnecting);
    }

    @Override
    public void listener(final ReadyListener value) {
        listener = value;
    }

    @Override
    public boolean finishConnect() throws IOException {
        if (isConnecting && isAttemptOver) {
            isConnecting = !socket.finishConnect();
        }
        return !isConnecting;
    }

    @Override
    public InetSocketAddress remoteAddress() throws IOException {
        final InetSocketAddress address = socket.remoteAddress();
        if (address == null) {
            throw new IOException("peer is gone already");
        }
        return address;
    }

    @Override
    public InetSocketAddress localAddress() {
        return socket.localAddress();
    }

    @Override
    public int descriptor() {
        return socket.intValue();
    }

    @Override
    public int read(final Chunk chunk, final int offset, final int length) throws IOException {
        return socket.recvAddress(chunk.address(), offset, offset + length);
    }

    @Override
    public int write(final Chunk chunk, final int offset, final int length) throws IOException {
        return socket.sendAddress(chunk.address(), offset, offset + length);
    }

    @Override
    public boolean canGather(final DirectBuffer body) {
        return body.byteArray() == null;
    }

    @Override
    public int write(
            final Chunk chunk,
            final int offset,
            final int length,
            final DirectBuffer body,
            final int bodyOffset,
            final int bodyLength)
            throws IOException {
        return (int) socket.writevAddresses(
                loop.vector(chunk.address() + offset, length, body.addressOffset() + bodyOffset, bodyLength), 2);
    }

    @Override
    public void interest(final boolean isReading, final boolean isWriting) {
        final EpollIoOps wanted;
        if (isReading) {
            wanted = isWriting ? READ_AND_WRITE : EpollIoOps.EPOLLIN;
        } else {
            wanted = isWriting ? EpollIoOps.EPOLLOUT : NOTHING;
        }
        if (wanted.value() != ops.value()) {
            ops = wanted;
            registration.submit(wanted);
        }
    }

    @Override
    public FileDescriptor fd() {
        return socket;
    }

    /** Errors and hang-ups come unasked, and count as readable: the read shows which it is. */
    @Override
    public void handle(final IoRegistration ioRegistration, final IoEvent event) {
        isAttemptOver = true;
        if (listener != null) {
            final int ready = ((EpollIoEvent) event).ops().value();
            final int writable = EpollIoOps.EPOLLOUT.value();
            listener.onReady((ready & ~writable) != 0, (ready & writable) != 0);
        }
    }

    @Override
    public void deregister() {
        registration.cancel();
    }

    @Override
    public void close() {
        registration.cancel();
        try {
            socket.close();
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
