package io.penstock.transport.stream.nio;

import io.penstock.transport.SelectorLoop;
import io.penstock.transport.stream.ListenSocket;
import io.penstock.transport.stream.SocketLoop;
import io.penstock.transport.stream.StreamSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Readiness from Java's selector. Waits are rounded up to its milliseconds. */
public final class NioSocketLoop implements SocketLoop {
    private final SelectorLoop loop;
    private final boolean isOwned;

    /**
     * On a loop.
     *
     * @param loop    of readiness.
     * @param isOwned whether it is closed with this.
     */
    public NioSocketLoop(final SelectorLoop loop, final boolean isOwned) {
        this.loop = loop;
        this.isOwned = isOwned;
    }

    @Override
    public ListenSocket listen(final InetSocketAddress address) throws IOException {
        final ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(address, BACKLOG_LENGTH);
            channel.configureBlocking(false);
            return new NioListenSocket(channel, loop);
        } catch (final IOException ex) {
            channel.close();
            throw ex;
        }
    }

    @Override
    public StreamSocket connect(final InetSocketAddress address) throws IOException {
        final SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            final NioStreamSocket socket = new NioStreamSocket(channel, loop);
            socket.startConnect(address);
            return socket;
        } catch (final IOException ex) {
            channel.close();
            throw ex;
        }
    }

    @Override
    public void poll() throws IOException {
        loop.poll();
    }

    @Override
    public void await(final long timeoutNs) throws IOException {
        loop.await(timeoutNs);
    }

    @Override
    public void wakeup() {
        loop.wakeup();
    }

    @Override
    public void close() {
        if (isOwned) {
            loop.close();
        }
    }
}
