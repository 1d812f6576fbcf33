package io.penstock.transport.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A listening socket on Java's selector. */
final class NioListenSocket implements ListenSocket {
    private final ServerSocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;

    NioListenSocket(final ServerSocketChannel channel, final Selector selector) throws IOException {
        this.channel = channel;
        this.selector = selector;
        this.key = channel.register(selector, SelectionKey.OP_ACCEPT);
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
        final NioStreamSocket socket = new NioStreamSocket(accepted, selector);
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
