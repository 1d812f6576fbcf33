package io.penstock.spring.template;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.penstock.client.Ack;
import io.penstock.client.AckType;
import io.penstock.client.Message;
import io.penstock.client.Publication;
import io.penstock.spring.LogText;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.observation.PenstockObservations;
import io.penstock.spring.observation.PenstockSendConvention;
import io.penstock.spring.observation.SendContext;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Publishes messages and observes it. Safe on any thread. */
final class Sender {
    private static final Log LOG = LogFactory.getLog(PenstockTemplate.class);

    private final PenstockConnection connection;
    private final ObservationRegistry registry;
    private final @Nullable PenstockSendConvention convention;

    Sender(
            final PenstockConnection connection,
            final ObservationRegistry registry,
            final @Nullable PenstockSendConvention convention) {
        this.connection = connection;
        this.registry = registry;
        this.convention = convention;
    }

    CompletableFuture<Ack> send(final String topic, final Publication publication, final AckType ackType) {
        return observed(topic, publication, () -> connection.client().publish(publication, ackType));
    }

    /** After a commit nobody is called who could handle a failure: the future fails, and it is logged. */
    CompletableFuture<Ack> sendAfterCommit(final String topic, final Publication publication, final AckType ackType) {
        CompletableFuture<Ack> sent;
        try {
            sent = send(topic, publication, ackType);
        } catch (final RuntimeException e) {
            sent = CompletableFuture.failedFuture(e);
        }
        return sent.whenComplete((ack, reason) -> {
            if (reason != null) {
                LOG.error(
                        "send to " + LogText.of(topic) + " after a commit has failed, and the message is lost: "
                                + LogText.of(reason),
                        reason);
            }
        });
    }

    CompletableFuture<Message> request(final String topic, final Publication publication, final Duration timeout) {
        return observed(topic, publication, () -> connection.client().request(publication, timeout));
    }

    private <T> CompletableFuture<T> observed(
            final String topic, final Publication publication, final Supplier<CompletableFuture<T>> send) {
        if (registry.isNoop()) {
            return send.get();
        }
        final Observation observation = PenstockObservations.SEND.observation(
                convention, PenstockObservations.DEFAULT_SEND, () -> new SendContext(topic, publication), registry);
        observation.start();
        try {
            return send.get().whenComplete((result, reason) -> {
                if (reason != null) {
                    observation.error(
                            reason instanceof CompletionException && reason.getCause() != null
                                    ? reason.getCause()
                                    : reason);
                }
                observation.stop();
            });
        } catch (final RuntimeException e) {
            observation.error(e);
            observation.stop();
            throw e;
        }
    }
}
