package io.penstock.client.engine;

import io.penstock.client.ClientConfig;
import io.penstock.client.MessageErrorHandler;
import io.penstock.client.MessageErrorHandler.Action;
import io.penstock.client.MessageView;
import io.penstock.client.warning.FailureLog;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Hands messages of subscriptions to their handlers, and does what the program has chosen when a handler throws. Owned
 * by the agent.
 *
 * <p>A retried message is always the one that the connection offers next, so there is at most one.
 */
final class HandOver {
    private final MessageErrorHandler errorHandler;
    private final Backoff backoff;
    private final NanoClock clock;
    private final HandlerWatch watch;
    private final FailureLog log;

    /** Whose message is retried. */
    private @Nullable ActiveSubscription retried;

    private int attempt;
    private long retryNs;

    /** How often a message was handed over, or was to be; and whose the last one was. */
    private long count;

    private @Nullable ActiveSubscription last;

    HandOver(final ClientConfig config) {
        errorHandler = config.messageErrorHandler();
        backoff = Backoff.of(config);
        clock = config.nanoClock();
        watch = new HandlerWatch(config);
        log = new FailureLog(clock);
    }

    /** Returns false when it was not taken, and is to be offered again. What it throws ends the subscription. */
    boolean offer(final ActiveSubscription subscription, final MessageView message) {
        if (retried != null && isToWait(subscription)) {
            return false;
        }
        final Replay replay = subscription.replay();
        return replay == null ? handOver(subscription, message, null) : offer(subscription, message, replay);
    }

    private boolean offer(final ActiveSubscription subscription, final MessageView message, final Replay replay) {
        final int shard = message.shard();
        final long sequence = message.sequence();
        if (replay.isRepeated(shard, sequence)) {
            return true;
        }
        if (!replay.isOffered(shard, sequence)) {
            if (!replay.hasRoom()) {
                return false;
            }
            replay.onOffered(shard, sequence);
        }
        if (!handOver(subscription, message, replay)) {
            return false;
        }
        replay.onTaken(shard, sequence);
        return true;
    }

    private boolean handOver(
            final ActiveSubscription subscription, final MessageView message, final @Nullable Replay replay) {
        boolean isTaken;
        count++;
        last = subscription;
        try {
            isTaken = subscription.sink().onMessage(message);
            retried = null;
        } catch (final RuntimeException e) {
            isTaken = onError(subscription, message, replay, e);
        }
        final Credit credit = subscription.credit();
        if (isTaken && credit != null) {
            credit.onSeen(message.creditLength());
        }
        return isTaken;
    }

    private boolean isToWait(final ActiveSubscription subscription) {
        if (retried != subscription) {
            // That one has been closed meanwhile.
            retried = null;
            return false;
        }
        return clock.nanoTime() - retryNs < 0;
    }

    /** Returns whether the message counts as taken. */
    private boolean onError(
            final ActiveSubscription subscription,
            final MessageView message,
            final @Nullable Replay replay,
            final RuntimeException error) {
        attempt = retried == null ? 1 : attempt + 1;
        retried = null;
        final Action action = decide(message, error);
        switch (action) {
            case END -> throw error;
            case SKIP -> {
                log(subscription, message, "message is skipped", error);
                if (replay != null) {
                    replay.onProcessed(message.shard(), message.sequence());
                }
            }
            case RETRY -> {
                log(subscription, message, "message is retried, attempt " + attempt, error);
                retried = subscription;
                retryNs = clock.nanoTime() + backoff.delayNs(attempt);
            }
        }
        return action == Action.SKIP;
    }

    private Action decide(final MessageView message, final RuntimeException error) {
        try {
            return errorHandler.onError(message, error, attempt);
        } catch (final RuntimeException e) {
            if (!e.equals(error)) {
                e.addSuppressed(error);
            }
            throw e;
        }
    }

    private void log(
            final ActiveSubscription subscription,
            final MessageView message,
            final String consequence,
            final RuntimeException error) {
        log.warn(
                () -> "subscription to " + subscription.request().topic() + ": its handler threw, the " + consequence
                        + ": " + message.topic() + " " + message.shard() + ":" + message.sequence(),
                error);
    }

    /** What had come was handed out; since when. */
    void onHandedOut(final long beganNs) {
        watch.onHandedOut(beganNs, count, last);
    }

    /** How long to wait for work at most: until a message is to be retried, or as long as the caller would. */
    long waitNs(final long idleNs) {
        return retried == null ? idleNs : Math.min(idleNs, retryNs - clock.nanoTime());
    }

    /** The connection has ended; a retried message comes again on the next one, or never. */
    void onDisconnect() {
        retried = null;
    }
}
