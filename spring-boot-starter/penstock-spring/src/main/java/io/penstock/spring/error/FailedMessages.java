package io.penstock.spring.error;

import io.penstock.client.Ack;
import io.penstock.client.AckType;
import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.Publication;
import io.penstock.client.TopicInfo;
import io.penstock.protocol.ErrorCode;
import io.penstock.spring.LogText;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.convert.MessageMapper;
import io.penstock.spring.listener.Delivery;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Publishes messages that failed to other topics, with their headers and what is known of the failure, and waits until the
 * broker has them. Safe on any thread.
 */
final class FailedMessages {
    /** What headers of a failed message begin with that say what it was at first. */
    private static final String ORIGINAL = "penstock-original-";

    /** Headers beside those that are made here. A publisher may have given a message that is no retry any of them. */
    private static final Set<String> MADE = Set.of(
            PenstockHeaders.LISTENER,
            PenstockHeaders.EXCEPTION_CLASS,
            PenstockHeaders.EXCEPTION_MESSAGE,
            PenstockHeaders.ATTEMPTS,
            PenstockHeaders.DUE,
            PenstockHeaders.RETRY_LISTENER);

    /** Longest text of an exception that is kept, in characters. */
    private static final int TEXT_LENGTH_MAX = 1024;

    private static final char REPLACEMENT = '\uFFFD';

    /** Most topics of which is remembered that they were made; then it is asked again. */
    private static final int KNOWN_MAX = 10_000;

    /** A copy on its way. */
    private record Pending(CompletableFuture<Ack> sent) {}

    private final PenstockConnection connection;
    private final Duration timeout;
    private final Set<String> declared = ConcurrentHashMap.newKeySet();

    /** Topics whose messages are never on stable storage. */
    private final Set<String> inMemory = ConcurrentHashMap.newKeySet();

    /**
     * Copies that were published and not acknowledged in time, by what they are of. They may well be applied later, so it is
     * waited for them when their message fails again. What is not handed over any more is forgotten.
     */
    private final Map<Delivery, Pending> pending = Collections.synchronizedMap(new WeakHashMap<>());

    FailedMessages(final PenstockConnection connection, final Duration timeout) {
        this.connection = connection;
        this.timeout = timeout;
    }

    /** How often listeners were called with a message in all: with what a retry says of the calls before. */
    static long attempts(final Message message, final String origin, final int attempts) {
        return isRetry(message, origin)
                ? attempts + Math.max(0, message.headers().number(PenstockHeaders.ATTEMPTS, 0))
                : attempts;
    }

    /** Whether a message came by a topic of retries; headers do not tell, as publishers may give any. */
    private static boolean isRetry(final Message message, final String origin) {
        return !message.topic().equals(origin);
    }

    /** The message with the headers of its failure; the origin is the topic that its listener is for. */
    static Publication publication(
            final String topic,
            final String origin,
            final Delivery delivery,
            final String listenerId,
            final Throwable cause,
            final int attempts,
            final boolean withOwnHeaders) {
        final Message message = delivery.message();
        final boolean isRetry = isRetry(message, origin);
        final Publication copy = Publication.to(topic).bytes(message.bytes());
        message.headers().forEach((name, value) -> {
            final boolean isOriginal = name.startsWith(ORIGINAL);
            if (isOriginal ? isRetry : withOwnHeaders && (isRetry || !MADE.contains(name))) {
                MessageMapper.addHeader(copy, name, value);
            }
        });
        copy.header(PenstockHeaders.ORIGINAL_TOPIC, origin);
        if (!isRetry) {
            copy.header(PenstockHeaders.ORIGINAL_BOOKMARK, message.bookmark().toString())
                    .header(PenstockHeaders.ORIGINAL_TIMESTAMP, message.timestampNs());
            final String key = message.key();
            if (!key.isEmpty()) {
                copy.header(PenstockHeaders.ORIGINAL_KEY, cut(key));
            }
        }
        return copy.header(PenstockHeaders.LISTENER, cut(listenerId))
                .header(PenstockHeaders.EXCEPTION_CLASS, cause.getClass().getName())
                .header(PenstockHeaders.EXCEPTION_MESSAGE, cut(String.valueOf(cause.getMessage())))
                .header(PenstockHeaders.ATTEMPTS, attempts(message, origin, attempts));
    }

    /** A text as headers take it: without U+0000, whole pairs of surrogates, and not too long. */
    static String cut(final String text) {
        final StringBuilder whole = new StringBuilder(Math.min(text.length(), TEXT_LENGTH_MAX));
        int i = 0;
        while (i < text.length()) {
            final int next = text.codePointAt(i);
            if (whole.length() + Character.charCount(next) >= TEXT_LENGTH_MAX) {
                return whole.append('…').toString();
            }
            whole.appendCodePoint(
                    next == 0 || (next >= Character.MIN_SURROGATE && next <= Character.MAX_SURROGATE)
                            ? REPLACEMENT
                            : next);
            i += Character.charCount(next);
        }
        return whole.toString();
    }

    /**
     * Publishes a copy with the headers of its message, or without them when there are more with those of the failure than a
     * message may have.
     *
     * @param maker of the copy, by whether it has the headers of its message.
     */
    void publish(final String topic, final Delivery delivery, final Function<Boolean, Publication> maker) {
        try {
            publish(topic, delivery, maker.apply(true));
        } catch (final IllegalArgumentException tooMany) {
            try {
                publish(topic, delivery, maker.apply(false));
            } catch (final IllegalArgumentException e) {
                throw new PenstockException(
                        ErrorCode.BAD_HEADER,
                        "publish to " + LogText.of(topic) + ": cannot be made: "
                                + LogText.of(String.valueOf(e.getMessage())));
            }
        }
    }

    /**
     * Publishes a message to a topic of the same format as that of the message; or goes on waiting for a copy that was not
     * acknowledged in time when it failed before.
     */
    private void publish(final String topic, final Delivery delivery, final Publication copy) {
        final Pending before = pending.remove(delivery);
        if (before != null && !before.sent().isCompletedExceptionally()) {
            await(topic, delivery, before.sent());
            return;
        }
        final PenstockClient client = connection.client();
        declare(client, topic, delivery.message().topic());
        if (inMemory.contains(topic)) {
            await(topic, delivery, client.publish(copy, AckType.PROCESSED));
            return;
        }
        try {
            await(topic, delivery, client.publish(copy, AckType.PERSISTED));
        } catch (final PenstockException e) {
            if (e.errorCode() != ErrorCode.NOT_SUPPORTED) {
                throw e;
            }
            // It was refused, not published: the topic is in memory.
            if (inMemory.size() < KNOWN_MAX) {
                inMemory.add(topic);
            }
            await(topic, delivery, client.publish(copy, AckType.PROCESSED));
        }
    }

    private void await(final String topic, final Delivery delivery, final CompletableFuture<Ack> sent) {
        try {
            sent.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (final ExecutionException e) {
            final Throwable cause =
                    e.getCause() instanceof CompletionException wrapped ? wrapped.getCause() : e.getCause();
            throw cause instanceof PenstockException known
                    ? known
                    : new PenstockException(
                            "publish to " + LogText.of(topic) + ": has failed: " + LogText.of(cause), cause);
        } catch (final TimeoutException e) {
            pending.put(delivery, new Pending(sent));
            throw new PenstockException(
                    "publish to " + LogText.of(topic) + ": no acknowledgement within " + timeout.toMillis()
                            + " ms (see whether the broker is well)",
                    e);
        } catch (final InterruptedException e) {
            pending.put(delivery, new Pending(sent));
            Thread.currentThread().interrupt();
            throw new PenstockException(
                    "publish to " + LogText.of(topic) + ": interrupted while waiting for the broker", e);
        }
    }

    private void declare(final PenstockClient client, final String topic, final String like) {
        if (declared.contains(topic)) {
            return;
        }
        for (final TopicInfo info : client.topics(like)) {
            if (info.name().equals(like)) {
                try {
                    client.declareTopic(topic, info.format());
                } catch (final PenstockException e) {
                    if (e.errorCode() != ErrorCode.BAD_FORMAT && e.errorCode() != ErrorCode.NOT_AUTHORIZED) {
                        throw e;
                    }
                    // It is there with another format, which may well take the message; else the publish is refused.
                }
            }
        }
        if (declared.size() < KNOWN_MAX) {
            declared.add(topic);
        }
    }
}
