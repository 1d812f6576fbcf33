package io.penstock.transport.stream.epoll;

import io.netty.channel.IoEvent;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import io.penstock.transport.ReadyListener;
import io.penstock.transport.stream.ListenSocket;
import io.penstock.transport.stream.StreamSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** A listening socket on epoll. */
final class EpollListenSocket implements ListenSocket, EpollIoHandle {
    /** The address that the kernel fills in at accept: its length, then an IPv6 address with scope and port. */
    private final byte[] acceptedAddress = new byte[32];

    private final EpollSocketLoop loop;
    private final Socket socket;
    private final IoRegistration registration;
    private @Nullable ReadyListener listener;

    EpollListenSocket(final EpollSocketLoop loop, final Socket socket) throws IOException {
        this.loop = loop;
        this.socket = socket;
        this.registration = loop.register(this);
        interest(true);
    }

    @Override
    public void listener(final ReadyListener value) {
        listener = value;
    }

    @Override
    public int port() throws IOException {
        return socket.localAddress().getPort();
    }

    @Override
    public @Nullable StreamSocket accept() throws IOException {
        final int fd = socket.accept(acceptedAddress);
        if (fd < 0) {
            return null;
        }
        final Socket accepted = new Socket(fd);
        try {
            return new EpollStreamSocket(loop, accepted);
        } catch (final IOException ex) {
            accepted.close();
            throw ex;
        }
    }

    @Override
    public void interest(final boolean isAccepting) {
        registration.submit(isAccepting ? EpollIoOps.EPOLLIN : EpollIoOps.EPOLLERR);
    }

    @Override
    public FileDescriptor fd() {
        return socket;
    }

    @Override
    public void handle(final IoRegistration ioRegistration, final IoEvent event) {
        if (listener != null) {
            listener.onReady(true, false);
        }
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
