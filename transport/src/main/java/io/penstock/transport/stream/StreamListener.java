package io.penstock.transport.stream;

import io.penstock.transport.ReadyListener;
import java.io.IOException;

/** An endpoint that is listened on. Owned by the agent of its transport. */
final class StreamListener implements ReadyListener {
    private final StreamTransport transport;
    private final StreamEndpoint endpoint;
    private final ListenSocket socket;
    private boolean isReady;
    private boolean isPaused;
    private long resumeTimeNs;

    StreamListener(final StreamTransport transport, final StreamEndpoint endpoint, final ListenSocket socket) {
        this.transport = transport;
        this.endpoint = endpoint;
        this.socket = socket;
        socket.listener(this);
    }

    @Override
    public void onReady(final boolean isReadable, final boolean isWritable) {
        isReady = true;
    }

    boolean isReady() {
        return isReady;
    }

    boolean isPaused() {
        return isPaused;
    }

    /** Accepts up to a number of connections. Returns the work done. */
    int accept(final int limit) {
        int acceptCount = 0;
        try {
            while (isReady && acceptCount < limit) {
                final StreamSocket accepted = socket.accept();
                if (accepted == null) {
                    isReady = false;
                } else {
                    transport.onAccept(accepted, endpoint);
                    acceptCount++;
                }
            }
        } catch (final IOException ex) {
            isReady = false;
            transport.onAcceptError(this, SocketErrors.cannot("accept", endpoint, ex));
        }
        return acceptCount;
    }

    /** Accepts nothing until then: out of files, say, the next attempt would fail as well, at once. */
    void pauseUntil(final long timeNs) {
        resumeTimeNs = timeNs;
        isPaused = true;
        socket.interest(false);
    }

    void resumeWhenDue(final long nowNs) {
        if (nowNs - resumeTimeNs >= 0) {
            isPaused = false;
            socket.interest(true);
        }
    }

    void close() {
        socket.close();
    }
}
