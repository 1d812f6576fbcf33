package io.penstock.client;

import io.penstock.client.engine.CommandPoster;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** The ways to publish of a client, all through its poster. Safe on any thread. */
abstract class PublishingClient {
    private static final int ACK_TYPES_ALL = (1 << AckType.values().length) - 1;

    /** Where commands and messages of any thread go. */
    private final CommandPoster poster;

    PublishingClient(final CommandPoster poster) {
        this.poster = poster;
    }

    /**
     * Publishes text without asking for an acknowledgement. Refusals of the broker go to {@link
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
        poster.publish(topic, payload, offset, length, PublishOptions.NONE, 0, 0, null, 0);
    }

    /**
     * Publishes if there is room at once. Allocates nothing.
     *
     * @param topic   to publish to.
     * @param payload holding the bytes, copied before this returns.
     * @param offset  of the first one.
     * @param length  in bytes.
     * @return false when there was no room, or others wait for it already for long (which does not count on the client's own
     *     thread); nothing was done.
     */
    public boolean tryPublish(final String topic, final DirectBuffer payload, final int offset, final int length) {
        return poster.tryPublish(topic, payload, offset, length, PublishOptions.NONE, 0, 0, null, 0);
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
        return publish(topic, payload, PublishOptions.NONE, 0, ackType);
    }

    /**
     * Publishes text with headers, or to a topic with state without asking for an acknowledgement.
     *
     * @param topic   to publish to.
     * @param text    sent as UTF-8.
     * @param options headers, key, delta, expiration.
     * @see #publish(String, String)
     */
    public void publish(final String topic, final String text, final PublishOptions options) {
        final byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        poster.publish(topic, new UnsafeBuffer(payload), 0, payload.length, options, 0, 0, null, 0);
    }

    /**
     * Publishes text with headers, or to a topic with state and asks for an acknowledgement.
     *
     * @param topic   to publish to.
     * @param text    sent as UTF-8.
     * @param options headers, key, delta, expiration.
     * @param ackType that completes the future.
     * @return as of {@link #publish(String, String, AckType)}.
     */
    public CompletableFuture<Ack> publish(
            final String topic, final String text, final PublishOptions options, final AckType ackType) {
        return publish(topic, text.getBytes(StandardCharsets.UTF_8), options, 0, ackType);
    }

    /**
     * Publishes a message with all that was said of it, without asking for an acknowledgement.
     *
     * @param message whose payload is copied before this returns.
     * @throws IllegalArgumentException when its headers are too many or too long.
     * @see #publish(String, String)
     */
    public void publish(final Publication message) {
        poster.publish(
                message.topic,
                message.payload,
                message.offset,
                message.length,
                message.options(),
                message.publisherSequence,
                0,
                null,
                0);
    }

    /**
     * Publishes a message with all that was said of it, and asks for an acknowledgement.
     *
     * @param message whose payload is copied before this returns.
     * @param ackType that completes the future.
     * @return as of {@link #publish(String, String, AckType)}.
     * @throws IllegalArgumentException when its headers are too many or too long.
     */
    public CompletableFuture<Ack> publish(final Publication message, final AckType ackType) {
        final AckFuture future = new AckFuture();
        post(message, ackType, future, 0);
        return future;
    }

    private void post(
            final Publication message, final AckType ackType, final AckHandler handler, final long correlationId) {
        poster.publish(
                message.topic,
                message.payload,
                message.offset,
                message.length,
                message.options(),
                message.publisherSequence,
                ackType.mask(),
                handler,
                correlationId);
    }

    /**
     * Publishes messages in their order, and asks for one acknowledgement of them all. All are checked first: when one is
     * malformed or too long, none is sent. Each then waits for room for up to {@link ClientConfig#publishTimeoutNs()}, so a
     * batch may be longer than what the client holds. The first that gets no room ends the batch: it and those after it are
     * not sent, and count as not acknowledged. A message that the broker refuses does not keep it from those after it.
     * Others may publish between. Allocates one object for the batch.
     *
     * @param messages which must not change before this returns; one object more than once is as many messages.
     * @param ackType  that each has to get.
     * @return completed once it is known what has become of each, on the client's thread or the caller's, and at once when
     *     there are no messages: exceptionally with a {@link BatchException} when not all were acknowledged.
     * @throws PenstockException        when a message is too long, or the client is closed; none was sent.
     * @throws IllegalArgumentException when the headers of one are too many or too long; none was sent.
     */
    public CompletableFuture<BatchAck> publishAll(final List<Publication> messages, final AckType ackType) {
        final int count = messages.size();
        for (final Publication message : messages) {
            poster.check(message.topic, message.payload, message.offset, message.length, message.options());
        }
        final AckBatch batch = new AckBatch(ackType, count);
        int index = 0;
        try {
            for (final Publication message : messages) {
                post(message, ackType, batch, index);
                index++;
            }
        } catch (final PenstockException e) {
            if (index == 0) {
                throw e;
            }
            batch.onEnd(index, e);
        }
        return batch;
    }

    /**
     * Publishes a message with all that was said of it if there is room at once, without asking for an acknowledgement.
     * Allocates nothing for an object that is published again with other bytes.
     *
     * @param message whose payload is copied before this returns.
     * @return as of {@link #tryPublish(String, DirectBuffer, int, int)}.
     * @throws IllegalArgumentException when its headers are too many or too long.
     */
    public boolean tryPublish(final Publication message) {
        return tryPost(message, 0, null, 0);
    }

    /**
     * Publishes a message with all that was said of it if there is room at once, and notifies a handler of the
     * acknowledgements. Allocates nothing for an object that is published again with other bytes.
     *
     * @param message       whose payload is copied before this returns.
     * @param ackTypes      the masks of the types asked for, combined; not 0.
     * @param handler       called on the client's thread.
     * @param correlationId handed to the handler.
     * @return as of {@link #tryPublish(String, DirectBuffer, int, int)}.
     * @throws IllegalArgumentException when there are no such types, or its headers are too many or too long.
     */
    public boolean tryPublish(
            final Publication message, final int ackTypes, final AckHandler handler, final long correlationId) {
        if (ackTypes <= 0 || ackTypes > ACK_TYPES_ALL) {
            throw new IllegalArgumentException(
                    "publish: no such acknowledgements: " + ackTypes + " (combine AckType.mask())");
        }
        return tryPost(message, ackTypes, handler, correlationId);
    }

    private boolean tryPost(
            final Publication message,
            final int ackTypes,
            final @Nullable AckHandler handler,
            final long correlationId) {
        return poster.tryPublish(
                message.topic,
                message.payload,
                message.offset,
                message.length,
                message.options(),
                message.publisherSequence,
                ackTypes,
                handler,
                correlationId);
    }

    /** A request: it completes once it is applied, or refused. */
    CompletableFuture<Ack> publish(
            final String topic, final byte[] payload, final PublishOptions options, final long publisherSequence) {
        return publish(topic, payload, options, publisherSequence, AckType.PROCESSED);
    }

    private CompletableFuture<Ack> publish(
            final String topic,
            final byte[] payload,
            final PublishOptions options,
            final long publisherSequence,
            final AckType ackType) {
        final AckFuture future = new AckFuture();
        poster.publish(
                topic,
                new UnsafeBuffer(payload),
                0,
                payload.length,
                options,
                publisherSequence,
                ackType.mask(),
                future,
                0);
        return future;
    }

    /**
     * Publishes only the fields that change, and those of the key: the broker merges them into the record.
     *
     * @param topic with state.
     * @param text  for example {@code {"id":7,"price":10.5}}, sent as UTF-8.
     * @see #publish(String, String)
     */
    public void publishDelta(final String topic, final String text) {
        publish(topic, text, PublishOptions.DELTA);
    }

    /**
     * Publishes only the fields that change, and those of the key, and asks for an acknowledgement.
     *
     * @param topic   with state.
     * @param text    for example {@code {"id":7,"price":10.5}}, sent as UTF-8.
     * @param ackType that completes the future.
     * @return as of {@link #publish(String, String, AckType)}.
     */
    public CompletableFuture<Ack> publishDelta(final String topic, final String text, final AckType ackType) {
        return publish(topic, text, PublishOptions.DELTA, ackType);
    }
}
