package io.penstock.spring.annotation;

import io.penstock.spring.PenstockConnection;
import io.penstock.spring.endpoint.PenstockListenerEndpoint;
import io.penstock.spring.endpoint.PenstockListenerEndpoint.Overrides;
import io.penstock.spring.error.DeadLetterPublishingRecoverer;
import io.penstock.spring.error.DueListener;
import io.penstock.spring.error.RetryTopicErrorHandler;
import io.penstock.spring.error.RetryTopicRecoverer;
import io.penstock.spring.listener.ListenerAttributeException;
import io.penstock.spring.listener.ListenerSubscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The listeners that one with {@link PenstockRetryTopic} becomes: itself, and one for each retry. */
final class RetryEndpoints {
    private static final int ATTEMPTS_MAX = 20;

    private final PenstockRetryTopic annotation;
    private final AnnotationTexts texts;
    private final PenstockConnection connection;

    /** Of this run of the program. */
    private final String runId;

    RetryEndpoints(
            final PenstockRetryTopic annotation,
            final AnnotationTexts texts,
            final PenstockConnection connection,
            final String runId) {
        this.annotation = annotation;
        this.texts = texts;
        this.connection = connection;
        this.runId = runId;
    }

    List<PenstockListenerEndpoint> of(final PenstockListenerEndpoint endpoint, final boolean isAcknowledging) {
        final ListenerSubscription first = endpoint.subscription();
        check(endpoint);
        final List<Duration> delays = delays();
        final String named = texts.text("deadLetterTopic", annotation.deadLetterTopic());
        final String dead = named.isEmpty() ? first.topic() + DeadLetterPublishingRecoverer.SUFFIX : named;
        checkDeadLetterTopic(dead, first, delays.size());
        final DeadLetterPublishingRecoverer letters =
                new DeadLetterPublishingRecoverer(connection, first.topic(), dead);
        final String owner = owner(endpoint);
        final List<PenstockListenerEndpoint> all = new ArrayList<>();
        for (int retry = 0; retry <= delays.size(); retry++) {
            final RetryTopicErrorHandler handler = new RetryTopicErrorHandler(
                    endpoint.id(),
                    retry == delays.size()
                            ? null
                            : new RetryTopicRecoverer(
                                    connection, first.topic(), topic(first, retry + 1), delays.get(retry), owner),
                    letters);
            for (final Class<? extends Throwable> type : annotation.exclude()) {
                handler.fatal().add(type);
            }
            all.add(retry == 0 ? with(endpoint, handler) : retry(endpoint, retry, handler, owner, isAcknowledging));
        }
        return all;
    }

    private static void checkDeadLetterTopic(final String dead, final ListenerSubscription first, final int retries) {
        for (int retry = 0; retry <= retries; retry++) {
            if (dead.equals(retry == 0 ? first.topic() : topic(first, retry))) {
                throw new ListenerAttributeException(
                        "deadLetterTopic", "is where the messages come from: " + dead, "name another topic");
            }
        }
    }

    /** Only what reads the log can see retries of an earlier run; so others need no name that lasts. */
    private String owner(final PenstockListenerEndpoint endpoint) {
        final String name = connection.name();
        final boolean isOfThisRun = name.isEmpty() && !endpoint.subscription().isDurable();
        return (isOfThisRun ? runId : name) + "/" + endpoint.id();
    }

    private static void check(final PenstockListenerEndpoint endpoint) {
        final ListenerSubscription first = endpoint.subscription();
        if (first.isPattern()) {
            throw new ListenerAttributeException(
                    "@PenstockRetryTopic", "does not go with a pattern: " + first.topic(), "name one topic");
        }
        if (first.isFollowingState()) {
            throw new ListenerAttributeException(
                    "@PenstockRetryTopic",
                    "does not go with what follows state",
                    "use an error handler, or leave out sow, oof, delta, select and conflation");
        }
        if (endpoint.overrides().errorHandler() != null) {
            throw new ListenerAttributeException(
                    "errorHandler", "is given beside @PenstockRetryTopic", "keep one of them");
        }
    }

    private List<Duration> delays() {
        final Long attempts = texts.number("attempts", annotation.attempts());
        if (attempts == null || attempts < 2 || attempts > ATTEMPTS_MAX) {
            throw new ListenerAttributeException("attempts", "out of range: " + attempts, "use 2 to " + ATTEMPTS_MAX);
        }
        final Duration longest = texts.duration("maxDelay", annotation.maxDelay(), Duration.ofMinutes(5));
        final Duration first = texts.duration("delay", annotation.delay(), Duration.ofSeconds(1));
        if (first.isNegative()) {
            throw new ListenerAttributeException(
                    "delay", "is negative: " + annotation.delay(), "give a time from now, such as 1s");
        }
        double delayMs = (double) first.toMillis();
        final double multiplier = multiplier();
        final List<Duration> delays = new ArrayList<>();
        for (int retry = 1; retry < attempts; retry++) {
            delays.add(Duration.ofMillis((long) Math.min(delayMs, (double) longest.toMillis())));
            delayMs *= multiplier;
        }
        return delays;
    }

    private double multiplier() {
        final String text = texts.text("multiplier", annotation.multiplier());
        try {
            final double value = Double.parseDouble(text);
            if (value >= 1 && value <= 1000) {
                return value;
            }
        } catch (final NumberFormatException e) {
            // Refused like one that is out of range.
        }
        throw new ListenerAttributeException("multiplier", "out of range: " + text, "use 1 to 1000");
    }

    private static String topic(final ListenerSubscription first, final int retry) {
        return first.topic() + ".retry-" + retry;
    }

    private static PenstockListenerEndpoint with(
            final PenstockListenerEndpoint endpoint, final RetryTopicErrorHandler handler) {
        return new PenstockListenerEndpoint(
                endpoint.id(),
                endpoint.description(),
                endpoint.subscription(),
                endpoint.listener(),
                overrides(endpoint, handler));
    }

    private static PenstockListenerEndpoint retry(
            final PenstockListenerEndpoint endpoint,
            final int retry,
            final RetryTopicErrorHandler handler,
            final String owner,
            final boolean isAcknowledging) {
        final ListenerSubscription first = endpoint.subscription();
        final String suffix = ".retry-" + retry;
        return new PenstockListenerEndpoint(
                endpoint.id() + suffix,
                endpoint.description(),
                ListenerSubscription.topic(topic(first, retry))
                        .filter(RetryTopicRecoverer.filter(owner))
                        .durable(first.isDurable() ? first.durable() + suffix : "")
                        .from(first.isDurable() ? ListenerSubscription.BEGINNING : "")
                        .credit(first.credit())
                        .build(),
                new DueListener(endpoint.listener(), isAcknowledging),
                overrides(endpoint, handler));
    }

    private static Overrides overrides(final PenstockListenerEndpoint endpoint, final RetryTopicErrorHandler handler) {
        final Overrides given = endpoint.overrides();
        return new Overrides(given.concurrency(), given.ackMode(), handler, given.isAutoStartup());
    }
}
