package io.penstock.bench.embedded;

import io.penstock.client.AckType;
import io.penstock.client.BrokerError;
import io.penstock.client.SessionListener;
import io.penstock.protocol.ErrorCode;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Notes that a session is on, and the first reason for which it has failed. Takes all that comes, and looks at none of it. Owned by
 * the session's thread; any thread may ask for the failure.
 */
public abstract class NotedListener implements SessionListener {
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private boolean isLoggedOn;

    /** Nothing has happened. */
    protected NotedListener() {}

    /** Whether the broker has accepted the logon. */
    protected final boolean isLoggedOn() {
        return isLoggedOn;
    }

    /** Why the session has failed; null when it has not. */
    public final @Nullable String failure() {
        return failure.get();
    }

    /**
     * The session has failed; a second reason says nothing new.
     *
     * @param reason for people.
     */
    protected final void fail(final String reason) {
        failure.compareAndSet(null, reason);
    }

    @Override
    public void onLogon() {
        isLoggedOn = true;
    }

    @Override
    public boolean onMessage(
            final long subscriptionId,
            final String topic,
            final int shard,
            final long sequence,
            final long timestampNs,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        return true;
    }

    @Override
    public void onAck(final AckType type, final long commandId, final long publisherSequence, final long returned) {}

    @Override
    public final void onError(final BrokerError error) {
        fail(error.toString());
    }

    @Override
    public final void onDisconnect(final String reason, final @Nullable ErrorCode errorCode) {
        fail(reason);
    }
}
