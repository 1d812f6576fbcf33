package io.penstock.transport.stream.tls;

import io.penstock.transport.ReadyListener;
import io.penstock.transport.stream.ListenSocket;
import io.penstock.transport.stream.StreamSocket;
import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A listening socket that gives peers out when their handshake is done. */
final class TlsListenSocket implements ListenSocket, ReadyListener {
    /** Peers whose handshakes begin for one that is given out: others are served meanwhile. */
    private static final int ACCEPT_LIMIT = 8;

    private final TlsSocketLoop loop;
    private final ListenSocket medium;
    private final ArrayDeque<TlsStreamSocket> done = new ArrayDeque<>();
    private @Nullable ReadyListener listener;
    private boolean isAccepting = true;
    private boolean isFull;
    private boolean isClosed;

    TlsListenSocket(final TlsSocketLoop loop, final ListenSocket medium) {
        this.loop = loop;
        this.medium = medium;
        medium.listener(this);
    }

    @Override
    public void listener(final ReadyListener value) {
        listener = value;
    }

    @Override
    public int port() throws IOException {
        return medium.port();
    }

    @Override
    public void onReady(final boolean isReadable, final boolean isWritable) {
        notifyListener();
    }

    private void notifyListener() {
        if (listener != null) {
            listener.onReady(true, false);
        }
    }

    @Override
    public @Nullable StreamSocket accept() throws IOException {
        final StreamSocket first = done.pollFirst();
        if (first != null) {
            return first;
        }
        for (int i = 0; i < ACCEPT_LIMIT && !loop.isFull(); i++) {
            final StreamSocket accepted = medium.accept();
            if (accepted == null) {
                return done.pollFirst();
            }
            TlsStreamSocket.accepted(loop, accepted, this);
        }
        if (loop.isFull() && !isFull) {
            isFull = true;
            medium.interest(false);
            loop.onWaiting(this);
        }
        return done.pollFirst();
    }

    /** A handshake is done. */
    void onDone(final TlsStreamSocket socket) {
        if (isClosed) {
            socket.close();
        } else {
            done.addLast(socket);
            notifyListener();
        }
    }

    /** A handshake is over, so that another peer can be accepted. */
    void onRoom() {
        if (isFull && !isClosed) {
            isFull = false;
            medium.interest(isAccepting);
        }
    }

    @Override
    public void interest(final boolean value) {
        isAccepting = value;
        medium.interest(value && !isFull);
    }

    @Override
    public void close() {
        isClosed = true;
        medium.close();
        done.forEach(TlsStreamSocket::close);
        done.clear();
    }
}
