package io.penstock.client;

import io.penstock.protocol.ErrorCode;
import java.net.URI;
import java.util.function.Consumer;
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
    private static final long FLUSH_INTERVAL_NS = 10_000_000L;

    private final ClientConfig config;
    private final ClientStatus status;
    private final NanoClock clock;
    private final Outbox outbox;
    private final Subscriptions subscriptions;
    private final Queries queries;
    private final SinkWriters sinks;
    private final InFlight inFlight;
    private final Backoff backoff;
    private final HandOver handOver;
    private final ClientSession session;
    private final Outbox.Reader commands;
    private final @Nullable StoredPublishes stored;
    private final @Nullable StorePoster storePoster;
    private final @Nullable BookmarkStore bookmarks;
    private final MessageView view = new MessageView(new UnsafeBuffer(0, 0));

    private @Nullable ConnectionException endReason;
    private @Nullable Request<?> lastFlush;
    private boolean hasLoggedOn;
    private boolean isClosing;
    private boolean isEnded;
    private int seenPostedCount;
    private boolean isToConnect;
    private int serverIndex;
    private int attempt;
    private long reconnectNs;
    private long lostNs;
    private long closeDeadlineNs;
    private long flushedNs;

    ClientAgent(
            final ClientConfig config,
            final ClientStatus status,
            final Outbox outbox,
            final Subscriptions subscriptions,
            final Queries queries,
            final SinkWriters sinks,
            final @Nullable StorePoster storePoster) {
        this.config = config;
        this.status = status;
        this.outbox = outbox;
        this.subscriptions = subscriptions;
        this.queries = queries;
        this.sinks = sinks;
        clock = config.nanoClock();
        inFlight = new InFlight(config.inFlightLimit(), outbox.pool()::release);
        backoff = newBackoff(config);
        handOver = new HandOver(config.messageErrorHandler(), newBackoff(config), clock);
        session = ClientSession.open(config, this);
        this.storePoster = storePoster;
        bookmarks = config.bookmarkStore();
        stored = config.publishStore() == null
                ? null
                : new StoredPublishes(
                        config.publishStore(),
                        session,
                        outbox.pool(),
                        config.topicLimit(),
                        clock,
                        newBackoff(config),
                        newStoreListener());
        commands = new Outbox.Reader(outbox, session, inFlight, stored);
        status.onStart(Thread.currentThread(), session::wakeup, this::sendPosted);
    }

    private static Backoff newBackoff(final ClientConfig config) {
        return new Backoff(
                config.reconnectDelayMinNs(),
                config.reconnectDelayMaxNs(),
                config.seed() == 0 ? config.nanoClock().nanoTime() : config.seed());
    }

    private StoredPublishes.Listener newStoreListener() {
        return new StoredPublishes.Listener() {
            @Override
            public void onRefused(final PenstockException reason) {
                onPublishError(reason);
            }

            @Override
            public void onHeld(final PenstockException reason) {
                tell(listener -> listener.onPublishHeld(reason));
            }
        };
    }

    /** Makes the first connection, with the first server that takes it; the failure of the last one ends the client. */
    void connect() {
        isToConnect = false;
        while (true) {
            try {
                session.connect(server());
                return;
            } catch (final ConnectionException e) {
                if (++serverIndex == config.servers().size()) {
                    end(e);
                    return;
                }
            }
        }
    }

    private URI server() {
        return config.servers().get(serverIndex);
    }

    /** One duty cycle; returns the work done. */
    int doWork() {
        if (isEnded) {
            return 0;
        }
        seenPostedCount = status.postedCount();
        int workCount = subscriptions.takePosted();
        if (isToConnect) {
            connect();
        }
        workCount += status.isCloseRequested() ? close() : 0;
        if (session.state() == ClientSession.State.LOGGED_ON) {
            workCount += subscriptions.send(session, inFlight) + sendPosted() + sinks.send(session);
        } else {
            workCount += sinks.endClosed();
            if (session.state() == ClientSession.State.DISCONNECTED && endReason == null && hasLoggedOn) {
                workCount += reconnect();
            }
        }
        workCount += session.poll();
        if (stored != null) {
            stored.discard();
        }
        if (endReason != null) {
            end(endReason);
        }
        return workCount;
    }

    /** Sends what was posted, as far as the session takes it; what the agent has to say itself goes first. */
    int sendPosted() {
        if (session.state() != ClientSession.State.LOGGED_ON || !subscriptions.isIdle()) {
            return 0;
        }
        final int sentCount = stored == null ? 0 : stored.send();
        return sentCount + commands.poll(COMMAND_LIMIT);
    }

    /** There is no work any more: what was noted meanwhile is written. To be called before the agent waits or spins. */
    void onIdle() {
        if (bookmarks != null) {
            flushedNs = clock.nanoTime();
            flush(bookmarks);
        }
    }

    /** There is no work, again: other threads may have noted something since, and wake nobody for it. */
    void onStillIdle() {
        if (bookmarks != null && clock.nanoTime() - flushedNs >= FLUSH_INTERVAL_NS) {
            onIdle();
        }
    }

    /** Blocks until there may be work. */
    void await() {
        final long dueNs = isClosing ? closeDeadlineNs : reconnectNs;
        final boolean isTimed = isClosing || session.state() == ClientSession.State.DISCONNECTED;
        status.beginAwait();
        if (status.postedCount() == seenPostedCount && !(status.isCloseRequested() && !isClosing)) {
            final long resumeNs =
                    handOver.waitNs(stored == null ? AWAIT_NS_MAX : Math.min(AWAIT_NS_MAX, stored.delayNs()));
            session.await(isTimed ? Math.min(resumeNs, dueNs - clock.nanoTime()) : resumeNs);
        }
        status.endAwait();
    }

    /** What cannot be written stays noted in memory, and is tried again with the next notes. */
    private static void flush(final BookmarkStore bookmarks) {
        try {
            bookmarks.flush();
        } catch (final PenstockException e) {
            ClientLog.warn("bookmarks cannot be written", e);
        }
    }

    boolean isEnded() {
        return isEnded;
    }

    private int reconnect() {
        if (clock.nanoTime() - reconnectNs < 0) {
            return 0;
        }
        try {
            session.connect(server());
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
        final boolean isFlushed = lastFlush != null
                && lastFlush.isDone()
                && inFlight.isEmpty()
                && sinks.isIdle()
                && (stored == null || stored.isEmpty());
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
        subscriptions.endRequests(inFlight, reason);
        inFlight.failAll(reason);
        commands.releaseSent();
        if (stored != null) {
            stored.end(reason);
        }
        outbox.failAll(reason);
        subscriptions.endAll(isClosing ? null : reason);
        session.close();
        sinks.end(reason);
        outbox.close();
        if (stored != null && storePoster != null) {
            stored.discard();
            storePoster.close();
        }
        if (bookmarks != null) {
            flush(bookmarks);
            bookmarks.close();
        }
        status.onEnded(reason);
    }

    @Override
    public void onLogon() {
        if (storePoster != null) {
            storePoster.onApplied(session.publisherSequence());
        }
        status.onLogon(session);
        final int succeeded = attempt;
        attempt = 0;
        subscriptions.onLogon();
        if (hasLoggedOn) {
            subscriptions.onReconnect(inFlight);
            try {
                config.disconnectHandler().onReconnect(succeeded);
            } catch (final RuntimeException e) {
                ClientLog.onHandlerFailure(config.disconnectHandler(), e);
            }
        }
        hasLoggedOn = true;
        tell(listener -> listener.onConnected(session.server(), succeeded));
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
            return !subscription.isActive() || handOver.offer(subscription, view);
        } catch (final RuntimeException e) {
            subscriptions.dropForHandler(subscription, e);
            return true;
        }
    }

    @Override
    public void onDelivered(final long subscriptionId, final int length) {
        subscriptions.onReceived(subscriptionId, length);
    }

    @Override
    public void onReplayBegin(
            final long commandId,
            final long subscriptionId,
            final int shard,
            final long sequence,
            final long endSequence) {
        final Subscription subscription = subscriptions.find(subscriptionId);
        final Replay replay = subscription == null ? null : subscription.replay();
        if (subscription != null && replay != null) {
            try {
                replay.onBegin(shard, sequence, endSequence);
            } catch (final RuntimeException e) {
                subscriptions.dropForHandler(subscription, e);
            }
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
                subscriptions.dropForHandler(subscription, e);
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
                subscriptions.dropForHandler(subscription, e);
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

    @Override
    public void onAck(final AckType type, final long commandId, final long sequence, final long returned) {
        if (type == AckType.STATS) {
            final Request<?> request = inFlight.request(commandId);
            if (request != null) {
                request.onReturned(returned);
            }
        }
        // The second acknowledgement of a subscribe says nothing of the publishes before it.
        if (type == AckType.COMPLETED && subscriptions.onCompleted(commandId)) {
            return;
        }
        onAck(type, commandId, false);
    }

    @Override
    public void onDuplicates(final AckType type, final long commandId, final long sequence) {
        onAck(type, commandId, true);
    }

    private void onAck(final AckType type, final long commandId, final boolean isDuplicate) {
        inFlight.onAck(type, commandId, isDuplicate);
        if (stored != null) {
            stored.onAck(type, commandId, isDuplicate);
        }
    }

    @Override
    public void onError(final BrokerError error) {
        if (stored != null && stored.onError(error)) {
            return;
        }
        final PenstockException reason = error.toException();
        if (error.commandId() != 0 && sinks.onError(error.commandId(), reason)) {
            return;
        }
        if (error.commandId() != 0) {
            final boolean isAwaited = error.errorCode() == ErrorCode.JOURNAL_FAILED
                    ? inFlight.onJournalFailed(error.commandId(), reason)
                    : inFlight.onError(error.commandId(), reason);
            if (!isAwaited) {
                onPublishError(reason);
            }
            return;
        }
        final Subscription subscription = subscriptions.find(error.subscriptionId());
        if (subscription != null) {
            subscriptions.end(subscription, reason);
        } else if (error.subscriptionId() == 0) {
            ClientLog.warn(session.server() + ": " + error.name() + ": " + error.text());
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
    public void onSinkOpened(final int writerId, final long blockId, final int blockLengthMax, final boolean pulls) {
        sinks.onOpened(writerId, blockId, pulls);
    }

    @Override
    public void onBlockGranted(final int writerId, final long blockId) {
        sinks.onGranted(writerId, blockId);
    }

    @Override
    public void onBlockStored(final long commandId, final int writerId, final long number, final long offset) {
        sinks.onStored(commandId, writerId, number, offset);
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
        if (stored != null) {
            stored.onDisconnect();
        }
        subscriptions.onDisconnect(inFlight, lost);
        sinks.onDisconnect();
        handOver.onDisconnect();
        final int unacknowledgedCount = inFlight.failAll(lost);
        if (hasLoggedOn && !isClosing) {
            lostNs = attempt == 0 ? clock.nanoTime() : lostNs;
            onAttemptFailed(reason, errorCode, unacknowledgedCount);
        } else if (!hasLoggedOn && serverIndex + 1 < config.servers().size()) {
            serverIndex++;
            isToConnect = true;
        } else {
            endReason = lost;
        }
    }

    private void onAttemptFailed(
            final String reason, final @Nullable ErrorCode errorCode, final int unacknowledgedCount) {
        final Disconnect disconnect = new Disconnect(reason, errorCode, attempt, unacknowledgedCount);
        tell(listener -> listener.onDisconnected(disconnect));
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
            tell(listener -> listener.onReconnecting(server(), attempt, reconnectNs - nowNs));
        } else {
            final ConnectionException end = new ConnectionException(errorCode, reason);
            endReason = end;
            tell(listener -> listener.onGaveUp(end));
        }
    }

    private void tell(final Consumer<ConnectionListener> event) {
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
