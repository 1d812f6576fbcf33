package io.penstock.spring.boot;

import io.penstock.client.ConnectionException;
import io.penstock.client.ConnectionListener;
import io.penstock.client.Disconnect;
import io.penstock.client.PenstockException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What has become of the client's connection. The client's thread writes it, and passes each notice on to the beans of the
 * application that are {@link ConnectionListener}s; any thread reads it.
 */
public final class ConnectionState {
    private final List<ConnectionListener> listeners;
    private final AtomicLong connectionCount = new AtomicLong();
    private final AtomicLong lossCount = new AtomicLong();
    private final AtomicLong failedAttemptCount = new AtomicLong();
    private final AtomicLong heldPublishCount = new AtomicLong();
    private volatile Runnable endAction = () -> {};
    private volatile boolean isConnected;
    private volatile @Nullable URI server;
    private volatile String reason = "not connected yet";

    ConnectionState(final List<ConnectionListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    /** Has something done when a client has ended for good. */
    void onEnd(final Runnable action) {
        endAction = action;
    }

    /** There was no connection to begin with, and the next attempt comes later. */
    void onAttemptFailed(final ConnectionException failure) {
        failedAttemptCount.incrementAndGet();
        reason = String.valueOf(failure.getMessage());
    }

    /** What the client notifies. */
    ConnectionListener listener() {
        return new Notices();
    }

    /**
     * The server that the client was connected to last.
     *
     * @return null before the first connection.
     */
    public @Nullable URI server() {
        return server;
    }

    /**
     * Why there is no connection.
     *
     * @return for people; empty while there is one.
     */
    public String reason() {
        return reason;
    }

    /**
     * How often the client has logged on.
     *
     * @return since the start.
     */
    public long connectionCount() {
        return connectionCount.get();
    }

    /**
     * How often a connection was lost.
     *
     * @return since the start.
     */
    public long lossCount() {
        return lossCount.get();
    }

    /**
     * How many attempts to connect have failed.
     *
     * @return since the start.
     */
    public long failedAttemptCount() {
        return failedAttemptCount.get();
    }

    /**
     * How often the broker could not take messages of the publish store.
     *
     * @return since the start.
     */
    public long heldPublishCount() {
        return heldPublishCount.get();
    }

    /** Called on the client's thread. */
    private final class Notices implements ConnectionListener {
        @Override
        public void onConnected(final URI newServer, final int attempt) {
            server = newServer;
            reason = "";
            isConnected = true;
            connectionCount.incrementAndGet();
            tell(listener -> listener.onConnected(newServer, attempt));
        }

        @Override
        public void onDisconnected(final Disconnect disconnect) {
            if (isConnected) {
                lossCount.incrementAndGet();
            } else {
                failedAttemptCount.incrementAndGet();
            }
            isConnected = false;
            reason = disconnect.reason();
            tell(listener -> listener.onDisconnected(disconnect));
        }

        @Override
        public void onReconnecting(final URI newServer, final int attempt, final long delayNs) {
            tell(listener -> listener.onReconnecting(newServer, attempt, delayNs));
        }

        @Override
        public void onGaveUp(final ConnectionException last) {
            reason = "gave up: " + last.getMessage();
            tell(listener -> listener.onGaveUp(last));
            endAction.run();
        }

        @Override
        public void onPublishHeld(final PenstockException refusal) {
            heldPublishCount.incrementAndGet();
            tell(listener -> listener.onPublishHeld(refusal));
        }

        private void tell(final Consumer<ConnectionListener> notice) {
            listeners.forEach(notice);
        }
    }
}
