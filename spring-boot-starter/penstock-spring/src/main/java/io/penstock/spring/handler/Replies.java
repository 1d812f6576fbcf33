package io.penstock.spring.handler;

import io.penstock.client.Ack;
import io.penstock.client.Message;
import io.penstock.client.PenstockException;
import io.penstock.format.header.Headers;
import io.penstock.spring.listener.ListenerAttributeException;
import io.penstock.spring.template.PenstockTemplate;
import io.penstock.spring.template.SendSpec;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends what a method returns: as the reply, when the message asks for one, else to the topic of its {@code @SendTo}. The
 * listener is done when the broker has it.
 */
final class Replies {
    private static final long TIMEOUT_S = 10;

    private final Supplier<@Nullable PenstockTemplate> template;

    /** Known when a method was found that returns something. */
    private volatile @Nullable PenstockTemplate known;

    Replies(final Supplier<@Nullable PenstockTemplate> template) {
        this.template = template;
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
        known = template.get();
        if (known == null) {
            throw new ListenerAttributeException(
                    "method",
                    "returns " + method.getReturnType().getName() + ", and nothing can send it",
                    "declare one bean of type " + PenstockTemplate.class.getName() + ", or return void");
        }
    }

    void send(final Object result, final Message message, final @Nullable String sendTo) {
        final PenstockTemplate sender = known;
        final String replyTo = message.headers().text(Headers.REPLY_TO);
        final String topic = replyTo == null ? sendTo : replyTo;
        if (sender == null || topic == null) {
            return;
        }
        final SendSpec spec = sender.to(topic);
        final String id = message.headers().text(Headers.CORRELATION_ID);
        if (replyTo != null && id != null) {
            spec.header(Headers.CORRELATION_ID, id);
        }
        await(topic, spec.send(result));
    }

    private static void await(final String topic, final CompletableFuture<Ack> sent) {
        try {
            sent.get(TIMEOUT_S, TimeUnit.SECONDS);
        } catch (final ExecutionException e) {
            throw new PenstockException("result to " + topic + ": was not sent: " + e.getCause(), e.getCause());
        } catch (final TimeoutException e) {
            throw new PenstockException(
                    "result to " + topic + ": no acknowledgement within " + TIMEOUT_S
                            + " s (see whether the broker is well)",
                    e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PenstockException("result to " + topic + ": interrupted while waiting for the broker", e);
        }
    }
}
