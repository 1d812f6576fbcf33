package io.penstock.client.engine;

import io.penstock.client.AckMode;
import io.penstock.client.BackPressureException;
import io.penstock.client.BookmarkStore;
import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionException;
import io.penstock.client.PenstockException;
import io.penstock.client.PublishStore;
import io.penstock.client.ReplayRate;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SinkOptions;
import io.penstock.client.SowRequest;
import io.penstock.client.SowStats;
import io.penstock.client.Stat;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Topic;
import io.penstock.client.TopicInfo;
import io.penstock.client.session.CommandFrame;
import io.penstock.client.sink.SinkWriter;
import io.penstock.client.sink.SinkWriters;
import io.penstock.client.warning.ClientLog;
import io.penstock.client.warning.Failures;
import io.penstock.transport.RequiredFlags;
import io.penstock.transport.Transports;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Internal: implements a {@link io.penstock.client.PenstockClient}, except publishing, which goes through the {@link
 * #poster()}. Safe on any thread.
 */
public final class ClientEngine {
    private final ClientConfig config;
    private final ClientStatus status;
    private final Subscriptions subscriptions = new Subscriptions();
    private final SubscriptionNames names = new SubscriptionNames();
    private final Queries queries = new Queries(subscriptions);
    private final SinkWriters sinks;
    private final AtomicInteger nextWriterId = new AtomicInteger(1);
    private final Outbox outbox;
    private final @Nullable StorePoster storePoster;
    private final CommandPoster poster;
    private final AtomicLong nextSubscriptionId = new AtomicLong(1);

    /**
     * Internal: an engine without a thread, whose caller drives the agent. Methods that wait may not be called then.
     */
    public ClientEngine(final ClientConfig config) {
        this.config = config;
        status = new ClientStatus(config.messageLengthMax());
        outbox = new Outbox(config);
        sinks = new SinkWriters(config.nanoClock());
        final PublishStore store = config.publishStore();
        storePoster = store == null ? null : new StorePoster(store, outbox);
        poster = new CommandPoster(config, status, outbox, storePoster);
    }

    /** Internal: one with a thread, that is logged on. */
    public static ClientEngine start(final ClientConfig config) {
        RequiredFlags.check();
        Transports.providerFor(config.endpoint());
        final ClientEngine engine = new ClientEngine(config);
        new ClientThread(config, engine.status, engine::newAgent).start();
        engine.awaitLogon();
        return engine;
    }

    private void awaitLogon() {
        try {
            status.firstLogon().get();
        } catch (final ExecutionException e) {
            throw e.getCause() instanceof PenstockException reason
                    ? reason.onCallersThread()
                    : new ConnectionException(
                            "client: failed to start: " + Failures.nameOf(e.getCause()), e.getCause());
        } catch (final InterruptedException e) {
            status.requestClose();
            Thread.currentThread().interrupt();
            throw new ConnectionException("client: interrupted while connecting to " + config.endpoint(), e);
        }
    }

    /** Internal: makes the agent, owned by the calling thread. Once. */
    public ClientAgent newAgent() {
        try {
            return new ClientAgent(config, status, outbox, subscriptions, queries, sinks, storePoster);
        } catch (final RuntimeException e) {
            outbox.close();
            if (storePoster != null) {
                storePoster.close();
            }
            throw e;
        }
    }

    /** Internal: where messages of any thread go. */
    public CommandPoster poster() {
        return poster;
    }

    /** Internal: the broker's name and version. */
    public String broker() {
        return status.broker();
    }

    /** Internal: the highest publisher sequence that the broker had applied for this client's name when it logged on. */
    public long publisherSequence() {
        return status.publisherSequence();
    }

    /** Internal: whether the client is logged on at this moment. */
    public boolean isConnected() {
        return status.isConnected();
    }

    /** Internal: whether the client has ended for good. */
    public boolean isClosed() {
        return status.isCloseRequested() || status.isEnded();
    }

    /** Internal: has the agent look at what has changed. */
    public void wakeup() {
        status.wakeup();
    }

    /** Internal: waits until the broker has what was published before. */
    public void flush(final long timeoutNs) {
        if (storePoster == null) {
            poster.call("flush", CommandFrame.flush(), new Request.Done(), timeoutNs);
        } else {
            poster.drain(timeoutNs);
        }
    }

    /** Internal: waits for an answer. */
    public void ping() {
        poster.call("ping", CommandFrame.flush(), new Request.Done(), config.requestTimeoutNs());
    }

    /** Internal: reads the broker's counters. */
    public List<Stat> stat(final String prefix) {
        return poster.callRepeatable("stat", CommandFrame.stat(prefix), new Request.Stats(), config.requestTimeoutNs());
    }

    /** Internal: lists the broker's topics. */
    public List<TopicInfo> topics(final String prefix) {
        return poster.callRepeatable(
                "topics", CommandFrame.topics(prefix), new Request.Topics(), config.requestTimeoutNs());
    }

    /** Internal: creates a topic unless it is there. */
    public void declareTopic(final Topic topic) {
        poster.callRepeatable(
                "declare", CommandFrame.declareTopic(topic), new Request.Done(), config.requestTimeoutNs());
    }

    /** Internal: creates a topic unless it is there, without waiting. */
    public CompletableFuture<?> declareTopicAsync(final Topic topic) {
        final Request.Done done = new Request.Done();
        poster.post(CommandFrame.declareTopic(topic), done);
        return done;
    }

    /** Internal: deletes a topic. */
    public void deleteTopic(final String topic) {
        poster.call("delete topic", CommandFrame.deleteTopic(topic), new Request.Done(), config.requestTimeoutNs());
    }

    /** Internal: deletes a topic that is of no use any more, if that is allowed, and not on the agent's own thread. */
    public void tryDeleteTopic(final String topic) {
        if (status.isAgentThread()) {
            return;
        }
        try {
            deleteTopic(topic);
        } catch (final PenstockException e) {
            ClientLog.debug("close: the topic of its replies stays: " + e.getMessage());
        }
    }

    /** Internal: sets the sequence of a publisher. */
    public void resetPublisher(final String clientName, final String user, final long publisherSequence) {
        poster.callRepeatable(
                "reset publisher",
                CommandFrame.resetPublisher(clientName, user, publisherSequence),
                new Request.Done(),
                config.requestTimeoutNs());
    }

    /** Internal: deletes records by a filter or by their keys, and returns how many. */
    public long sowDelete(final String topic, final String filter, final List<String> keys) {
        return poster.call(
                "sow_delete",
                CommandFrame.sowDelete(topic, filter, keys),
                new Request.Count(),
                config.requestTimeoutNs());
    }

    /** Internal: queries state, and waits for its end. */
    public SowStats sow(final SowRequest request, final MessageSink sink) {
        final Query query = newQuery(request, sink);
        final long timeoutNs = config.requestTimeoutNs() + TimeUnit.MILLISECONDS.toNanos(request.timeoutMs());
        return poster.call("sow", query.frame(), query, timeoutNs);
    }

    /** Internal: queries state without waiting. */
    public Query sowAsync(final SowRequest request, final MessageSink sink) {
        final Query query = newQuery(request, sink);
        poster.post(query.frame(), query);
        return query;
    }

    private Query newQuery(final SowRequest request, final MessageSink sink) {
        return new Query(nextSubscriptionId.getAndIncrement(), request, sink, queries, poster);
    }

    /** Internal: a subscription that is not made yet. */
    public ActiveSubscription newSubscription(final SubscribeRequest request, final MessageSink sink) {
        return new ActiveSubscription(nextSubscriptionId.getAndIncrement(), request, sink, null, null);
    }

    /** Internal: a subscription to the log that is not made yet. */
    public ActiveSubscription newReplay(final ReplayRequest request, final MessageSink sink) {
        return newReplay(request, sink, new Replay(request), null);
    }

    /**
     * Internal: a subscription to the log under a name that is not made yet. Without a mode the program says in their
     * order with which messages it is done. A name that another one has is refused; it is free again when that one ends.
     */
    public ActiveSubscription newReplay(
            final String name, final ReplayRequest request, final MessageSink sink, final @Nullable AckMode mode) {
        final BookmarkStore store = config.bookmarkStore();
        if (store == null || name.isEmpty()) {
            throw new IllegalStateException("subscribe: " + (store == null ? "no bookmark store" : "no name")
                    + " (give the configuration a store, and the subscription a name)");
        }
        // The bookmark is read when nobody else moves it.
        final SubscriptionNames.Claim claim = names.claim(name);
        try {
            return newReplay(
                    request, sink, new Replay(name, request, store, mode, config.streamLimit(), status::wakeup), claim);
        } catch (final RuntimeException e) {
            claim.release();
            throw e;
        }
    }

    private ActiveSubscription newReplay(
            final ReplayRequest request,
            final MessageSink sink,
            final Replay replay,
            final SubscriptionNames.@Nullable Claim name) {
        final SubscribeRequest what = request.isPattern()
                ? SubscribeRequest.pattern(request.topic())
                : SubscribeRequest.topic(request.topic());
        return new ActiveSubscription(
                nextSubscriptionId.getAndIncrement(), what.filter(request.filter()), sink, replay, name);
    }

    /** Internal: makes a subscription, and waits until the broker has accepted it. */
    public void subscribe(final ActiveSubscription subscription) {
        final SubscriptionCommand.Creation<ActiveSubscription> creation =
                new SubscriptionCommand.Creation<>(subscriptions, subscription, subscription);
        try {
            poster.call("subscribe", subscription.frame(), creation, config.requestTimeoutNs());
        } catch (final RuntimeException e) {
            if (creation.isDone() && !creation.isCompletedExceptionally()) {
                // The answer came when nobody waited for it any more.
                end(subscription);
            } else {
                subscription.stop();
            }
            throw e;
        }
    }

    /** Internal: makes a subscription without waiting; {@code created} is what the program gets then. */
    public <T> CompletableFuture<T> subscribeAsync(final ActiveSubscription subscription, final T created) {
        final SubscriptionCommand.Creation<T> creation =
                new SubscriptionCommand.Creation<>(subscriptions, subscription, created);
        try {
            poster.post(subscription.frame(), creation);
        } catch (final RuntimeException e) {
            subscription.releaseName();
            throw e;
        }
        return creation;
    }

    /** Internal: replaces what a subscription is to. */
    public void replace(final ActiveSubscription subscription, final SubscribeRequest request) {
        poster.callRepeatable(
                "replace",
                CommandFrame.subscribe(subscription.id(), request, true),
                new SubscriptionCommand.Replacement(subscriptions, subscription, request),
                config.requestTimeoutNs());
    }

    /** Internal: ends a subscription that hands nothing over any more. */
    public void unsubscribe(final ActiveSubscription subscription) {
        if (status.isAgentThread()) {
            subscriptions.drop(subscription, null);
            status.wakeup();
        } else if (!isClosed()) {
            poster.remove(
                    subscriptions,
                    new SubscriptionCommand.Removal(subscriptions, subscription),
                    config.requestTimeoutNs());
        }
    }

    /** Internal: ends a subscription without waiting; its sink alone knows why. Any thread. */
    public void end(final ActiveSubscription subscription) {
        if (!subscription.stop()) {
            return;
        }
        if (status.isAgentThread()) {
            unsubscribe(subscription);
        } else if (!isClosed()) {
            try {
                poster.postRemoval(subscriptions, new SubscriptionCommand.Removal(subscriptions, subscription));
            } catch (final ConnectionException e) {
                ClientLog.debug("unsubscribe: the client has ended before: " + e.getMessage());
            }
        }
    }

    /** Internal: pauses a subscription, or lets it go on. */
    public void pause(final ActiveSubscription subscription, final boolean isPaused) {
        pace(CommandFrame.pause(subscription.id(), isPaused), () -> subscription.onPause(isPaused));
    }

    /** Internal: sets how fast messages of a subscription come at most. */
    public void rate(final ActiveSubscription subscription, final ReplayRate limit) {
        pace(CommandFrame.rate(subscription.id(), limit), () -> subscription.onRate(limit));
    }

    /** Waits until the broker has taken another pace; the change is noted on the agent then. */
    private void pace(final CommandFrame frame, final Runnable change) {
        poster.callRepeatable("pace", frame, new SubscriptionCommand.PaceChange(change), config.requestTimeoutNs());
    }

    /** Internal: gives a subscription more credit, in bytes. */
    public void credit(final ActiveSubscription subscription, final long length) {
        if (subscription.give(length)) {
            poster.sendCredit(subscriptions, subscription);
        }
    }

    /** Internal: opens a sink, and waits until the broker lets it deliver. */
    public SinkWriter openSink(final String sink, final SinkOptions options) {
        poster.checkNotAgent("sink");
        final SinkWriter writer = new SinkWriter(status, config, sink, nextWriterId.getAndIncrement(), options);
        status.beginPost();
        boolean isPosted = false;
        try {
            status.checkOpen();
            isPosted = sinks.offer(writer);
        } finally {
            if (isPosted) {
                status.onPosted();
            } else {
                status.endPost();
            }
        }
        if (!isPosted) {
            throw new BackPressureException("sink: too many are being opened (try again later)");
        }
        writer.awaitOpen();
        return writer;
    }

    /**
     * Internal: sends what was accepted, and closes the connection; waits for that if it is to, but not on the agent's own
     * thread. Idempotent.
     */
    public void close(final boolean isToWait) {
        status.requestClose();
        if (isToWait && !status.isAgentThread()) {
            status.ended().join();
        }
    }
}
