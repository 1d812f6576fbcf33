package io.penstock.client;

import io.penstock.client.engine.ActiveSubscription;
import io.penstock.client.engine.ClientEngine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;

/** The ways to subscribe and to query of a client. Safe on any thread. */
abstract class SubscribingClient extends PublishingClient {
    private final ClientEngine engine;
    private final ClientConfig config;

    SubscribingClient(final ClientEngine engine, final ClientConfig config) {
        super(engine.poster());
        this.engine = engine;
        this.config = config;
    }

    final ClientEngine engine() {
        return engine;
    }

    /**
     * Subscribes to a topic.
     *
     * @param topic   its name.
     * @param handler called for each message from now on, on the client's thread.
     * @return the subscription, accepted by the broker.
     * @throws PenstockException when the broker refuses it.
     */
    public Subscription subscribe(final String topic, final MessageHandler handler) {
        return subscribe(SubscribeRequest.topic(topic), handler);
    }

    /**
     * Subscribes to what matches a filter.
     *
     * @param topic   its name.
     * @param filter  for example {@code price > 10 AND symbol LIKE 'A%'}.
     * @param handler called for each message from now on, on the client's thread.
     * @return the subscription, accepted by the broker.
     * @throws PenstockException when the broker refuses it.
     */
    public Subscription subscribe(final String topic, final String filter, final MessageHandler handler) {
        return subscribe(SubscribeRequest.topic(topic).filter(filter), handler);
    }

    /**
     * Subscribes.
     *
     * @param request what to.
     * @param handler called for each message from now on, on the client's thread.
     * @return the subscription, accepted by the broker.
     * @throws PenstockException when the broker refuses it.
     */
    public Subscription subscribe(final SubscribeRequest request, final MessageHandler handler) {
        return made(newSubscription(request, handler));
    }

    /**
     * Subscribes without waiting, so that handlers can do it too.
     *
     * @param request what to.
     * @param handler called for each message, on the client's thread, maybe before the future is completed.
     * @return completed on the client's thread, exceptionally with a {@link PenstockException} when it is refused.
     */
    public CompletableFuture<Subscription> subscribeAsync(
            final SubscribeRequest request, final MessageHandler handler) {
        return subscribeAsync(newSubscription(request, handler));
    }

    CompletableFuture<Subscription> subscribeAsync(final Subscription subscription) {
        return engine.subscribeAsync(subscription.active(), subscription);
    }

    /** One that is not made yet. */
    Subscription newSubscription(final SubscribeRequest request, final MessageHandler handler) {
        final SubscriptionSink sink = newSink(handler, false);
        final SubscribeRequest bounded =
                handler instanceof ExecutorHandler ? HeldMessages.bounded(request, config) : request;
        return sink.of(new Subscription(engine, engine.newSubscription(bounded, sink)));
    }

    private SubscriptionSink newSink(final MessageHandler handler, final boolean isAcknowledging) {
        return handler instanceof ExecutorHandler to
                ? new ExecutorSink(to, config, engine, isAcknowledging)
                : new HandlerSink(handler);
    }

    private ReplayRequest bounded(final ReplayRequest request, final MessageHandler handler) {
        return handler instanceof ExecutorHandler ? HeldMessages.bounded(request, config) : request;
    }

    private Subscription made(final Subscription subscription) {
        engine.subscribe(subscription.active());
        return subscription;
    }

    /**
     * Subscribes, for a thread that takes messages one by one.
     *
     * @param request what to.
     * @return the messages from now on.
     * @throws PenstockException when the broker refuses it.
     * @throws IllegalArgumentException when it asks for credit: a stream has a bound of its own.
     */
    public MessageStream stream(final SubscribeRequest request) {
        final MessageStream.Sink sink = newSink(request.credit());
        return stream(sink, engine.newSubscription(request, sink));
    }

    private MessageStream.Sink newSink(final long credit) {
        return new MessageStream.Sink(config, credit, engine::wakeup);
    }

    private MessageStream stream(final MessageStream.Sink sink, final ActiveSubscription subscription) {
        return new MessageStream(sink, engine, made(new Subscription(engine, subscription)));
    }

    /**
     * A publisher by the rules of reactive streams, whose subscribers are called by the JVM's pool for tasks.
     *
     * @param request what to.
     * @return as of {@link #publisher(SubscribeRequest, Executor)}.
     */
    public Flow.Publisher<Message> publisher(final SubscribeRequest request) {
        return publisher(request, new CompletableFuture<>().defaultExecutor());
    }

    /**
     * A publisher by the rules of reactive streams: a library makes a {@code Flux} or the like of it. Each subscriber has a
     * subscription of its own at the broker, from when it subscribes on, which ends when it cancels. It is called by one
     * thread of an executor at a time, gets as many messages as it requests, and up to {@link ClientConfig#streamLimit()}
     * messages and {@link ClientConfig#streamLength()} bytes wait for it here. Then the broker sends no more of the
     * subscription, while others go on; of one that follows state, the client stops reading its connection. {@code onError}
     * gets a {@link PenstockException} when the broker refuses or ends the subscription, and when the client ends.
     *
     * @param request  what to.
     * @param executor that calls subscribers; one that runs tasks at once has the client's thread do it, which they may not
     *                 block then.
     * @return a publisher for any number of subscribers.
     * @throws IllegalArgumentException when it asks for credit: that is what subscribers request.
     */
    public Flow.Publisher<Message> publisher(final SubscribeRequest request, final Executor executor) {
        final SubscribeRequest bounded = HeldMessages.bounded(request, config);
        return new MessagePublisher(config, engine, executor, false, sink -> engine.newSubscription(bounded, sink));
    }

    /**
     * A publisher of the log by the rules of reactive streams, whose subscribers are called by the JVM's pool for tasks.
     *
     * @param request what to, from where and up to where.
     * @return as of {@link #publisher(ReplayRequest, Executor)}.
     */
    public Flow.Publisher<Message> publisher(final ReplayRequest request) {
        return publisher(request, new CompletableFuture<>().defaultExecutor());
    }

    /**
     * A publisher of the log by the rules of reactive streams. It is complete after the last message of a request with an
     * end.
     *
     * @param request  what to, from where and up to where.
     * @param executor that calls subscribers.
     * @return as of {@link #publisher(SubscribeRequest, Executor)}.
     * @throws IllegalArgumentException when it asks for credit: that is what subscribers request.
     */
    public Flow.Publisher<Message> publisher(final ReplayRequest request, final Executor executor) {
        final ReplayRequest bounded = HeldMessages.bounded(request, config);
        final boolean hasEnd = request.to().kind() != LogPlace.Kind.NO_END;
        return new MessagePublisher(config, engine, executor, hasEnd, sink -> engine.newReplay(bounded, sink));
    }

    /**
     * Subscribes to a topic, for a thread that takes messages one by one.
     *
     * @param topic its name.
     * @return the messages from now on.
     * @throws PenstockException when the broker refuses it.
     */
    public MessageStream stream(final String topic) {
        return stream(SubscribeRequest.topic(topic));
    }

    /**
     * Subscribes to the log: from where the request says up to its end, or on with new messages. On a new connection it
     * goes on after the last message that was handed over.
     *
     * @param request what to, from where and up to where.
     * @param handler called for each message on the client's thread.
     * @return the subscription, accepted by the broker; {@link Subscription#completed()} shows when it has reached its
     *         end, or the end of the log at its beginning.
     * @throws PenstockException when the broker refuses it, with {@code BOOKMARK_NOT_FOUND} for example.
     */
    public Subscription subscribe(final ReplayRequest request, final MessageHandler handler) {
        return made(newReplay(request, handler));
    }

    /** One that is not made yet. */
    Subscription newReplay(final ReplayRequest request, final MessageHandler handler) {
        final SubscriptionSink sink = newSink(handler, false);
        return sink.of(new Subscription(engine, engine.newReplay(bounded(request, handler), sink)));
    }

    /**
     * Subscribes to the log, for a thread that takes messages one by one.
     *
     * @param request what to, from where and up to where.
     * @return the messages; after the last one of a request with an end the stream is at its end.
     * @throws PenstockException when the broker refuses it.
     */
    public MessageStream stream(final ReplayRequest request) {
        final MessageStream.Sink sink = newSink(request.credit());
        return stream(sink, engine.newReplay(request, sink));
    }

    /**
     * Subscribes under a name: from where the request says at first, and then, on each new connection and when the
     * program was started again, after the last message that was acknowledged. Needs {@link
     * ClientConfig#bookmarkStore()}.
     *
     * @param name    of the subscription, the same in each run of the program. Of one client a single subscription may have
     *                it at a time; it is free again when that one has ended or was closed.
     * @param request what to, and from where at first.
     * @param handler called for each message on the client's thread.
     * @param mode    how a message is acknowledged. With {@link AckMode#MANUAL} at most {@link
     *                ClientConfig#streamLimit()} messages are open; then the client stops reading its connection.
     * @return the subscription, accepted by the broker.
     * @throws PenstockException     when the broker refuses it.
     * @throws IllegalStateException when the name is in use, and without a bookmark store.
     */
    public Subscription subscribe(
            final String name, final ReplayRequest request, final MessageHandler handler, final AckMode mode) {
        return made(newReplay(name, request, handler, mode));
    }

    /** One that is not made yet. */
    Subscription newReplay(
            final String name, final ReplayRequest request, final MessageHandler handler, final AckMode mode) {
        // What an executor handles may be done in any order.
        final boolean isAcknowledging = handler instanceof ExecutorHandler && mode == AckMode.AUTO;
        final SubscriptionSink sink = newSink(handler, isAcknowledging);
        final AckMode known = isAcknowledging ? AckMode.MANUAL : mode;
        return sink.of(new Subscription(engine, engine.newReplay(name, bounded(request, handler), sink, known)));
    }

    /**
     * Subscribes under a name, for a thread that takes messages one by one. A message is acknowledged when the next
     * one is asked for.
     *
     * @param name    of the subscription, the same in each run of the program.
     * @param request what to, and from where at first.
     * @return the messages.
     * @throws PenstockException     when the broker refuses it.
     * @throws IllegalStateException when the name is in use, and without a bookmark store.
     * @see #subscribe(String, ReplayRequest, MessageHandler, AckMode)
     */
    public MessageStream stream(final String name, final ReplayRequest request) {
        final MessageStream.Sink sink = newSink(request.credit());
        return stream(sink, engine.newReplay(name, request, sink, null));
    }

    /**
     * Replaces what a subscription is to: its topic, filter and options, at one point between two messages. Everything
     * up to that point still comes as it was requested before, however far the subscription lags; everything from it on
     * as it is asked for now. The handler or stream stays; a pause and a rate end. A request with {@link
     * SubscribeRequest#sow()} brings the state in place of what had not come. One to the log is an ordinary one from
     * then on, also on a new connection; under its name nothing is noted any more.
     *
     * @param subscription of this client.
     * @param request      what to from now on.
     * @throws PenstockException when the broker refuses it; the subscription stays as it was then.
     */
    public void replace(final Subscription subscription, final SubscribeRequest request) {
        engine.replace(subscription.active(), request);
    }

    /**
     * Queries state, and keeps the whole answer in memory: at most {@link ClientConfig#streamLength()} bytes, 128 added
     * for each record. A query that is not answered within {@link ClientConfig#requestTimeoutNs()}, longer by the
     * request's own time if it has one, is given up, here and at the broker.
     *
     * @param request what is asked.
     * @return the records, and what was looked at.
     * @throws PenstockException with {@code NO_STATE} when there is no such topic with state, {@code LIMIT_REACHED} when
     *                           the answer is too long, or another reason of the broker.
     * @throws NoReplyException  when it took too long.
     */
    public SowResult sow(final SowRequest request) {
        final MessageList list = new MessageList(request.topic(), config.streamLength());
        final SowStats stats = engine.sow(request, list);
        return new SowResult(list.messages(), stats);
    }

    /**
     * Queries state, and hands each record to a handler.
     *
     * @param request what is asked.
     * @param handler called for each record on the client's thread; what it throws ends the query.
     * @return what was looked at, after the last record.
     * @throws PenstockException when the broker refuses or gives up the query, or the handler threw.
     * @throws NoReplyException  when it took too long; a record that is just being handed over may still come.
     * @throws ConnectionException when the connection is lost after the handler was called.
     */
    public SowStats sow(final SowRequest request, final MessageHandler handler) {
        return engine.sow(request, new HandlerSink(ExecutorHandler.notFor("sow", handler)));
    }

    /**
     * Queries state without waiting, so that handlers can do it too.
     *
     * @param request what is asked.
     * @param handler called for each record on the client's thread; what it throws ends the query.
     * @return completed on the client's thread after the last record, exceptionally with a {@link PenstockException}
     *     when the query fails. Cancelling it gives the query up, here and at the broker.
     */
    public CompletableFuture<SowStats> sowAsync(final SowRequest request, final MessageHandler handler) {
        return engine.sowAsync(request, new HandlerSink(ExecutorHandler.notFor("sow", handler)));
    }

    /**
     * Queries state, for a thread that takes the records one by one.
     *
     * @param request what is asked.
     * @return the records as they come; a refusal is thrown by the stream.
     */
    public QueryStream sowStream(final SowRequest request) {
        final MessageStream.Sink sink = newSink(0);
        return new QueryStream(sink, engine, engine.sowAsync(request, sink));
    }
}
