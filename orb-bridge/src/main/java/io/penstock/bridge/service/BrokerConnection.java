package io.penstock.bridge.service;

import io.penstock.client.PenstockClient;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Credentials;
import io.penstock.protocol.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The native client of one session. The guests' is made anew when the broker has closed it. Safe on any thread. */
final class BrokerConnection {
    private final BridgeService service;
    private final Credentials credentials;
    private final boolean isGuest;
    private final boolean isProved;
    private volatile boolean isClosed;
    private volatile @Nullable PenstockClient client;
    private @Nullable CompletableFuture<PenstockClient> connecting;

    BrokerConnection(
            final BridgeService service,
            final Credentials credentials,
            final boolean isGuest,
            final boolean isProved) {
        this.service = service;
        this.credentials = credentials;
        this.isGuest = isGuest;
        this.isProved = isProved;
    }

    /** The client, which is made anew when it was closed by the broker. */
    PenstockClient client() throws BrokerException {
        return client(System.nanoTime()
                + TimeUnit.MILLISECONDS.toNanos(service.config().callTimeoutMs()));
    }

    /** Likewise, in the time that is left. */
    PenstockClient client(final long deadlineNs) throws BrokerException {
        final PenstockClient known = clientOrNull();
        return known == null ? connectAnew(deadlineNs) : known;
    }

    /** The client that is connected; null when it is to be made anew. */
    @Nullable
    PenstockClient clientOrNull() {
        final PenstockClient known = client;
        return known == null || known.isClosed() ? null : known;
    }

    /** The first caller connects, in the time that any answer may take; others wait for it. */
    private PenstockClient connectAnew(final long deadlineNs) throws BrokerException {
        final CompletableFuture<PenstockClient> shared;
        final boolean isFirst;
        synchronized (this) {
            final PenstockClient known = client;
            if (known != null && !known.isClosed()) {
                return known;
            }
            if (isClosed || (known != null && !isGuest)) {
                throw hasEnded();
            }
            final CompletableFuture<PenstockClient> other = connecting;
            isFirst = other == null;
            shared = other == null ? new CompletableFuture<>() : other;
            connecting = shared;
        }
        if (isFirst) {
            connect(shared);
        }
        return Publisher.await(shared, deadlineNs);
    }

    private void connect(final CompletableFuture<PenstockClient> shared) {
        try {
            final PenstockClient made = service.access().connect(service.config(), credentials, isProved);
            synchronized (this) {
                client = made;
                connecting = null;
            }
            if (isClosed) {
                made.close();
            }
            shared.complete(made);
        } catch (final Throwable e) {
            synchronized (this) {
                connecting = null;
            }
            shared.completeExceptionally(e);
        }
    }

    static BrokerException hasEnded() {
        return Refusals.of(ErrorCode.NOT_LOGGED_ON, "session: has ended (log on again)");
    }

    /** Ends it; nobody connects any more. */
    void close() {
        isClosed = true;
        final PenstockClient known;
        synchronized (this) {
            known = client;
        }
        if (known != null) {
            known.close();
        }
    }
}
