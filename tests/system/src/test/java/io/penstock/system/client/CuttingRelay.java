package io.penstock.system.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Lies between a client and a broker, and hands each frame on in two pieces: the second one when the other side has had
 * time to read the first alone. Driven by the test's thread.
 */
final class CuttingRelay implements AutoCloseable {
    private static final int PREFIX_LENGTH = Integer.BYTES;

    /** Turns between the pieces. */
    private static final int PAUSE_COUNT = 2;

    private final ServerSocketChannel door;
    private final URI broker;
    private @Nullable Direction toBroker;
    private @Nullable Direction toClient;

    /** The length of the first piece, the frame's prefix included; 0 leaves frames whole. */
    int cut;

    CuttingRelay(final URI broker) throws IOException {
        this.broker = broker;
        door = ServerSocketChannel.open();
        door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        door.configureBlocking(false);
    }

    URI endpoint() throws IOException {
        return URI.create("tcp://127.0.0.1:" + ((InetSocketAddress) door.getLocalAddress()).getPort());
    }

    void pump() throws IOException {
        final SocketChannel client = door.accept();
        if (client != null) {
            final SocketChannel server = SocketChannel.open(new InetSocketAddress(broker.getHost(), broker.getPort()));
            toBroker = new Direction(client, server);
            toClient = new Direction(server, client);
        }
        if (toBroker != null && toClient != null) {
            toBroker.pump(cut);
            toClient.pump(cut);
        }
    }

    void forgetLongest() {
        if (toBroker != null && toClient != null) {
            toBroker.longest = 0;
            toClient.longest = 0;
        }
    }

    /** Of the longest frame that the client has sent so far. */
    int longestCommand() {
        return toBroker == null ? 0 : toBroker.longest;
    }

    /** Of the longest frame that the broker has sent so far. */
    int longestAnswer() {
        return toClient == null ? 0 : toClient.longest;
    }

    @Override
    public void close() throws IOException {
        door.close();
        if (toBroker != null && toClient != null) {
            toBroker.from.close();
            toClient.from.close();
        }
    }

    private static final class Direction {
        private final SocketChannel from;
        private final SocketChannel to;
        private final ByteBuffer bytes = ByteBuffer.allocate(512 * 1024).order(ByteOrder.LITTLE_ENDIAN);
        private int frameRemaining;
        private int pieceRemaining;
        private int pause;
        private int longest;

        Direction(final SocketChannel from, final SocketChannel to) throws IOException {
            this.from = from;
            this.to = to;
            from.configureBlocking(false);
            to.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }

        private void pump(final int cut) throws IOException {
            final int unused = from.read(bytes);
            bytes.flip();
            if (pause > 0) {
                pause--;
            } else if (frameRemaining == 0 && bytes.remaining() >= PREFIX_LENGTH) {
                final int length = bytes.getInt(bytes.position());
                longest = Math.max(longest, length);
                frameRemaining = PREFIX_LENGTH + length;
                pieceRemaining = cut == 0 ? frameRemaining : Math.min(cut, frameRemaining);
            } else if (pieceRemaining == 0) {
                pieceRemaining = frameRemaining;
            }
            final int length = Math.min(pieceRemaining, bytes.remaining());
            if (length > 0) {
                final int sent = to.write(bytes.slice(bytes.position(), length));
                bytes.position(bytes.position() + sent);
                pieceRemaining -= sent;
                frameRemaining -= sent;
                pause = pieceRemaining == 0 ? PAUSE_COUNT : 0;
            }
            bytes.compact();
        }
    }
}
