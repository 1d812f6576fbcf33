package io.penstock.spring.handler;

import io.penstock.client.Ack;
import io.penstock.client.Message;
import io.penstock.client.PenstockException;
import io.penstock.format.header.Headers;
import io.penstock.spring.LogText;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.listener.Delivery;
import io.penstock.spring.listener.ListenerAttributeException;
import io.penstock.spring.template.PenstockTemplate;
import io.penstock.spring.template.SendSpec;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sends what a method returns: as the reply, when the message asks for one, else to the topic of its {@code @SendTo}. The
 * listener is done when the broker has it.
 */
final class Replies {
    /** How long a result waits for the broker. */
    static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(10);

    private static final Log LOG = LogFactory.getLog(Replies.class);

    /** A result on its way. */
    private record Pending(String topic, CompletableFuture<Ack> sent) {}

    private final Supplier<@Nullable PenstockTemplate> template;
    private final Predicate<String> allowed;
    private final Duration timeout;

    /** Results that were not acknowledged in time, by what they are of; what is not handed over any more is forgotten. */
    private final Map<Delivery, Pending> pending = Collections.synchronizedMap(new WeakHashMap<>());

    /** Known when a method was found that returns something. */
    private volatile @Nullable PenstockTemplate known;

    Replies(
            final Supplier<@Nullable PenstockTemplate> template,
            final Predicate<String> allowed,
            final Duration timeout) {
        this.template = template;
        this.allowed = allowed;
        this.timeout = timeout;
    }

    void check(final Method method, final boolean isBatch) {
        if (method.getReturnType() == void.class) {
            return;
        }
        if (isBatch) {
            throw new ListenerAttributeException(
                    "batch",
                    "does not go with a result: " + method.getReturnType().getName(),
                    "return void");
        }
        if (Future.class.isAssignableFrom(method.getReturnType())
                || CompletionStage.class.isAssignableFrom(method.getReturnType())) {
            throw new ListenerAttributeException(
                    "method",
                    "returns " + method.getReturnType().getName(),
                    "wait for it and return its value: a listener may block");
        }
        known = template.get();
        if (known == null) {
            throw new ListenerAttributeException(
                    "method",
                    "returns " + method.getReturnType().getName() + ", and nothing can send it",
                    "declare one bean of type " + PenstockTemplate.class.getName() + ", or return void");
        }
    }

    /**
     * Waits for a result that was sent when the listener was called with the same message before, and was not acknowledged
     * in time: it may well be there, so the listener is not called again.
     *
     * @return whether there was one, and it was sent.
     */
    boolean awaitEarlier(final Delivery delivery) {
        final Pending earlier = pending.remove(delivery);
        if (earlier == null || earlier.sent().isCompletedExceptionally()) {
            return false;
        }
        await(delivery, earlier);
        return true;
    }

    void send(final Object result, final Delivery delivery, final @Nullable String sendTo) {
        final Message message = delivery.message();
        final PenstockTemplate sender = known;
        final String asked = message.headers().text(Headers.REPLY_TO);
        final String replyTo = asked != null && allowed.test(asked) ? asked : null;
        final String topic = replyTo == null ? sendTo : replyTo;
        if (sender == null || topic == null) {
            return;
        }
        final SendSpec spec = sender.to(topic);
        final String id = message.headers().text(Headers.CORRELATION_ID);
        if (replyTo != null && id != null) {
            spec.header(Headers.CORRELATION_ID, id);
        }
        await(delivery, new Pending(topic, spec.send(result)));
    }

    /** Tells who waits for a reply that none comes, without waiting for the broker; a topic of {@code @SendTo} is told nothing. */
    @SuppressWarnings("FutureReturnValueIgnored") // A failure is logged.
    void sendError(final Delivery delivery, final Throwable reason) {
        final Headers headers = delivery.message().headers();
        final PenstockTemplate sender = known;
        final String replyTo = headers.text(Headers.REPLY_TO);
        if (sender == null || replyTo == null) {
            return;
        }
        final SendSpec spec = sender.to(replyTo).header(PenstockHeaders.ERROR, LogText.of(reason));
        final String id = headers.text(Headers.CORRELATION_ID);
        if (id != null) {
            spec.header(Headers.CORRELATION_ID, id);
        }
        spec.send(new byte[0]).whenComplete((ack, refusal) -> {
            if (refusal != null) {
                LOG.warn(delivery + ": its requester could not be told of the failure: " + LogText.of(refusal));
            }
        });
    }

    private void await(final Delivery delivery, final Pending result) {
        final String topic = LogText.of(result.topic());
        try {
            result.sent().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (final ExecutionException e) {
            throw new PenstockException(
                    "result to " + topic + ": was not sent: " + LogText.of(String.valueOf(e.getCause())), e.getCause());
        } catch (final TimeoutException e) {
            pending.put(delivery, result);
            throw new PenstockException(
                    "result to " + topic + ": no acknowledgement within " + timeout.toMillis()
                            + " ms (see whether the broker is well)",
                    e);
        } catch (final InterruptedException e) {
            pending.put(delivery, result);
            Thread.currentThread().interrupt();
            throw new PenstockException("result to " + topic + ": interrupted while waiting for the broker", e);
        }
    }
}
