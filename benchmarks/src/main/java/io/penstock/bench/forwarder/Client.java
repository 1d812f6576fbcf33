package io.penstock.bench.forwarder;

import static org.agrona.BitUtil.SIZE_OF_INT;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One connection: reads large pieces, and copies each whole frame of them into the window; once it has subscribed,
 * writes all that others bring into the window from then on.
 */
final class Client {
    private static final int READ_LENGTH = 64 * 1024;
    private static final int WRITE_LENGTH = 64 * 1024;

    private final SelectionKey key;
    private final SocketChannel channel;
    private final Window window;
    private final ByteBuffer in;
    private final UnsafeBuffer inView;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(SIZE_OF_INT);
    private long position;
    private boolean isSubscribed;
    private boolean isBlocked;

    Client(final SelectionKey key, final Window window, final int messageLengthMax) {
        this.key = key;
        this.window = window;
        channel = (SocketChannel) key.channel();
        in = ByteBuffer.allocateDirect(roomNeeded(messageLengthMax));
        inView = new UnsafeBuffer(in);
    }

    /** The most that one call of {@link #receive()} appends to the window, in bytes. */
    static int roomNeeded(final int messageLengthMax) {
        return Math.max(READ_LENGTH, SIZE_OF_INT + messageLengthMax);
    }

    SelectionKey key() {
        return key;
    }

    boolean isSubscribed() {
        return isSubscribed;
    }

    /** Up to where it was sent the window. */
    long position() {
        return position;
    }

    /** Reads once. */
    void receive() throws IOException {
        if (channel.read(in) < 0) {
            throw new IOException("the client has closed its end");
        }
        final int end = in.position();
        int offset = 0;
        while (end - offset >= SIZE_OF_INT) {
            final int frameLength = SIZE_OF_INT + inView.getInt(offset, ByteOrder.LITTLE_ENDIAN);
            if (frameLength < SIZE_OF_INT || frameLength > in.capacity()) {
                throw new IOException("a frame of " + frameLength + " bytes");
            } else if (frameLength > end - offset) {
                break;
            } else if (frameLength == SIZE_OF_INT) {
                isSubscribed = true;
                position = window.end();
            } else {
                window.append(inView, offset, frameLength);
            }
            offset += frameLength;
        }
        in.flip().position(offset);
        in.compact();
    }

    /** The socket takes bytes again. */
    void onWritable() {
        setBlocked(false);
    }

    /** Sends what there is, as far as the socket takes it. */
    void send() throws IOException {
        if (isBlocked) {
            return;
        }
        if (answer.hasRemaining()) {
            channel.write(answer);
            if (answer.hasRemaining()) {
                setBlocked(true);
                return;
            }
        }
        while (position < window.end()) {
            final ByteBuffer slice = window.slice(position, WRITE_LENGTH);
            position += channel.write(slice);
            if (slice.hasRemaining()) {
                setBlocked(true);
                return;
            }
        }
    }

    /** Whether it is to be read. */
    void setReading(final boolean isReading) {
        setInterest(SelectionKey.OP_READ, isReading);
    }

    private void setBlocked(final boolean blocked) {
        isBlocked = blocked;
        setInterest(SelectionKey.OP_WRITE, blocked);
    }

    private void setInterest(final int operation, final boolean isWanted) {
        key.interestOps(isWanted ? key.interestOps() | operation : key.interestOps() & ~operation);
    }
}
