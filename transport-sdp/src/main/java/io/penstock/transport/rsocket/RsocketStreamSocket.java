package io.penstock.transport.rsocket;

import io.penstock.transport.ReadyListener;
import io.penstock.transport.stream.Chunk;
import io.penstock.transport.stream.StreamSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A connected socket. The library copies all data to and from memory that it has registered. */
final class RsocketStreamSocket extends PollTable.Entry implements StreamSocket {
    private final RsocketLoop loop;
    private @Nullable ReadyListener listener;
    private boolean isConnecting;
    private boolean isAttemptOver;
    private boolean isClosed;

    RsocketStreamSocket(final RsocketLoop loop, final int fd, final boolean isConnecting) {
        super(fd);
        this.loop = loop;
        this.isConnecting = isConnecting;
        loop.table().add(this);
        interest(false, isConnecting);
    }

    @Override
    public void listener(final ReadyListener value) {
        listener = value;
    }

    @Override
    public boolean finishConnect() throws IOException {
        if (isConnecting && isAttemptOver) {
            loop.calls().checkConnected(descriptor());
            isConnecting = false;
        }
        return !isConnecting;
    }

    @Override
    public InetSocketAddress remoteAddress() throws IOException {
        return loop.calls().name(descriptor(), true);
    }

    @Override
    public InetSocketAddress localAddress() throws IOException {
        return loop.calls().name(descriptor(), false);
    }

    /** The descriptor of the library, not of the kernel. */
    @Override
    public int descriptor() {
        return super.descriptor();
    }

    @Override
    public int read(final Chunk chunk, final int offset, final int length) throws IOException {
        final int received = loop.calls().receive(descriptor(), chunk.address() + offset, length);
        if (received == 0) {
            return END_OF_STREAM;
        }
        return Math.max(0, received);
    }

    @Override
    public int write(final Chunk chunk, final int offset, final int length) throws IOException {
        return loop.calls().send(descriptor(), chunk.address() + offset, length);
    }

    @Override
    public void interest(final boolean isReading, final boolean isWriting) {
        loop.table().events(this, (isReading ? PollTable.READABLE : 0) | (isWriting ? PollTable.WRITABLE : 0));
    }

    /** Errors and hang-ups come unasked, and count as readable: the read shows which it is. */
    @Override
    void onReady(final int ready) {
        isAttemptOver = true;
        if (listener != null) {
            listener.onReady((ready & ~PollTable.WRITABLE) != 0, (ready & PollTable.WRITABLE) != 0);
        }
    }

    @Override
    public void deregister() {
        loop.table().remove(this);
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            deregister();
            loop.calls().close(descriptor());
        }
    }
}
