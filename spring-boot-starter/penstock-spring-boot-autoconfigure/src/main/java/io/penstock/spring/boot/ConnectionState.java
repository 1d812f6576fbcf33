package io.penstock.spring.boot;

import io.penstock.client.ConnectionException;
import io.penstock.client.ConnectionListener;
import io.penstock.client.Disconnect;
import io.penstock.client.PenstockException;
import io.penstock.protocol.ErrorCode;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What has become of the client's connection. The client's thread writes it, and passes each notice on to the beans of the
 * application that are {@link ConnectionListener}s; any thread reads it.
 */
public final class ConnectionState {
    private static final Log LOG = LogFactory.getLog(ConnectionState.class);

    private final List<ConnectionListener> listeners;
    private final NameRetreat retreat;
    private final AtomicLong connectionCount = new AtomicLong();
    private final AtomicLong lossCount = new AtomicLong();
    private final AtomicLong failedAttemptCount = new AtomicLong();
    private final AtomicLong replacedCount = new AtomicLong();
    private final AtomicLong heldPublishCount = new AtomicLong();
    private volatile Runnable endAction = () -> {};
    private volatile boolean isConnected;
    private volatile @Nullable URI server;
    private volatile String reason = "not connected yet";

    ConnectionState(final List<ConnectionListener> listeners, final NameRetreat retreat) {
        this.listeners = List.copyOf(listeners);
        this.retreat = retreat;
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

    /**
     * How often another program of the same name has taken the connection.
     *
     * @return since the start.
     */
    public long replacedCount() {
        return replacedCount.get();
    }

    private static String replaced(final String refusal) {
        return "another program with the same name is connected, and has taken the connection of this one: " + refusal
                + " (give each program a " + PenstockProperties.PREFIX + ".name of its own)";
    }

    /** How long to leave the name to the program that has taken it, in nanoseconds. */
    long retreatNs() {
        return retreat.leftNs(System.nanoTime());
    }

    /**
     * Lets nobody connect while another program has the name.
     *
     * @throws ConnectionException with the remedy.
     */
    void checkName() {
        final long leftNs = retreatNs();
        if (leftNs > 0) {
            throw new ConnectionException(
                    ErrorCode.REPLACED,
                    reason + "; the next attempt is in " + TimeUnit.NANOSECONDS.toMillis(leftNs) + " ms");
        }
    }

    /** Called on the client's thread. */
    private final class Notices implements ConnectionListener {
        @Override
        public void onConnected(final URI newServer, final int attempt) {
            retreat.onConnected(System.nanoTime());
            server = newServer;
            reason = "";
            isConnected = true;
            connectionCount.incrementAndGet();
            if (attempt > 0) {
                LOG.info("penstock: connected again to " + newServer);
            }
            tell(listener -> listener.onConnected(newServer, attempt));
        }

        @Override
        public void onDisconnected(final Disconnect disconnect) {
            if (isConnected) {
                lossCount.incrementAndGet();
                if (disconnect.errorCode() != ErrorCode.REPLACED) {
                    LOG.warn("penstock: the connection to " + server + " is lost: " + disconnect.reason());
                }
            } else {
                failedAttemptCount.incrementAndGet();
            }
            isConnected = false;
            reason = disconnect.errorCode() == ErrorCode.REPLACED ? replaced(disconnect.reason()) : disconnect.reason();
            tell(listener -> listener.onDisconnected(disconnect));
        }

        @Override
        public void onReconnecting(final URI newServer, final int attempt, final long delayNs) {
            tell(listener -> listener.onReconnecting(newServer, attempt, delayNs));
        }

        @Override
        public void onGaveUp(final ConnectionException last) {
            if (last.errorCode() == ErrorCode.REPLACED) {
                onReplaced(String.valueOf(last.getMessage()));
            } else {
                reason = "gave up: " + last.getMessage();
            }
            tell(listener -> listener.onGaveUp(last));
            endAction.run();
        }

        @Override
        public void onPublishHeld(final PenstockException refusal) {
            heldPublishCount.incrementAndGet();
            tell(listener -> listener.onPublishHeld(refusal));
        }

        private void onReplaced(final String refusal) {
            retreat.onReplaced(System.nanoTime());
            replacedCount.incrementAndGet();
            reason = replaced(refusal);
            if (retreat.isFirst()) {
                LOG.warn("penstock: " + reason);
            }
        }

        private void tell(final Consumer<ConnectionListener> notice) {
            listeners.forEach(notice);
        }
    }
}
