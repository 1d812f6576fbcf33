package io.penstock.client;

import io.penstock.transport.RequiredFlags;
import io.penstock.transport.Transports;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A client of a broker. Any thread may call its methods. One thread of its own, {@code penstock-client-<name>}, owns
 * the connection and calls all handlers; methods that wait may not be called from there.
 *
 * <p>Commands and publishes of one thread reach the broker in their order. Threads hand them over through a bounded
 * ring; a publish that finds no room waits for {@link ClientConfig#publishTimeoutNs()}.
 *
 * <p>A command that was not answered when the connection is lost is sent again on the next one, if the client reconnects
 * and its repetition does no harm: those that subscribe, replace, set a pace, declare a topic, list topics or counters,
 * and queries of which nothing was handed over. All others fail with a {@link ConnectionException}.
 */
public final class PenstockClient extends PublishingClient implements AutoCloseable {
    private final ClientConfig config;
    private final ClientStatus status;
    private final Subscriptions subscriptions = new Subscriptions();
    private final Queries queries = new Queries(subscriptions);
    private final SinkWriters sinks;
    private final AtomicInteger nextWriterId = new AtomicInteger(1);
    private final Outbox outbox;
    private final @Nullable StorePoster storePoster;
    private final CommandPoster poster;
    private final AtomicLong nextSubscriptionId = new AtomicLong(1);

    private PenstockClient(final ClientConfig config) {
        this.config = config;
        status = new ClientStatus(config.messageLengthMax());
        outbox = new Outbox(config);
        sinks = new SinkWriters(config.nanoClock());
        final PublishStore store = config.publishStore();
        storePoster = store == null ? null : new StorePoster(store, outbox);
        poster = new CommandPoster(config, status, outbox, storePoster);
    }

    /**
     * Connects to a broker and logs on.
     *
     * @param endpoint for example {@code tcp://127.0.0.1:9100}.
     * @return a client that is logged on.
     * @throws ConnectionException      when nobody listens there, or the broker refuses this client.
     * @throws IllegalArgumentException when no transport on the class path serves the endpoint.
     */
    public static PenstockClient connect(final String endpoint) {
        return connect(ClientConfig.of(endpoint));
    }

    /**
     * Connects to a broker and logs on.
     *
     * @param config of the client.
     * @return a client that is logged on.
     * @throws ConnectionException      when nobody listens there, or the broker refuses this client.
     * @throws IllegalArgumentException when no transport on the class path serves the endpoint.
     */
    public static PenstockClient connect(final ClientConfig config) {
        RequiredFlags.check();
        Transports.providerFor(config.endpoint());
        final PenstockClient client = new PenstockClient(config);
        new ClientThread(config, client.status, client::newAgent).start();
        client.awaitLogon();
        return client;
    }

    /**
     * The broker's name and version, for people.
     *
     * @return as told at the logon.
     */
    public String broker() {
        return status.broker();
    }

    /**
     * The highest publisher sequence that the broker had applied for this client's name when it logged on, so that a
     * program knows where to go on after a restart.
     *
     * @return the sequence, 0 when there was none.
     */
    public long publisherSequence() {
        return status.publisherSequence();
    }

    /**
     * Whether the client is logged on at this moment.
     *
     * @return false while it reconnects and after it was closed.
     */
    public boolean isConnected() {
        return status.isConnected();
    }

    /**
     * Whether the client is gone for good.
     *
     * @return true after {@link #close()}, and after a lost connection that was not to be replaced.
     */
    public boolean isClosed() {
        return status.isCloseRequested() || status.isEnded();
    }

    /**
     * Waits until the broker has applied everything that was published before and handed it to those it goes to. With a
     * publish store: until it has all of that for good, also when the connection is lost meanwhile.
     *
     * @param timeout the longest wait.
     * @throws NoReplyException when it took longer.
     */
    public void flush(final Duration timeout) {
        flush(timeout.toNanos());
    }

    /** Flushes within {@link ClientConfig#requestTimeoutNs()}. */
    public void flush() {
        flush(config.requestTimeoutNs());
    }

    private void flush(final long timeoutNs) {
        if (storePoster == null) {
            poster.call("flush", CommandFrame.flush(), new Request.Done(), timeoutNs);
        } else {
            poster.drain(timeoutNs);
        }
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
        return subscribe(newSubscription(request, new HandlerSink(handler)));
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
        return subscribeAsync(request, new HandlerSink(handler));
    }

    CompletableFuture<Subscription> subscribeAsync(final SubscribeRequest request, final MessageSink sink) {
        return subscribeAsync(newSubscription(request, sink));
    }

    CompletableFuture<Subscription> subscribeAsync(final Subscription subscription) {
        final Subscriptions.Creation creation = new Subscriptions.Creation(subscriptions, subscription);
        poster.post(subscription.frame(), creation);
        return creation;
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
        final MessageStream.Sink sink = new MessageStream.Sink(config, request.credit(), status::wakeup);
        return new MessageStream(sink, poster, subscribe(newSubscription(request, sink)));
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
     * Subscribes to the log: from where the request says up to its end, or on with new messages. On a new connection it goes
     * on after the last message that was handed over.
     *
     * @param request what to, from where and up to where.
     * @param handler called for each message on the client's thread.
     * @return the subscription, accepted by the broker; {@link Subscription#completed()} tells when it has come to the
     *     end, or to what was new when it was made.
     * @throws PenstockException when the broker refuses it, with {@code BOOKMARK_NOT_FOUND} for example.
     */
    public Subscription subscribe(final ReplayRequest request, final MessageHandler handler) {
        return subscribe(newReplay(request, new HandlerSink(handler), new Replay(request)));
    }

    /**
     * Subscribes to the log, for a thread that takes messages one by one.
     *
     * @param request what to, from where and up to where.
     * @return the messages; behind the last one of a request with an end the stream is at its end.
     * @throws PenstockException when the broker refuses it.
     */
    public MessageStream stream(final ReplayRequest request) {
        final MessageStream.Sink sink = new MessageStream.Sink(config, request.credit(), status::wakeup);
        return new MessageStream(sink, poster, subscribe(newReplay(request, sink, new Replay(request))));
    }

    /**
     * Subscribes under a name: from where the request says at first, and then, on each new connection and when the
     * program was started again, after the last message that was processed. Needs {@link
     * ClientConfig#bookmarkStore()}.
     *
     * @param name       of the subscription, the same in each run of the program; one live subscription for each.
     * @param request    what to, and from where at first.
     * @param handler    called for each message on the client's thread.
     * @param processing when the program is done with a message. With {@link Processing#ACKNOWLEDGED} at most {@link
     *                   ClientConfig#streamLimit()} messages are open; then the client stops reading its connection.
     * @return the subscription, accepted by the broker.
     * @throws PenstockException when the broker refuses it.
     */
    public Subscription subscribe(
            final String name, final ReplayRequest request, final MessageHandler handler, final Processing processing) {
        return subscribe(newReplay(name, request, new HandlerSink(handler), processing));
    }

    /**
     * Subscribes under a name, for a thread that takes messages one by one. A message is processed when the next one is
     * asked for.
     *
     * @param name    of the subscription, the same in each run of the program.
     * @param request what to, and from where at first.
     * @return the messages.
     * @throws PenstockException when the broker refuses it.
     * @see #subscribe(String, ReplayRequest, MessageHandler, Processing)
     */
    public MessageStream stream(final String name, final ReplayRequest request) {
        final MessageStream.Sink sink = new MessageStream.Sink(config, request.credit(), status::wakeup);
        return new MessageStream(sink, poster, subscribe(newReplay(name, request, sink, null)));
    }

    Subscription newReplay(
            final String name,
            final ReplayRequest request,
            final MessageSink sink,
            final @Nullable Processing processing) {
        final BookmarkStore store = config.bookmarkStore();
        if (store == null || name.isEmpty()) {
            throw new IllegalStateException("subscribe: " + (store == null ? "no bookmark store" : "no name")
                    + " (give the configuration a store, and the subscription a name)");
        }
        return newReplay(
                request, sink, new Replay(name, request, store, processing, config.streamLimit(), status::wakeup));
    }

    Subscription newReplay(final ReplayRequest request, final MessageSink sink, final Replay replay) {
        final SubscribeRequest what = request.isPattern()
                ? SubscribeRequest.pattern(request.topic())
                : SubscribeRequest.topic(request.topic());
        return new Subscription(
                this, nextSubscriptionId.getAndIncrement(), what.filter(request.filter()), sink, replay);
    }

    /**
     * Measures a round trip through the broker's engine.
     *
     * @return how long it took.
     * @throws NoReplyException when the broker did not answer in time.
     */
    public Duration ping() {
        final long startNs = config.nanoClock().nanoTime();
        poster.call("ping", CommandFrame.flush(), new Request.Done(), config.requestTimeoutNs());
        return Duration.ofNanos(config.nanoClock().nanoTime() - startNs);
    }

    /**
     * Reads the broker's counters.
     *
     * @param prefix of their names; empty = all.
     * @return in the broker's order.
     */
    public List<Stat> stat(final String prefix) {
        return poster.callRepeatable("stat", CommandFrame.stat(prefix), new Request.Stats(), config.requestTimeoutNs());
    }

    /**
     * Lists the broker's topics.
     *
     * @param prefix of their names; empty = all.
     * @return in the broker's order.
     */
    public List<TopicInfo> topics(final String prefix) {
        return poster.callRepeatable(
                "topics", CommandFrame.topics(prefix), new Request.Topics(), config.requestTimeoutNs());
    }

    /**
     * Creates a topic, unless it is there with the same format.
     *
     * @param topic  its name.
     * @param format of its messages.
     * @throws PenstockException with {@code BAD_FORMAT} when there is no such format or the topic has another one.
     */
    public void declareTopic(final String topic, final String format) {
        declareTopic(topic, format, "", 0);
    }

    /**
     * Creates a topic that keeps the last message of each key, unless it is there with the same format and key.
     *
     * @param topic        its name.
     * @param format       of its messages.
     * @param key          paths of the fields that are the key, for example {@code id} or {@code /order/id, venue};
     *                     {@code *} when publishers give it; empty for no state.
     * @param expirationMs of its records after their last change, in milliseconds; 0 for never.
     * @throws PenstockException when the broker refuses it.
     */
    public void declareTopic(final String topic, final String format, final String key, final long expirationMs) {
        poster.callRepeatable(
                "declare",
                CommandFrame.declareTopic(topic, format, key, expirationMs),
                new Request.Done(),
                config.requestTimeoutNs());
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
        final SowStats stats = sow(request, list);
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
        return sow(request, new HandlerSink(handler));
    }

    private SowStats sow(final SowRequest request, final MessageSink sink) {
        final Query query = newQuery(request, sink);
        final long timeoutNs = config.requestTimeoutNs() + TimeUnit.MILLISECONDS.toNanos(request.timeoutMs());
        return poster.call("sow", query.frame(), query, timeoutNs);
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
        final Query query = newQuery(request, new HandlerSink(handler));
        poster.post(query.frame(), query);
        return query;
    }

    /**
     * Queries state, for a thread that takes the records one by one.
     *
     * @param request what is asked.
     * @return the records as they come; a refusal is thrown by the stream.
     */
    public QueryStream sowStream(final SowRequest request) {
        final MessageStream.Sink sink = new MessageStream.Sink(config, 0, status::wakeup);
        final Query query = newQuery(request, sink);
        poster.post(query.frame(), query);
        return new QueryStream(sink, poster, query);
    }

    private Query newQuery(final SowRequest request, final MessageSink sink) {
        return new Query(nextSubscriptionId.getAndIncrement(), request, sink, queries, poster);
    }

    /**
     * Deletes the records that match a filter, as far as they still do when they are deleted.
     *
     * @param topic  with state.
     * @param filter for example {@code price > 10}; {@code TRUE} deletes all.
     * @return how many records were deleted.
     * @throws PenstockException when the broker refuses it.
     * @throws NoReplyException  when it took longer than {@link ClientConfig#requestTimeoutNs()}; it goes on then.
     */
    public long sowDelete(final String topic, final String filter) {
        return poster.call(
                "sow_delete",
                CommandFrame.sowDelete(topic, filter, List.of()),
                new Request.Count(),
                config.requestTimeoutNs());
    }

    /**
     * Deletes the records with some keys.
     *
     * @param topic with state.
     * @param keys  messages with the key fields, for example {@code {"id":7}}, or keys where publishers give them; none
     *              has a line break in it.
     * @return how many records were deleted; keys without a record are left out.
     * @throws PenstockException when the broker refuses it.
     * @throws NoReplyException  when it took longer than {@link ClientConfig#requestTimeoutNs()}; it goes on then.
     */
    public long sowDeleteKeys(final String topic, final List<String> keys) {
        return poster.call(
                "sow_delete", CommandFrame.sowDelete(topic, "", keys), new Request.Count(), config.requestTimeoutNs());
    }

    /**
     * Becomes a producer of a sink: a file of the broker that blocks of many producers are merged into.
     *
     * @param sink    its name.
     * @param options of the blocks, and who delivers them.
     * @return a writer, to be closed before the client is.
     * @throws PenstockException when the broker refuses it, or there is no memory.
     */
    public BlockWriter openSink(final String sink, final SinkOptions options) {
        poster.checkNotAgent("sink");
        final BlockWriter writer = new BlockWriter(status, config, sink, nextWriterId.getAndIncrement(), options);
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
     * Replaces what a subscription is to: its topic, filter and options, at one point between two messages. Everything up
     * to it still comes as it was asked for before, however far behind the subscription is; everything from it on as it is
     * asked for now. The handler or stream stays; a pause and a rate end. A request with {@link SubscribeRequest#sow()}
     * brings the state in place of what had not come. One to the log is an ordinary one from then on, also on a new
     * connection.
     *
     * @param subscription of this client.
     * @param request      what to from now on.
     * @throws PenstockException when the broker refuses it; the subscription stays as it was then.
     */
    public void replace(final Subscription subscription, final SubscribeRequest request) {
        poster.callRepeatable(
                "replace",
                CommandFrame.subscribe(subscription.id(), request, true),
                new Subscriptions.Replacement(subscription, request),
                config.requestTimeoutNs());
    }

    /**
     * Sends what was accepted, waits for at most {@link ClientConfig#closeTimeoutNs()} until the broker has applied it,
     * and closes the connection. Whoever still waits for an acknowledgement is told that none will come. Idempotent.
     */
    @Override
    public void close() {
        status.requestClose();
        if (!status.isAgentThread()) {
            status.ended().join();
        }
    }

    void unsubscribe(final Subscription subscription) {
        if (status.isAgentThread()) {
            subscriptions.drop(subscription, null);
            status.wakeup();
        } else if (!isClosed()) {
            poster.remove(
                    subscriptions, new Subscriptions.Removal(subscriptions, subscription), config.requestTimeoutNs());
        }
    }

    /** Waits until the broker has taken another pace; the change is noted on the agent then. */
    void pace(final CommandFrame frame, final Runnable change) {
        poster.callRepeatable("pace", frame, new Subscriptions.PaceChange(change), config.requestTimeoutNs());
    }

    void tellCredit(final Subscription subscription) {
        poster.tellCredit(subscriptions, subscription);
    }

    private Subscription subscribe(final Subscription subscription) {
        return poster.call(
                "subscribe",
                subscription.frame(),
                new Subscriptions.Creation(subscriptions, subscription),
                config.requestTimeoutNs());
    }

    private Subscription newSubscription(final SubscribeRequest request, final MessageSink sink) {
        return new Subscription(this, nextSubscriptionId.getAndIncrement(), request, sink);
    }

    private ClientAgent newAgent() {
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

    private void awaitLogon() {
        try {
            status.firstLogon().get();
        } catch (final ExecutionException e) {
            throw e.getCause() instanceof PenstockException reason
                    ? reason.onCallersThread()
                    : new ConnectionException("client: failed to start: " + e.getCause(), e.getCause());
        } catch (final InterruptedException e) {
            status.requestClose();
            Thread.currentThread().interrupt();
            throw new ConnectionException("client: interrupted while connecting to " + config.endpoint(), e);
        }
    }

    @Override
    CommandPoster poster() {
        return poster;
    }

    long requestTimeoutNs() {
        return config.requestTimeoutNs();
    }

    /** A client without a thread, for one that drives the agent itself. Nothing that waits may be called. */
    static PenstockClient invoked(final ClientConfig config) {
        return new PenstockClient(config);
    }

    /** Makes the agent of an invoked client, owned by the calling thread. */
    ClientAgent agent() {
        return newAgent();
    }
}
