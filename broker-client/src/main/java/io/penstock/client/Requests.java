package io.penstock.client;

import io.penstock.format.header.Headers;
import io.penstock.protocol.ErrorCode;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a client that wait for their replies. Replies come to a topic of the client's own, which it subscribes to
 * with its first request. Bounded. Safe on any thread.
 */
final class Requests {
    /** Topics that replies go to begin so. */
    static final String TOPIC_PREFIX = "_reply.";

    private static final int COUNT_MAX = 65_536;
    private static final int RADIX = 36;

    private final PenstockClient client;
    private final String topic = TOPIC_PREFIX + UUID.randomUUID();
    private final Map<String, CompletableFuture<Message>> waiting = new ConcurrentHashMap<>();
    private final AtomicLong nextId = new AtomicLong(1);
    private @Nullable CompletableFuture<Subscription> subscription;

    Requests(final PenstockClient client) {
        this.client = client;
    }

    CompletableFuture<Message> send(final Publication request, final Duration timeout) {
        if (waiting.size() >= COUNT_MAX) {
            throw new BackPressureException(
                    "request: " + COUNT_MAX + " of them wait for replies (wait for some first)");
        }
        final String id = Long.toString(nextId.getAndIncrement(), RADIX);
        final PublishOptions given = request.options();
        final PublishOptions options = given.headers(Headers.builder()
                        .putAll(given.headers())
                        .put(Headers.REPLY_TO, topic)
                        .put(Headers.CORRELATION_ID, id)
                        .build())
                .request();
        final byte[] payload = new byte[request.length];
        request.payload.getBytes(request.offset, payload);
        final CompletableFuture<Message> reply = new CompletableFuture<>();
        waiting.put(id, reply);
        final CompletableFuture<Ack> applied = subscribed()
                .thenCompose(made -> client.publish(request.topic, payload, options, request.publisherSequence));
        applied.exceptionally(reason -> {
            reply.completeExceptionally(cause(reason));
            return null;
        });
        return reply.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                .whenComplete((message, reason) -> waiting.remove(id))
                .exceptionallyCompose(reason -> CompletableFuture.failedFuture(
                        cause(reason) instanceof TimeoutException
                                ? new NoReplyException("request to " + request.topic + ": no reply within "
                                        + timeout.toMillis() + " ms (see whether what answers there is well, or wait"
                                        + " for longer)")
                                : cause(reason)));
    }

    private static Throwable cause(final Throwable reason) {
        return reason instanceof CompletionException && reason.getCause() != null ? reason.getCause() : reason;
    }

    private synchronized CompletableFuture<Subscription> subscribed() {
        CompletableFuture<Subscription> made = subscription;
        if (made == null || made.isCompletedExceptionally()) {
            // Replies may be of any format.
            made = client.declareTopicAsync(Topic.binary(topic))
                    .thenCompose(declared -> client.subscribeAsync(SubscribeRequest.topic(topic), new Replies()));
            subscription = made;
        }
        return made;
    }

    /** The topic that replies go to; null before the first request. */
    synchronized @Nullable String topic() {
        return subscription == null ? null : topic;
    }

    private final class Replies implements MessageHandler {
        @Override
        public void onMessage(final MessageView message) {
            final String id = message.headers().text(Headers.CORRELATION_ID);
            final CompletableFuture<Message> reply = id == null ? null : waiting.get(id);
            if (reply != null) {
                reply.complete(message.toMessage());
            }
        }

        @Override
        public void onEnd(final Subscription ended, final PenstockException reason) {
            synchronized (Requests.this) {
                subscription = null;
            }
            waiting.values().forEach(reply -> reply.completeExceptionally(reason));
        }
    }

    /** The topic that the sender of a request wants the reply on. */
    static String topicOf(final Headers request) {
        final String topic = request.text(Headers.REPLY_TO);
        if (topic == null) {
            throw new PenstockException(
                    ErrorCode.BAD_HEADER,
                    "reply: the message asks for none (reply to messages that have the header " + Headers.REPLY_TO
                            + ")");
        }
        return topic;
    }

    /** The headers of a reply: the request's id, and those that are given. */
    static Headers headersOf(final Headers request, final Headers given) {
        final String id = request.text(Headers.CORRELATION_ID);
        return id == null
                ? given
                : Headers.builder()
                        .putAll(given)
                        .put(Headers.CORRELATION_ID, id)
                        .build();
    }
}
