package io.penstock.jmh.session;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Holds connections on which it never sends anything, and opens others for those that are closed. */
final class SilentHolder {
    private static final long WAIT_MS = 50;

    /** As many as would be closed in that time if 16,000 had five seconds to log on. */
    private static final int OPEN_LIMIT = 160;

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
        }
        System.out.println(count + " silent connections");
        while (!isOver.get()) {
            holder.look();
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

    /** Waits a little, and opens others for some of those that were closed. */
    private void look() throws IOException {
        selector.select(WAIT_MS);
        final SelectionKey[] ready = selector.selectedKeys().toArray(new SelectionKey[0]);
        selector.selectedKeys().clear();
        for (int i = 0; i < ready.length && i < OPEN_LIMIT; i++) {
            if (isClosed((SocketChannel) ready[i].channel())) {
                ready[i].channel().close();
                selector.selectNow();
                open();
            }
        }
        if (ready.length > 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(WAIT_MS));
        }
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
