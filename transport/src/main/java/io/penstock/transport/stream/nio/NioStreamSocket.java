package io.penstock.transport.stream.nio;

import io.penstock.transport.ReadyListener;
import io.penstock.transport.SelectorLoop;
import io.penstock.transport.stream.Chunk;
import io.penstock.transport.stream.StreamSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A socket on Java's selector. */
final class NioStreamSocket implements StreamSocket {
    private final SocketChannel channel;
    private final SelectorLoop loop;
    private @Nullable SelectionKey key;

    NioStreamSocket(final SocketChannel channel, final SelectorLoop loop) throws IOException {
        this.channel = channel;
        this.loop = loop;
        sendAtOnce();
    }

    private void sendAtOnce() throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /**
     * Java may put a socket of another family in this one's place as it connects ({@code com.sun.sdp.conf}): that one
     * blocks, so it is connected by then, and has none of the options.
     */
    void startConnect(final InetSocketAddress address) throws IOException {
        if (channel.connect(address)) {
            channel.configureBlocking(true);
            channel.configureBlocking(false);
            sendAtOnce();
        }
        register();
        interest(SelectionKey.OP_CONNECT);
    }

    void register() throws IOException {
        key = loop.register(channel, 0, null);
    }

    @Override
    public void listener(final ReadyListener listener) {
        if (key != null) {
            key.attach(listener);
        }
    }

    @Override
    public boolean finishConnect() throws IOException {
        return channel.finishConnect();
    }

    @Override
    public InetSocketAddress remoteAddress() throws IOException {
        return (InetSocketAddress) channel.getRemoteAddress();
    }

    @Override
    public InetSocketAddress localAddress() throws IOException {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    @Override
    public int descriptor() {
        return -1;
    }

    @Override
    public int read(final Chunk chunk, final int offset, final int length) throws IOException {
        return channel.read(chunk.bytes(offset, length));
    }

    @Override
    public int write(final Chunk chunk, final int offset, final int length) throws IOException {
        return channel.write(chunk.bytes(offset, length));
    }

    @Override
    public void interest(final boolean isReading, final boolean isWriting) {
        interest((isReading ? SelectionKey.OP_READ : 0) | (isWriting ? SelectionKey.OP_WRITE : 0));
    }

    private void interest(final int ops) {
        if (key != null && key.isValid()) {
            key.interestOps(ops);
        }
    }

    @Override
    public void deregister() {
        interest(0);
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
