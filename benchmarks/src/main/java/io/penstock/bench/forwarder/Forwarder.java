package io.penstock.bench.forwarder;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * The least that a broker does, as a limit to compare with: one thread, a selector, one copy of each message into a
 * window, and large writes out of it. It has one topic, no sequence, no acknowledgements, and believes its clients.
 *
 * <p>Both ways a frame is its length, 32 bits, little endian, and then the message. A client subscribes with a frame of
 * length 0, and gets one back.
 */
public final class Forwarder implements AutoCloseable {
    private final Selector selector;
    private final ServerSocketChannel server;
    private final Window window = new Window();
    private final List<Client> subscribers = new ArrayList<>();
    private final List<Client> halted = new ArrayList<>();
    private final int messageLengthMax;

    private Forwarder(final int port, final int messageLengthMax) throws IOException {
        this.messageLengthMax = messageLengthMax;
        selector = Selector.open();
        server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
    }

    /**
     * Forwards until the process is ended.
     *
     * @param args the port of the loopback interface, and the length of the longest message in bytes.
     * @throws IOException when the port cannot be listened on.
     */
    public static void main(final String[] args) throws IOException {
        try (Forwarder forwarder = new Forwarder(Integer.parseInt(args[0]), Integer.parseInt(args[1]))) {
            while (true) {
                forwarder.work();
            }
        }
    }

    private void work() throws IOException {
        selector.select(this::serve);
        long slowest = window.end();
        for (int i = subscribers.size() - 1; i >= 0; i--) {
            final Client subscriber = subscribers.get(i);
            try {
                subscriber.send();
                slowest = Math.min(slowest, subscriber.position());
            } catch (final IOException e) {
                leave(subscriber.key());
            }
        }
        window.release(slowest);
        if (!halted.isEmpty() && hasRoom()) {
            halted.forEach(client -> client.setReading(true));
            halted.clear();
        }
    }

    private boolean hasRoom() {
        return window.hasRoom(Client.roomNeeded(messageLengthMax));
    }

    private void serve(final SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept();
            } else {
                serve((Client) key.attachment());
            }
        } catch (final IOException e) {
            leave(key);
        }
    }

    private void accept() throws IOException {
        final SocketChannel channel = server.accept();
        if (channel != null) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            final SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            key.attach(new Client(key, window, messageLengthMax));
        }
    }

    private void serve(final Client client) throws IOException {
        if (client.key().isWritable()) {
            client.onWritable();
        }
        if (!client.key().isReadable()) {
            return;
        }
        if (!hasRoom()) {
            client.setReading(false);
            halted.add(client);
            return;
        }
        client.receive();
        if (client.isSubscribed() && !subscribers.contains(client)) {
            subscribers.add(client);
        }
    }

    private void leave(final SelectionKey key) {
        final Client client = (Client) key.attachment();
        subscribers.remove(client);
        halted.remove(client);
        key.cancel();
        try {
            key.channel().close();
        } catch (final IOException e) {
            // It is gone all the same.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        selector.close();
    }
}
