package io.penstock.transport.rsocket;

import io.penstock.transport.ReadyListener;
import io.penstock.transport.stream.ListenSocket;
import io.penstock.transport.stream.StreamSocket;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A listening socket. */
final class RsocketListenSocket extends PollTable.Entry implements ListenSocket {
    private final RsocketLoop loop;
    private @Nullable ReadyListener listener;

    RsocketListenSocket(final RsocketLoop loop, final int fd) {
        super(fd);
        this.loop = loop;
        loop.table().add(this);
        interest(true);
    }

    @Override
    public void listener(final ReadyListener value) {
        listener = value;
    }

    @Override
    public int port() throws IOException {
        return loop.calls().name(descriptor(), false).getPort();
    }

    @Override
    public @Nullable StreamSocket accept() throws IOException {
        final int fd = loop.calls().accept(descriptor());
        return fd < 0 ? null : new RsocketStreamSocket(loop, fd, false);
    }

    @Override
    public void interest(final boolean isAccepting) {
        loop.table().events(this, isAccepting ? PollTable.READABLE : 0);
    }

    @Override
    void onReady(final int ready) {
        if (listener != null) {
            listener.onReady(true, false);
        }
    }

    @Override
    public void close() {
        loop.table().remove(this);
        loop.calls().close(descriptor());
    }
}
