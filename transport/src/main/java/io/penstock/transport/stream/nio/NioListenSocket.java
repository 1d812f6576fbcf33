package io.penstock.transport.stream.nio;

import io.penstock.transport.ReadyListener;
import io.penstock.transport.SelectorLoop;
import io.penstock.transport.stream.ListenSocket;
import io.penstock.transport.stream.StreamSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A listening socket on Java's selector. */
final class NioListenSocket implements ListenSocket {
    private final ServerSocketChannel channel;
    private final SelectorLoop loop;
    private final SelectionKey key;

    NioListenSocket(final ServerSocketChannel channel, final SelectorLoop loop) throws IOException {
        this.channel = channel;
        this.loop = loop;
        this.key = loop.register(channel, SelectionKey.OP_ACCEPT, null);
    }

    @Override
    public void listener(final ReadyListener listener) {
        key.attach(listener);
    }

    @Override
    public int port() {
        return channel.socket().getLocalPort();
    }

    @Override
    public @Nullable StreamSocket accept() throws IOException {
        final SocketChannel accepted = channel.accept();
        if (accepted == null) {
            return null;
        }
        accepted.configureBlocking(false);
        final NioStreamSocket socket = new NioStreamSocket(accepted, loop);
        socket.register();
        return socket;
    }

    @Override
    public void interest(final boolean isAccepting) {
        key.interestOps(isAccepting ? SelectionKey.OP_ACCEPT : 0);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
