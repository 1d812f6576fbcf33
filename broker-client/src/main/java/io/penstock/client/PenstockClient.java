package io.penstock.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;

/**
 * A client of a broker. Any thread may call its methods. One thread of its own, {@code penstock-client-<name>}, owns
 * the connection and calls all handlers; methods that wait may not be called from there.
 *
 * <p>Commands and publishes of one thread reach the broker in their order. Threads hand them over through a bounded
 * ring; a publish that finds no room waits for {@link ClientConfig#publishTimeoutNs()}.
 */
public final class PenstockClient implements AutoCloseable {
    private PenstockClient() {}

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
        throw new UnsupportedOperationException(config.toString());
    }

    /**
     * The broker's name and version, for people.
     *
     * @return as told at the logon.
     */
    public String broker() {
        throw new UnsupportedOperationException();
    }

    /**
     * The highest publisher sequence that the broker had applied for this client's name when it logged on, so that a
     * program knows where to go on after a restart.
     *
     * @return the sequence, 0 when there was none.
     */
    public long publisherSequence() {
        throw new UnsupportedOperationException();
    }

    /**
     * Whether the client is logged on at this moment.
     *
     * @return false while it reconnects and after it was closed.
     */
    public boolean isConnected() {
        throw new UnsupportedOperationException();
    }

    /**
     * Whether the client is gone for good.
     *
     * @return true after {@link #close()}, and after a lost connection that was not to be replaced.
     */
    public boolean isClosed() {
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
    }

    /**
     * Publishes without asking for an acknowledgement.
     *
     * @param topic   to publish to.
     * @param payload copied before this returns.
     * @see #publish(String, String)
     */
    public void publish(final String topic, final byte[] payload) {
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
    }

    /**
     * Waits until the broker has applied everything that was published before and handed it to those it goes to.
     *
     * @param timeout the longest wait.
     * @throws NoReplyException when it took longer.
     */
    public void flush(final Duration timeout) {
        throw new UnsupportedOperationException();
    }

    /** Flushes within {@link ClientConfig#requestTimeoutNs()}. */
    public void flush() {
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
    }

    /**
     * Subscribes, for a thread that takes messages one by one.
     *
     * @param request what to.
     * @return the messages from now on.
     * @throws PenstockException when the broker refuses it.
     */
    public MessageStream stream(final SubscribeRequest request) {
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
    }

    /**
     * Reads the broker's counters.
     *
     * @param prefix of their names; empty = all.
     * @return in the broker's order.
     */
    public List<Stat> stat(final String prefix) {
        throw new UnsupportedOperationException();
    }

    /**
     * Lists the broker's topics.
     *
     * @param prefix of their names; empty = all.
     * @return in the broker's order.
     */
    public List<TopicInfo> topics(final String prefix) {
        throw new UnsupportedOperationException();
    }

    /**
     * Creates a topic, unless it is there with the same format.
     *
     * @param topic  its name.
     * @param format of its messages.
     * @throws PenstockException with {@code BAD_FORMAT} when there is no such format or the topic has another one.
     */
    public void declareTopic(final String topic, final String format) {
        throw new UnsupportedOperationException();
    }

    /**
     * Sends what was accepted, waits for at most {@link ClientConfig#closeTimeoutNs()} until the broker has applied it,
     * and closes the connection. Whoever still waits for an acknowledgement is told that none will come. Idempotent.
     */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }

    void unsubscribe(final Subscription subscription) {
        throw new UnsupportedOperationException(subscription.toString());
    }
}
