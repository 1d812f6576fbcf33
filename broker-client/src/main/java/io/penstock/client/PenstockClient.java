package io.penstock.client;

import io.penstock.transport.RequiredFlags;
import io.penstock.transport.Transports;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A client of a broker. Any thread may call its methods. One thread of its own, {@code penstock-client-<name>}, owns
 * the connection and calls all handlers; methods that wait may not be called from there.
 *
 * <p>Commands and publishes of one thread reach the broker in their order. Threads hand them over through a bounded
 * ring; a publish that finds no room waits for {@link ClientConfig#publishTimeoutNs()}.
 */
public final class PenstockClient implements AutoCloseable {
    private static final int ACK_TYPES_ALL = (1 << AckType.values().length) - 1;

    private final ClientConfig config;
    private final ClientStatus status;
    private final Subscriptions subscriptions = new Subscriptions();
    private final Outbox outbox;
    private final CommandPoster poster;
    private final AtomicLong nextSubscriptionId = new AtomicLong(1);

    private PenstockClient(final ClientConfig config) {
        this.config = config;
        status = new ClientStatus(config.messageLengthMax());
        outbox = new Outbox(config);
        poster = new CommandPoster(config, status, outbox);
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
     * Publishes text without asking for an acknowledgement. What the broker refuses is told to {@link
     * ClientConfig#publishErrorHandler()}.
     *
     * @param topic to publish to.
     * @param text  sent as UTF-8.
     * @throws BackPressureException when there was no room in time.
     * @throws ConnectionException   when the client is closed.
     * @throws PenstockException     when the message is too long.
     */
    public void publish(final String topic, final String text) {
        publish(topic, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Publishes without asking for an acknowledgement.
     *
     * @param topic   to publish to.
     * @param payload copied before this returns.
     * @see #publish(String, String)
     */
    public void publish(final String topic, final byte[] payload) {
        publish(topic, new UnsafeBuffer(payload), 0, payload.length);
    }

    /**
     * Publishes without asking for an acknowledgement. Allocates nothing.
     *
     * @param topic   to publish to.
     * @param payload holding the bytes, copied before this returns.
     * @param offset  of the first one.
     * @param length  in bytes.
     * @see #publish(String, String)
     */
    public void publish(final String topic, final DirectBuffer payload, final int offset, final int length) {
        poster.publish(topic, payload, offset, length, 0, 0, null);
    }

    /**
     * Publishes if there is room at once. Allocates nothing.
     *
     * @param topic   to publish to.
     * @param payload holding the bytes, copied before this returns.
     * @param offset  of the first one.
     * @param length  in bytes.
     * @return false when there was no room, and nothing was done.
     */
    public boolean tryPublish(final String topic, final DirectBuffer payload, final int offset, final int length) {
        return poster.tryPublish(topic, payload, offset, length, 0, 0, null, 0);
    }

    /**
     * Publishes text and asks for an acknowledgement.
     *
     * @param topic   to publish to.
     * @param text    sent as UTF-8.
     * @param ackType that completes the future.
     * @return completed on the client's thread: with the acknowledgement, or exceptionally with a {@link
     *     PenstockException}, which is a {@link ConnectionException} when the connection was lost before.
     */
    public CompletableFuture<Ack> publish(final String topic, final String text, final AckType ackType) {
        return publish(topic, text.getBytes(StandardCharsets.UTF_8), ackType);
    }

    /**
     * Publishes and asks for an acknowledgement.
     *
     * @param topic   to publish to.
     * @param payload copied before this returns.
     * @param ackType that completes the future.
     * @return as of {@link #publish(String, String, AckType)}.
     */
    public CompletableFuture<Ack> publish(final String topic, final byte[] payload, final AckType ackType) {
        return publish(topic, new UnsafeBuffer(payload), 0, payload.length, 0, ackType);
    }

    /**
     * Publishes with a publisher sequence: a message whose sequence is not above the last one applied for this
     * client's name is acknowledged but not applied again, so it may be published anew when its fate is unknown.
     *
     * @param topic             to publish to.
     * @param payload           holding the bytes, copied before this returns.
     * @param offset            of the first one.
     * @param length            in bytes.
     * @param publisherSequence rising for this client's name; 0 = none.
     * @param ackType           that completes the future.
     * @return as of {@link #publish(String, String, AckType)}.
     */
    public CompletableFuture<Ack> publish(
            final String topic,
            final DirectBuffer payload,
            final int offset,
            final int length,
            final long publisherSequence,
            final AckType ackType) {
        final AckFuture future = new AckFuture();
        poster.publish(topic, payload, offset, length, publisherSequence, ackType.mask(), future);
        return future;
    }

    /**
     * Publishes if there is room at once, and tells a handler of the acknowledgements. Allocates nothing.
     *
     * @param topic             to publish to.
     * @param payload           holding the bytes, copied before this returns.
     * @param offset            of the first one.
     * @param length            in bytes.
     * @param publisherSequence rising for this client's name; 0 = none.
     * @param ackTypes          the masks of the types asked for, combined; not 0.
     * @param handler           called on the client's thread.
     * @param correlationId     handed to the handler.
     * @return false when there was no room, and nothing was done.
     */
    public boolean tryPublish(
            final String topic,
            final DirectBuffer payload,
            final int offset,
            final int length,
            final long publisherSequence,
            final int ackTypes,
            final AckHandler handler,
            final long correlationId) {
        if (ackTypes <= 0 || ackTypes > ACK_TYPES_ALL) {
            throw new IllegalArgumentException(
                    "publish: no such acknowledgements: " + ackTypes + " (combine AckType.mask())");
        }
        return poster.tryPublish(topic, payload, offset, length, publisherSequence, ackTypes, handler, correlationId);
    }

    /**
     * Waits until the broker has applied everything that was published before and handed it to those it goes to.
     *
     * @param timeout the longest wait.
     * @throws NoReplyException when it took longer.
     */
    public void flush(final Duration timeout) {
        poster.call("flush", CommandFrame.flush(), new Request.Done(), timeout.toNanos());
    }

    /** Flushes within {@link ClientConfig#requestTimeoutNs()}. */
    public void flush() {
        poster.call("flush", CommandFrame.flush(), new Request.Done(), config.requestTimeoutNs());
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
        return subscribe(request, new HandlerSink(handler));
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
        final Subscription subscription = newSubscription(request, sink);
        final Subscriptions.Creation creation = new Subscriptions.Creation(subscriptions, subscription);
        poster.post(CommandFrame.subscribe(subscription.id(), request), creation);
        return creation;
    }

    /**
     * Subscribes, for a thread that takes messages one by one.
     *
     * @param request what to.
     * @return the messages from now on.
     * @throws PenstockException when the broker refuses it.
     */
    public MessageStream stream(final SubscribeRequest request) {
        final MessageStream.Sink sink =
                new MessageStream.Sink(config.streamLimit(), config.streamLength(), status::wakeup);
        return new MessageStream(sink, poster, subscribe(request, sink));
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
        return poster.call("stat", CommandFrame.stat(prefix), new Request.Stats(), config.requestTimeoutNs());
    }

    /**
     * Lists the broker's topics.
     *
     * @param prefix of their names; empty = all.
     * @return in the broker's order.
     */
    public List<TopicInfo> topics(final String prefix) {
        return poster.call("topics", CommandFrame.topics(prefix), new Request.Topics(), config.requestTimeoutNs());
    }

    /**
     * Creates a topic, unless it is there with the same format.
     *
     * @param topic  its name.
     * @param format of its messages.
     * @throws PenstockException with {@code BAD_FORMAT} when there is no such format or the topic has another one.
     */
    public void declareTopic(final String topic, final String format) {
        poster.call(
                "declare",
                CommandFrame.declareTopic(topic, format, "", 0),
                new Request.Done(),
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
            poster.call(
                    "unsubscribe",
                    CommandFrame.unsubscribe(subscription.id()),
                    new Subscriptions.Removal(subscriptions, subscription),
                    config.requestTimeoutNs());
        }
    }

    private Subscription subscribe(final SubscribeRequest request, final MessageSink sink) {
        final Subscription subscription = newSubscription(request, sink);
        return poster.call(
                "subscribe",
                CommandFrame.subscribe(subscription.id(), request),
                new Subscriptions.Creation(subscriptions, subscription),
                config.requestTimeoutNs());
    }

    private Subscription newSubscription(final SubscribeRequest request, final MessageSink sink) {
        return new Subscription(this, nextSubscriptionId.getAndIncrement(), request, sink);
    }

    private ClientAgent newAgent() {
        try {
            return new ClientAgent(config, status, outbox, subscriptions);
        } catch (final RuntimeException e) {
            outbox.close();
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

    CommandPoster poster() {
        return poster;
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
