package io.penstock.transport.stream;

import io.penstock.transport.ReadyListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.agrona.DirectBuffer;

/** A socket whose kernel takes and gives as much as a test says. */
final class FakeSocket implements StreamSocket {
    final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    final boolean canGather;

    /** Bytes that are taken before it is full. */
    int room = Integer.MAX_VALUE;

    /** Bytes that are still to be read. */
    byte[] incoming = {};

    int incomingOffset;
    boolean isAtEnd;
    boolean isConnected = true;
    boolean isBroken;

    /** The peer takes nothing any more, and what it sent before is still there. */
    boolean isBrokenPipe;

    boolean isClosed;
    boolean isReading;
    boolean isWriting;
    boolean isDeregistered;
    int longestWrite;

    FakeSocket(final boolean canGather) {
        this.canGather = canGather;
    }

    @Override
    public void listener(final ReadyListener listener) {}

    @Override
    public boolean finishConnect() {
        return isConnected;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    }

    @Override
    public InetSocketAddress localAddress() {
        return remoteAddress();
    }

    @Override
    public int descriptor() {
        return -1;
    }

    @Override
    public int read(final Chunk chunk, final int offset, final int length) throws IOException {
        checkUsable();
        final int count = Math.min(length, incoming.length - incomingOffset);
        if (count == 0 && isAtEnd) {
            return END_OF_STREAM;
        }
        chunk.buffer().putBytes(offset, incoming, incomingOffset, count);
        incomingOffset += count;
        return count;
    }

    @Override
    public int write(final Chunk chunk, final int offset, final int length) throws IOException {
        checkUsable();
        if (isBrokenPipe) {
            throw new IOException("Broken pipe");
        }
        longestWrite = Math.max(longestWrite, length);
        return take(chunk.buffer(), offset, length);
    }

    @Override
    public boolean canGather(final DirectBuffer body) {
        return canGather;
    }

    @Override
    public int write(
            final Chunk chunk,
            final int offset,
            final int length,
            final DirectBuffer body,
            final int bodyOffset,
            final int bodyLength)
            throws IOException {
        checkUsable();
        return take(chunk.buffer(), offset, length) + take(body, bodyOffset, bodyLength);
    }

    private int take(final DirectBuffer buffer, final int offset, final int length) {
        final int count = Math.min(room, length);
        final byte[] bytes = new byte[count];
        buffer.getBytes(offset, bytes);
        taken.writeBytes(bytes);
        room -= count;
        return count;
    }

    private void checkUsable() throws IOException {
        if (isBroken) {
            throw new IOException("Connection reset by peer");
        }
        if (isClosed) {
            throw new AssertionError("used after close");
        }
    }

    @Override
    public void interest(final boolean reading, final boolean writing) {
        isReading = reading;
        isWriting = writing;
    }

    @Override
    public void deregister() {
        isDeregistered = true;
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
