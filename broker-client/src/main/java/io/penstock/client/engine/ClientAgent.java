package io.penstock.client.engine;

import io.penstock.client.BookmarkStore;
import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionException;
import io.penstock.client.PenstockException;
import io.penstock.client.PublishStore;
import io.penstock.client.session.CommandFrame;
import io.penstock.client.session.Session;
import io.penstock.client.sink.SinkWriters;
import io.penstock.protocol.ErrorCode;
import java.net.URI;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Internal: owns a client's session: sends commands that threads have posted, hands out what it receives, reconnects,
 * closes. Driven by the one thread that made it.
 */
public final class ClientAgent {
    private static final int COMMAND_LIMIT = 256;
    private static final long AWAIT_NS_MAX = 1_000_000_000L;

    private final ClientStatus status;
    private final Subscriptions subscriptions;
    private final SinkWriters sinks;
    private final InFlight inFlight;
    private final HandOver handOver;
    private final Answers answers;
    private final Session session;
    private final Connector connector;
    private final Closing closing;
    private final Outbox.Reader commands;
    private final @Nullable StoredPublishes stored;
    private final @Nullable StorePoster storePoster;
    private final @Nullable BookmarkFlusher bookmarks;

    private boolean isEnded;
    private int seenPostedCount;

    ClientAgent(
            final ClientConfig config,
            final ClientStatus status,
            final Outbox outbox,
            final Subscriptions subscriptions,
            final Queries queries,
            final SinkWriters sinks,
            final @Nullable StorePoster storePoster) {
        this.status = status;
        this.subscriptions = subscriptions;
        this.sinks = sinks;
        this.storePoster = storePoster;
        final NanoClock clock = config.nanoClock();
        inFlight = new InFlight(config.inFlightLimit(), outbox.pool()::release);
        handOver = new HandOver(config);
        answers = new Answers(this, config.publishErrorHandler(), subscriptions, queries, sinks, inFlight, handOver);
        session = Session.open(config, answers);
        connector = new Connector(config, session, Backoff.of(config));
        closing = new Closing(clock, config.closeTimeoutNs());
        stored = newStored(config, outbox);
        if (stored != null) {
            answers.stored(stored);
        }
        final BookmarkStore store = config.bookmarkStore();
        bookmarks = store == null ? null : new BookmarkFlusher(store, clock);
        commands = new Outbox.Reader(outbox, session.sender(), inFlight, stored);
        status.onStart(Thread.currentThread(), session::wakeup, this::sendPosted);
    }

    private @Nullable StoredPublishes newStored(final ClientConfig config, final Outbox outbox) {
        final PublishStore store = config.publishStore();
        return store == null
                ? null
                : new StoredPublishes(
                        store,
                        session.sender(),
                        outbox.pool(),
                        config.topicLimit(),
                        new Hold(config.nanoClock(), Backoff.of(config)),
                        new StoredPublishes.Listener() {
                            @Override
                            public void onRefused(final PenstockException reason) {
                                answers.onPublishError(reason);
                            }

                            @Override
                            public void onHeld(final PenstockException reason) {
                                connector.report(listener -> listener.onPublishHeld(reason));
                            }
                        });
    }

    /** Internal: makes the first connection; when no server takes it, the client ends. */
    public void connect() {
        connector.connect();
        final ConnectionException end = connector.end();
        if (end != null) {
            end(end);
        }
    }

    /** Internal: one duty cycle; returns the work done. */
    public int doWork() {
        if (isEnded) {
            return 0;
        }
        seenPostedCount = status.postedCount();
        int workCount = subscriptions.takePosted();
        if (connector.isToConnect()) {
            connect();
        }
        workCount += status.isCloseRequested() ? close() : 0;
        if (session.isLoggedOn()) {
            workCount += subscriptions.send(session.sender(), inFlight) + sendPosted() + sinks.send(session.sender());
        } else {
            workCount += sinks.endClosed() + connector.reconnect();
        }
        final int handedOutCount = session.poll();
        if (handedOutCount > 0) {
            handOver.onHandedOut(session.polledNs());
            workCount += handedOutCount;
        }
        if (stored != null) {
            stored.discard();
        }
        final ConnectionException end = connector.end();
        if (end != null) {
            end(end);
        }
        return workCount;
    }

    /** Sends what was posted, as far as the session takes it; what the agent has to say itself goes first. */
    private int sendPosted() {
        if (!session.isLoggedOn() || !subscriptions.isIdle()) {
            return 0;
        }
        final int sentCount = stored == null ? 0 : stored.send();
        return sentCount + commands.poll(COMMAND_LIMIT);
    }

    /** There is no work any more: what was noted meanwhile is written. To be called before the agent waits or spins. */
    void onIdle() {
        if (bookmarks != null) {
            bookmarks.onIdle();
        }
    }

    /** There is no work, again: other threads may have noted something since, and wake nobody for it. */
    void onStillIdle() {
        if (bookmarks != null) {
            bookmarks.onStillIdle();
        }
    }

    /** Blocks until there may be work. */
    void await() {
        status.beginAwait();
        if (status.postedCount() == seenPostedCount && !(status.isCloseRequested() && !closing.isBegun())) {
            final long resumeNs =
                    handOver.waitNs(stored == null ? AWAIT_NS_MAX : Math.min(AWAIT_NS_MAX, stored.delayNs()));
            session.await(Math.min(resumeNs, dueNs()));
        }
        status.endAwait();
    }

    /** From now on until the closing is overdue, or it is time to reconnect. */
    private long dueNs() {
        if (closing.isBegun()) {
            return closing.delayNs();
        }
        return session.isDisconnected() ? connector.delayNs() : Long.MAX_VALUE;
    }

    /** Internal: whether it has ended, and does no work any more. */
    public boolean isEnded() {
        return isEnded;
    }

    private int close() {
        closing.begin();
        answers.onClosing();
        subscriptions.stopHandlers();
        final boolean isFlushed =
                closing.isFlushed() && inFlight.isEmpty() && sinks.isIdle() && (stored == null || stored.isEmpty());
        final boolean isDone = (isFlushed || !session.isLoggedOn()) && subscriptions.areHandlersIdle();
        if (isDone || closing.isOverdue()) {
            connector.end(new ConnectionException("client: was closed before the broker had answered", null));
            return 1;
        }
        if (session.isLoggedOn() && !closing.isFlushSent() && commands.isEmpty() && subscriptions.isIdle()) {
            final long commandId = session.sender().offerFrame(CommandFrame.flush());
            if (commandId >= 0) {
                inFlight.add(commandId, closing.onFlushSent());
                return 1;
            }
        }
        return 0;
    }

    /** Internal: ends the client: everybody who waits is notified. */
    public void end(final ConnectionException reason) {
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
        commands.failAll(reason);
        subscriptions.endAll(closing.isBegun() ? null : reason);
        session.close();
        sinks.end(reason);
        commands.close();
        if (stored != null && storePoster != null) {
            stored.discard();
            storePoster.close();
        }
        if (bookmarks != null) {
            bookmarks.close();
        }
        status.onEnded(reason);
    }

    /** The server that was connected to last. */
    URI server() {
        return session.server();
    }

    /** Called by what hands out answers. */
    void onLogon() {
        if (storePoster != null) {
            storePoster.onApplied(session.publisherSequence());
        }
        status.onLogon(session);
        final int attempt = connector.onLogon();
        subscriptions.onLogon();
        if (connector.hasLoggedOn()) {
            subscriptions.onReconnect(inFlight);
            connector.reportReconnect(attempt);
        }
        connector.onConnected(attempt);
    }

    /** Called by what hands out answers. */
    void onDisconnect(final String reason, final @Nullable ErrorCode errorCode) {
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
        connector.onDisconnect(lost, unacknowledgedCount, closing.isBegun());
    }
}
