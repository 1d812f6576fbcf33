package io.penstock.transport.tcp;

import io.penstock.transport.WakeupFlag;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Readiness from Java's selector. Waits are rounded up to its milliseconds. */
final class NioSocketLoop implements SocketLoop {
    private static final long NS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final WakeupFlag wakeupFlag = new WakeupFlag();
    private final Consumer<SelectionKey> onSelected = NioSocketLoop::onSelected;
    private final Selector selector;

    NioSocketLoop() throws IOException {
        selector = Selector.open();
    }

    @Override
    public ListenSocket listen(final InetSocketAddress address) throws IOException {
        final ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(address, BACKLOG_LENGTH);
            channel.configureBlocking(false);
            return new NioListenSocket(channel, selector);
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
            final NioStreamSocket socket = new NioStreamSocket(channel, selector);
            socket.startConnect(address);
            return socket;
        } catch (final IOException ex) {
            channel.close();
            throw ex;
        }
    }

    @Override
    public void poll() throws IOException {
        selector.selectNow(onSelected);
    }

    @Override
    public void await(final long timeoutNs) throws IOException {
        if (wakeupFlag.beginWait()) {
            // A wake-up of the selector is kept for the next select, so that none is lost between the two calls.
            selector.select(onSelected, Math.max(1, (timeoutNs + NS_PER_MS - 1) / NS_PER_MS));
        }
        wakeupFlag.endWait();
    }

    private static void onSelected(final SelectionKey key) {
        final ReadyListener listener = (ReadyListener) key.attachment();
        if (listener != null) {
            final int ready = key.readyOps();
            listener.onReady(
                    (ready & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT)) != 0,
                    (ready & SelectionKey.OP_WRITE) != 0);
        }
    }

    @Override
    public void wakeup() {
        if (wakeupFlag.wake()) {
            selector.wakeup();
        }
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (final IOException ex) {
            throw new IllegalStateException("tcp: cannot close the selector", ex);
        }
    }
}
