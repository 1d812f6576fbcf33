package io.penstock.client;

import io.penstock.protocol.ErrorCode;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Owns a client's session: sends what threads have posted, hands out what comes, reconnects, closes. Driven by the one
 * thread that made it.
 */
final class ClientAgent implements SessionListener {
    private static final int COMMAND_LIMIT = 256;
    private static final long AWAIT_NS_MAX = 1_000_000_000L;

    private final ClientConfig config;
    private final ClientStatus status;
    private final NanoClock clock;
    private final Outbox outbox;
    private final Subscriptions subscriptions;
    private final Queries queries;
    private final InFlight inFlight;
    private final Backoff backoff;
    private final ClientSession session;
    private final Outbox.Reader commands;
    private final MessageView view = new MessageView(new UnsafeBuffer(0, 0));

    private @Nullable ConnectionException endReason;
    private @Nullable Request<?> lastFlush;
    private boolean hasLoggedOn;
    private boolean isClosing;
    private boolean isEnded;
    private int seenPostedCount;
    private int attempt;
    private long reconnectNs;
    private long closeDeadlineNs;

    ClientAgent(
            final ClientConfig config,
            final ClientStatus status,
            final Outbox outbox,
            final Subscriptions subscriptions,
            final Queries queries) {
        this.config = config;
        this.status = status;
        this.outbox = outbox;
        this.subscriptions = subscriptions;
        this.queries = queries;
        clock = config.nanoClock();
        inFlight = new InFlight(config.inFlightLimit(), outbox.pool()::release);
        backoff = new Backoff(
                config.reconnectDelayMinNs(),
                config.reconnectDelayMaxNs(),
                config.seed() == 0 ? clock.nanoTime() : config.seed());
        session = ClientSession.open(config, this);
        commands = new Outbox.Reader(outbox, session, inFlight);
        status.onStart(Thread.currentThread(), session::wakeup, this::sendPosted);
    }

    /** Makes the first connection, whose failure ends the client. */
    void connect() {
        try {
            session.connect();
        } catch (final ConnectionException e) {
            end(e);
        }
    }

    /** One duty cycle; returns the work done. */
    int doWork() {
        if (isEnded) {
            return 0;
        }
        seenPostedCount = status.postedCount();
        int workCount = status.isCloseRequested() ? close() : 0;
        if (session.state() == ClientSession.State.LOGGED_ON) {
            workCount += subscriptions.send(session, inFlight) + sendPosted();
        } else if (session.state() == ClientSession.State.DISCONNECTED && endReason == null) {
            workCount += reconnect();
        }
        workCount += session.poll();
        if (endReason != null) {
            end(endReason);
        }
        return workCount;
    }

    /** Sends what was posted, as far as the session takes it; what the agent has to say itself goes first. */
    int sendPosted() {
        final boolean isReady = session.state() == ClientSession.State.LOGGED_ON && subscriptions.isIdle();
        return isReady ? commands.poll(COMMAND_LIMIT) : 0;
    }

    /** Blocks until there may be work. */
    void await() {
        final long dueNs = isClosing ? closeDeadlineNs : reconnectNs;
        final boolean isTimed = isClosing || session.state() == ClientSession.State.DISCONNECTED;
        status.beginAwait();
        if (status.postedCount() == seenPostedCount && !(status.isCloseRequested() && !isClosing)) {
            session.await(isTimed ? Math.min(AWAIT_NS_MAX, dueNs - clock.nanoTime()) : AWAIT_NS_MAX);
        }
        status.endAwait();
    }

    boolean isEnded() {
        return isEnded;
    }

    private int reconnect() {
        if (clock.nanoTime() - reconnectNs < 0) {
            return 0;
        }
        try {
            session.connect();
        } catch (final ConnectionException e) {
            onAttemptFailed(messageOf(e), null, 0);
        }
        return 1;
    }

    private int close() {
        final long nowNs = clock.nanoTime();
        if (!isClosing) {
            isClosing = true;
            closeDeadlineNs = nowNs + config.closeTimeoutNs();
        }
        final boolean isFlushed = lastFlush != null && lastFlush.isDone() && inFlight.isEmpty();
        if (isFlushed || nowNs - closeDeadlineNs >= 0 || session.state() != ClientSession.State.LOGGED_ON) {
            endReason = new ConnectionException("client: was closed before the broker had answered", null);
            return 1;
        }
        if (lastFlush == null && outbox.isEmpty() && subscriptions.isIdle()) {
            final long commandId = session.offerFlush();
            if (commandId >= 0) {
                lastFlush = new Request.Done();
                inFlight.add(commandId, new PendingCommand(PendingCommand.NO_INDEX).request(lastFlush));
                return 1;
            }
        }
        return 0;
    }

    /** Ends the client: everybody who waits is told. */
    void end(final ConnectionException reason) {
        if (isEnded) {
            return;
        }
        isEnded = true;
        status.onEnd(reason);
        while (status.isPosting()) {
            Thread.onSpinWait();
        }
        inFlight.failAll(reason);
        commands.releaseSent();
        outbox.failAll(reason);
        subscriptions.endAll(isClosing ? null : reason);
        session.close();
        outbox.close();
        status.onEnded(reason);
    }

    @Override
    public void onLogon() {
        status.onLogon(session);
        if (!hasLoggedOn) {
            hasLoggedOn = true;
            return;
        }
        subscriptions.onReconnect();
        final int succeeded = attempt;
        attempt = 0;
        try {
            config.disconnectHandler().onReconnect(succeeded);
        } catch (final RuntimeException e) {
            ClientLog.onHandlerFailure(config.disconnectHandler(), e);
        }
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
        return onRecord(
                RecordKind.MESSAGE, subscriptionId, topic, shard, sequence, timestampNs, buffer, offset, length, 0);
    }

    @Override
    public boolean onRecord(
            final RecordKind kind,
            final long subscriptionId,
            final String topic,
            final int shard,
            final long sequence,
            final long timestampNs,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int keyLength) {
        if (isClosing) {
            return true;
        }
        view.wrap(kind, topic, shard, sequence, timestampNs, buffer, offset, length, keyLength);
        final Subscription subscription = subscriptions.find(subscriptionId);
        if (subscription == null) {
            final Query query = queries.find(subscriptionId);
            return query == null || query.onMessage(view);
        }
        try {
            return !subscription.isActive() || subscription.sink().onMessage(view);
        } catch (final RuntimeException e) {
            dropForHandler(subscription, e);
            return true;
        }
    }

    @Override
    public void onGroupBegin(
            final long commandId, final long queryId, final String topic, final int shard, final long sequence) {
        final Query query = queries.find(queryId);
        final Subscription subscription = subscriptions.find(queryId);
        if (query != null) {
            query.onGroupBegin(topic, shard, sequence);
        } else if (subscription != null && subscription.isActive()) {
            try {
                subscription.sink().onGroupBegin(topic, shard, sequence);
            } catch (final RuntimeException e) {
                dropForHandler(subscription, e);
            }
        }
    }

    @Override
    public void onGroupEnd(
            final long commandId,
            final long queryId,
            final long topicMatches,
            final long matches,
            final long returned) {
        final Query query = queries.find(queryId);
        final Subscription subscription = subscriptions.find(queryId);
        if (query != null) {
            query.onGroupEnd(topicMatches, matches, returned);
        } else if (subscription != null && subscription.isActive()) {
            try {
                subscription.sink().onGroupEnd(topicMatches, matches, returned);
            } catch (final RuntimeException e) {
                dropForHandler(subscription, e);
            }
        }
    }

    @Override
    public void onProgress(final long commandId, final long queryId, final SowProgress progress) {
        final Query query = queries.find(queryId);
        if (query != null) {
            query.onProgress(progress);
        }
    }

    private void dropForHandler(final Subscription subscription, final RuntimeException cause) {
        subscriptions.drop(
                subscription,
                new PenstockException(
                        "subscription to " + subscription.request().topic() + ": its handler threw: " + cause, cause));
    }

    @Override
    public void onAck(final AckType type, final long commandId, final long sequence, final long returned) {
        if (type == AckType.STATS) {
            final Request<?> request = inFlight.request(commandId);
            if (request != null) {
                request.onReturned(returned);
            }
        }
        inFlight.onAck(type, commandId);
    }

    @Override
    public void onError(final BrokerError error) {
        final PenstockException reason = error.toException();
        if (error.commandId() != 0) {
            if (!inFlight.onError(error.commandId(), reason)) {
                onPublishError(reason);
            }
            return;
        }
        final Subscription subscription = subscriptions.find(error.subscriptionId());
        if (subscription != null) {
            subscriptions.end(subscription, reason);
        } else if (error.subscriptionId() == 0) {
            ClientLog.warn(config.endpoint() + ": " + error.name() + ": " + error.text());
        }
    }

    private void onPublishError(final PenstockException reason) {
        try {
            config.publishErrorHandler().onPublishError(reason);
        } catch (final RuntimeException e) {
            ClientLog.onHandlerFailure(config.publishErrorHandler(), e);
        }
    }

    @Override
    public void onStat(final long commandId, final Stat stat) {
        final Request<?> request = inFlight.request(commandId);
        if (request != null) {
            request.onStat(stat);
        }
    }

    @Override
    public void onTopic(final long commandId, final TopicInfo topic) {
        final Request<?> request = inFlight.request(commandId);
        if (request != null) {
            request.onTopic(topic);
        }
    }

    @Override
    public void onDisconnect(final String reason, final @Nullable ErrorCode errorCode) {
        final ConnectionException lost = new ConnectionException(errorCode, reason);
        status.onDisconnect();
        commands.releaseSent();
        subscriptions.onDisconnect();
        final int unacknowledgedCount = inFlight.failAll(lost);
        if (hasLoggedOn && !isClosing) {
            onAttemptFailed(reason, errorCode, unacknowledgedCount);
        } else {
            endReason = lost;
        }
    }

    private void onAttemptFailed(
            final String reason, final @Nullable ErrorCode errorCode, final int unacknowledgedCount) {
        boolean isToReconnect = false;
        try {
            isToReconnect = config.disconnectHandler()
                    .onDisconnect(new Disconnect(reason, errorCode, attempt, unacknowledgedCount));
        } catch (final RuntimeException e) {
            ClientLog.onHandlerFailure(config.disconnectHandler(), e);
        }
        if (isToReconnect) {
            attempt++;
            reconnectNs = clock.nanoTime() + backoff.delayNs(attempt);
        } else {
            endReason = new ConnectionException(errorCode, reason);
        }
    }

    private static String messageOf(final ConnectionException e) {
        final String message = e.getMessage();
        return message == null ? e.toString() : message;
    }
}
