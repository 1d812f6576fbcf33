package io.penstock.transport.ipc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * What a peer sends on the socket before its first bell: its identity, and, when its file is whole, one more byte. The
 * file's number comes first, so that the listener can remove the file of a peer that dies while it makes it.
 */
final class Hello {
    private static final long MAGIC = 0x50454E4950430001L;
    private static final int NAMED_LENGTH = 2 * Long.BYTES;
    private static final int LENGTH = NAMED_LENGTH + 1;

    private final ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
    private boolean isEnded;

    /** Before the file is made. */
    static void sendName(final SocketChannel channel, final long id) throws IOException {
        send(
                channel,
                ByteBuffer.allocate(NAMED_LENGTH).putLong(MAGIC).putLong(id).flip());
    }

    /** When the file is whole. */
    static void sendWhole(final SocketChannel channel) throws IOException {
        send(channel, ByteBuffer.allocate(1));
    }

    private static void send(final SocketChannel channel, final ByteBuffer message) throws IOException {
        channel.write(message);
        if (message.hasRemaining()) {
            throw new IOException("the listener's socket takes no bytes (try again later)");
        }
    }

    /** Reads what there is. */
    void read(final SocketChannel channel) {
        try {
            while (bytes.hasRemaining() && !isEnded) {
                final int length = channel.read(bytes);
                if (length == 0) {
                    return;
                }
                isEnded = length < 0;
            }
        } catch (final IOException ignored) {
            isEnded = true;
        }
    }

    boolean isWhole() {
        return !bytes.hasRemaining() && isOurs();
    }

    /** Whether nothing more comes of it. */
    boolean isFailed() {
        return !isWhole() && (isEnded || (bytes.position() >= Long.BYTES && !isOurs()));
    }

    private boolean isOurs() {
        return bytes.getLong(0) == MAGIC;
    }

    /** Whether the file's number has been read. */
    boolean isNamed() {
        return bytes.position() >= NAMED_LENGTH && isOurs();
    }

    /** The number of the file; there when it is named. */
    long id() {
        return bytes.getLong(Long.BYTES);
    }
}
