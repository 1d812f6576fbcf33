package io.penstock.spring.listener;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.penstock.spring.LogText;
import io.penstock.spring.listener.PenstockErrorHandler.Decision;
import io.penstock.spring.observation.DeliveryContext;
import io.penstock.spring.observation.PenstockObservations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Calls a listener, again as long as its error handler says so, and says what is processed. One for each thread of a
 * container, confined to it.
 */
final class DeliveryProcessor {
    private static final Duration HANDLER_FAILED_DELAY = Duration.ofSeconds(1);
    private static final Log LOG = LogFactory.getLog(PenstockListenerContainer.class);

    private final PenstockListenerContainer container;
    private final PenstockMessageListener listener;
    private final PenstockErrorHandler errorHandler;
    private final AckMode ackMode;
    private final ContainerSettings settings;
    private final LaneQueue queue;

    /** Processed, to be acknowledged together. */
    private final List<Delivery> processed = new ArrayList<>();

    DeliveryProcessor(
            final PenstockListenerContainer container,
            final PenstockMessageListener listener,
            final PenstockErrorHandler errorHandler,
            final ContainerSettings settings,
            final LaneQueue queue) {
        this.container = container;
        this.listener = listener;
        this.errorHandler = errorHandler;
        this.settings = settings;
        this.queue = queue;
        ackMode = settings.getAckMode();
    }

    /**
     * Returns false when the container is to stop.
     *
     * @throws InterruptedException when its thread is abandoned; an interrupt alone ends nothing.
     */
    boolean process(final List<Delivery> deliveries) throws InterruptedException {
        List<Delivery> open = deliveries;
        ListenerFailure failure = null;
        while (!open.isEmpty()) {
            final Throwable thrown = call(open, failure == null ? 1 : failure.attempt() + 1, failure == null);
            if (thrown == null) {
                complete(open);
                return true;
            }
            if (queue.isAbandoned()) {
                // What it threw comes of the interrupt, and says nothing about the message.
                throw new InterruptedException("abandoned while the listener was called: " + thrown);
            }
            open = notDone(open);
            if (open.isEmpty()) {
                LOG.error(
                        container + ": the listener threw after it had acknowledged all: " + LogText.of(thrown),
                        thrown);
                return true;
            }
            if (failure == null) {
                failure = new ListenerFailure(container.getListenerId(), listener, open, thrown);
            } else {
                failure.next(open, thrown);
            }
            final Decision decision = decide(failure);
            container.publish(new ListenerFailedEvent(container, failure, decision));
            switch (decision.kind()) {
                case DONE -> {
                    open.forEach(this::acknowledge);
                    return true;
                }
                case STOP -> {
                    return false;
                }
                case RETRY -> {
                    if (!queue.delay(decision.delay().toNanos())) {
                        throw new InterruptedException("abandoned before another attempt");
                    }
                    failure.onRetry();
                    open = notDone(open);
                }
            }
        }
        return true;
    }

    private static List<Delivery> notDone(final List<Delivery> deliveries) {
        return deliveries.stream().filter(delivery -> !delivery.isDone()).toList();
    }

    private @Nullable Throwable call(final List<Delivery> deliveries, final int attempt, final boolean isFirst) {
        for (int i = 0; i < deliveries.size(); i++) {
            deliveries.get(i).attempt(attempt);
        }
        final ObservationRegistry registry = settings.getObservationRegistry();
        return registry.isNoop() ? call(deliveries) : callObserved(deliveries, attempt, isFirst, registry);
    }

    private @Nullable Throwable call(final List<Delivery> deliveries) {
        clearInterrupt();
        try {
            listener.onDeliveries(deliveries);
            return null;
        } catch (final Throwable e) {
            if (isOfTheJvm(e)) {
                throw (Error) e;
            }
            return e;
        } finally {
            clearInterrupt();
        }
    }

    /**
     * Whether it says nothing about the message. A stack overflows by what is nested too deep, and classes that cannot be
     * used, or assertions, fail for what needs them alone.
     */
    private static boolean isOfTheJvm(final Throwable thrown) {
        return (thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError))
                // By its name, as the class is to be removed from Java.
                || thrown.getClass().getName().equals("java.lang.ThreadDeath");
    }

    /** An interrupt that somebody has left is not for those who are called after him. */
    private void clearInterrupt() {
        if (!queue.isAbandoned() && Thread.interrupted()) {
            LOG.debug(container + ": a thread was left interrupted, which is ignored");
        }
    }

    /** A batch is observed as its first message. */
    private @Nullable Throwable callObserved(
            final List<Delivery> deliveries,
            final int attempt,
            final boolean isFirst,
            final ObservationRegistry registry) {
        final Delivery first = deliveries.get(0);
        final Observation observation = PenstockObservations.PROCESS.observation(
                settings.getProcessConvention(),
                PenstockObservations.DEFAULT_PROCESS,
                () -> new DeliveryContext(first.message(), container.getListenerId(), attempt),
                registry);
        for (final Delivery delivery : deliveries) {
            final Observation receipt = delivery.receipt();
            if (receipt != null && isFirst) {
                receipt.stop();
            }
        }
        if (first.receipt() != null) {
            observation.parentObservation(first.receipt());
        }
        observation.start();
        final Observation.Scope scope = observation.openScope();
        try {
            final Throwable thrown = call(deliveries);
            if (thrown != null) {
                observation.error(thrown);
            }
            return thrown;
        } finally {
            scope.close();
            observation.stop();
        }
    }

    private Decision decide(final ListenerFailure failure) {
        try {
            return errorHandler.onFailure(failure);
        } catch (final Throwable e) {
            if (isOfTheJvm(e)) {
                throw (Error) e;
            }
            LOG.error(
                    container + ": the error handler has failed with "
                            + failure.deliveries().get(0) + ", and the listener is called again: " + LogText.of(e),
                    e);
            return Decision.retryAfter(HANDLER_FAILED_DELAY);
        }
    }

    private void complete(final List<Delivery> deliveries) {
        switch (ackMode) {
            case RECORD -> deliveries.forEach(this::acknowledge);
            case BATCH -> processed.addAll(deliveries);
            case MANUAL -> {
                // The listener has done it, or will.
            }
        }
    }

    /** All that waited at once are processed. */
    void onRunEnd() {
        if (!processed.isEmpty()) {
            processed.forEach(this::acknowledge);
            processed.clear();
        }
    }

    private void acknowledge(final Delivery delivery) {
        try {
            delivery.acknowledge();
        } catch (final RuntimeException e) {
            LOG.error(
                    container + ": " + delivery + " is processed and could not be noted, so it may come again: " + e,
                    e);
        }
    }
}
