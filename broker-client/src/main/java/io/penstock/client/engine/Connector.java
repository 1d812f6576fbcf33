package io.penstock.client.engine;

import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionException;
import io.penstock.client.ConnectionListener;
import io.penstock.client.Disconnect;
import io.penstock.client.session.Session;
import io.penstock.client.warning.ClientLog;
import io.penstock.protocol.ErrorCode;
import java.net.URI;
import java.util.function.Consumer;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/** Makes a client's connections: the first one, and others in the place of one that is lost. Owned by the agent. */
final class Connector {
    private final ClientConfig config;
    private final Session session;
    private final Backoff backoff;
    private final NanoClock clock;

    /** Why there will be no other connection; null as long as there may be one. */
    private @Nullable ConnectionException end;

    private boolean hasLoggedOn;
    private boolean isToConnect;
    private int serverIndex;
    private int attempt;
    private long reconnectNs;
    private long lostNs;

    Connector(final ClientConfig config, final Session session, final Backoff backoff) {
        this.config = config;
        this.session = session;
        this.backoff = backoff;
        clock = config.nanoClock();
    }

    /** Makes the first connection, with the first server that takes it; the failure of the last one ends the client. */
    void connect() {
        isToConnect = false;
        ConnectionException former = null;
        while (true) {
            try {
                session.connect(server());
                return;
            } catch (final ConnectionException e) {
                if (former != null) {
                    e.addSuppressed(former);
                }
                former = e;
                if (++serverIndex == config.servers().size()) {
                    end = e;
                    return;
                }
            }
        }
    }

    private URI server() {
        return config.servers().get(serverIndex);
    }

    /** Whether the first connection is lost before the logon, and is to be made with the next server. */
    boolean isToConnect() {
        return isToConnect;
    }

    /** Why there will be no other connection; null as long as there may be one. */
    @Nullable
    ConnectionException end() {
        return end;
    }

    /** There will be no other connection. */
    void end(final ConnectionException reason) {
        end = reason;
    }

    /** Connects again if there is no connection and its time has come; returns the work done. */
    int reconnect() {
        if (!session.isDisconnected() || end != null || !hasLoggedOn || clock.nanoTime() - reconnectNs < 0) {
            return 0;
        }
        try {
            session.connect(server());
        } catch (final ConnectionException e) {
            onAttemptFailed(messageOf(e), null, 0);
        }
        return 1;
    }

    /** From now on until it connects again. */
    long delayNs() {
        return reconnectNs - clock.nanoTime();
    }

    /** Whether there was a connection before that was logged on. */
    boolean hasLoggedOn() {
        return hasLoggedOn;
    }

    /** The session is logged on; {@link #onConnected} must follow. Returns the number of the attempt. */
    int onLogon() {
        final int succeeded = attempt;
        attempt = 0;
        return succeeded;
    }

    /** Notifies a program that the client is connected again. */
    void reportReconnect(final int succeeded) {
        try {
            config.disconnectHandler().onReconnect(succeeded);
        } catch (final RuntimeException e) {
            ClientLog.onHandlerFailure(config.disconnectHandler(), e);
        }
    }

    /** All is on its way that a new connection begins with. */
    void onConnected(final int succeeded) {
        hasLoggedOn = true;
        report(listener -> listener.onConnected(session.server(), succeeded));
    }

    void onDisconnect(final ConnectionException lost, final int unacknowledgedCount, final boolean isClosing) {
        if (hasLoggedOn && !isClosing) {
            lostNs = attempt == 0 ? clock.nanoTime() : lostNs;
            onAttemptFailed(messageOf(lost), lost.errorCode(), unacknowledgedCount);
        } else if (!hasLoggedOn && serverIndex + 1 < config.servers().size()) {
            serverIndex++;
            isToConnect = true;
        } else {
            end = lost;
        }
    }

    private void onAttemptFailed(
            final String reason, final @Nullable ErrorCode errorCode, final int unacknowledgedCount) {
        final Disconnect disconnect = new Disconnect(reason, errorCode, attempt, unacknowledgedCount);
        report(listener -> listener.onDisconnected(disconnect));
        boolean isToReconnect = false;
        try {
            isToReconnect = config.disconnectHandler().onDisconnect(disconnect);
        } catch (final RuntimeException e) {
            ClientLog.onHandlerFailure(config.disconnectHandler(), e);
        }
        final long nowNs = clock.nanoTime();
        if (isToReconnect && nowNs - lostNs < config.reconnectTimeoutNs()) {
            final int serverCount = config.servers().size();
            serverIndex = (serverIndex + 1) % serverCount;
            attempt++;
            final long delayNs = backoff.delayNs((attempt - 1) / serverCount + 1);
            reconnectNs = nowNs + Math.min(delayNs, config.reconnectTimeoutNs() - (nowNs - lostNs));
            report(listener -> listener.onReconnecting(server(), attempt, reconnectNs - nowNs));
        } else {
            final ConnectionException last = new ConnectionException(errorCode, reason);
            end = last;
            report(listener -> listener.onGaveUp(last));
        }
    }

    /** Notifies a program of an event of the connection. */
    void report(final Consumer<ConnectionListener> event) {
        try {
            event.accept(config.connectionListener());
        } catch (final RuntimeException e) {
            ClientLog.onHandlerFailure(config.connectionListener(), e);
        }
    }

    private static String messageOf(final ConnectionException e) {
        final String message = e.getMessage();
        return message == null ? e.toString() : message;
    }
}
