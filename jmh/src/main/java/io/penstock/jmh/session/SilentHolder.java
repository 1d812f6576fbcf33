package io.penstock.jmh.session;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicBoolean;

/** Holds connections on which it never sends anything, and opens others for those that are closed. */
final class SilentHolder {
    private static final long WAIT_MS = 50;

    private final InetSocketAddress broker;
    private final Selector selector = Selector.open();
    private final ByteBuffer ignored = ByteBuffer.allocate(4096);
    private long openedCount;

    private SilentHolder(final InetSocketAddress broker) throws IOException {
        this.broker = broker;
    }

    /**
     * Holds them until the input ends.
     *
     * @param args host and port of the broker, and the number of connections.
     * @throws IOException when a connection is refused.
     */
    public static void main(final String[] args) throws IOException {
        final SilentHolder holder = new SilentHolder(new InetSocketAddress(args[0], Integer.parseInt(args[1])));
        final int count = Integer.parseInt(args[2]);
        final AtomicBoolean isOver = new AtomicBoolean();
        final Thread input = new Thread(() -> {
            try {
                isOver.set(System.in.read() < 0);
            } catch (final IOException e) {
                isOver.set(true);
            }
        });
        input.setDaemon(true);
        input.start();
        for (int i = 0; i < count && !isOver.get(); i++) {
            holder.open();
            holder.look(0);
        }
        System.out.println(count + " silent connections");
        while (!isOver.get()) {
            holder.look(WAIT_MS);
        }
        System.out.println(holder.openedCount + " connections were opened");
        System.exit(0);
    }

    private void open() throws IOException {
        final SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.connect(broker);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
        openedCount++;
    }

    private void look(final long waitMs) throws IOException {
        if (waitMs > 0) {
            selector.select(waitMs);
        } else {
            selector.selectNow();
        }
        for (final SelectionKey key : selector.selectedKeys().toArray(new SelectionKey[0])) {
            if (isClosed((SocketChannel) key.channel())) {
                key.channel().close();
                selector.selectNow();
                open();
            }
        }
        selector.selectedKeys().clear();
    }

    private boolean isClosed(final SocketChannel channel) {
        try {
            ignored.clear();
            return channel.read(ignored) < 0;
        } catch (final IOException e) {
            return true;
        }
    }
}
