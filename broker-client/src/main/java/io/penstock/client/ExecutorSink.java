package io.penstock.client;

import io.penstock.client.MessageErrorHandler.Action;
import io.penstock.client.engine.Backoff;
import io.penstock.client.engine.ClientEngine;
import io.penstock.client.lane.LaneHandler;
import io.penstock.client.lane.Lanes;
import io.penstock.client.warning.ClientLog;
import io.penstock.client.warning.FailureLog;
import io.penstock.client.warning.Failures;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Hands messages to a handler on an executor, and holds those that wait for it. The agent adds; the executor's threads take.
 */
final class ExecutorSink extends SubscriptionSink implements LaneHandler {
    /** The client whose handler the thread is in. */
    private static final ThreadLocal<@Nullable ClientEngine> CALLER = new ThreadLocal<>();

    private final ExecutorHandler to;
    private final MessageHandler handler;
    private final ClientConfig config;
    private final ClientEngine engine;
    private final boolean isAcknowledging;
    private final Lanes lanes;
    private final FailureLog log;
    private final Backoff backoff;
    private final HeldMessages held;
    private final AtomicInteger callCount = new AtomicInteger();
    private final AtomicBoolean isEndReported = new AtomicBoolean();
    private volatile boolean isDropped;

    ExecutorSink(
            final ExecutorHandler to,
            final ClientConfig config,
            final ClientEngine engine,
            final boolean isAcknowledging) {
        this.to = to;
        this.config = config;
        this.engine = engine;
        this.isAcknowledging = isAcknowledging;
        handler = to.handler();
        lanes = new Lanes(to.executor(), this, to.laneCount());
        held = new HeldMessages(config, engine);
        log = new FailureLog(config.nanoClock());
        backoff = Backoff.of(config);
    }

    /** Whether the calling thread is in a handler of a client's subscription. */
    static boolean isCalling(final ClientEngine client) {
        return client.equals(CALLER.get());
    }

    @Override
    public boolean onMessage(final MessageView message) {
        if (isDropped) {
            return true;
        }
        if (!held.tryHold(message.length())) {
            return false;
        }
        lanes.add(to.hash(message), message.copy());
        return true;
    }

    @Override
    public long onMessage(final MessageView message, final int attempt) {
        final long delayNs = isDropped ? DONE : call(message, attempt);
        if (delayNs == DONE) {
            held.release(message, subscription().active());
        }
        return delayNs;
    }

    private long call(final MessageView message, final int attempt) {
        beginCall();
        try {
            if (isDropped) {
                return DONE;
            }
            handler.onMessage(message);
            if (isAcknowledging) {
                acknowledge(message);
            }
            return DONE;
        } catch (final RuntimeException e) {
            return onError(message, e, attempt);
        } catch (final Throwable e) {
            failInOrder(THREW, e);
            return DONE;
        } finally {
            endCall();
        }
    }

    private void acknowledge(final MessageView message) {
        try {
            subscription().acknowledge(message.shard(), message.sequence());
        } catch (final RuntimeException e) {
            failInOrder("what is processed cannot be noted", e);
        }
    }

    /** Counted before it is looked whether to drop: who waits for calls to end sees the call, or the call sees him. */
    private void beginCall() {
        callCount.incrementAndGet();
        CALLER.set(engine);
    }

    private void endCall() {
        CALLER.remove();
        callCount.decrementAndGet();
        if (isDropped) {
            engine.wakeup();
        }
    }

    private long onError(final MessageView message, final RuntimeException error, final int attempt) {
        Action action = Action.END;
        Throwable reason = error;
        try {
            action = config.messageErrorHandler().onError(message, error, attempt);
        } catch (final Throwable e) {
            if (!e.equals(error)) {
                e.addSuppressed(error);
            }
            reason = e;
        }
        if (action == Action.END) {
            failInOrder(THREW, reason);
            return DONE;
        }
        final String consequence =
                action == Action.SKIP ? "message is skipped" : "message is retried, attempt " + attempt;
        log.warn(() -> subject() + THREW + ", the " + consequence + ": " + messageText(message), error);
        if (action == Action.RETRY) {
            return backoff.delayNs(attempt);
        }
        if (subscription().active().isNamed()) {
            acknowledge(message);
        }
        return DONE;
    }

    private String subject() {
        return "subscription to " + subscription().request().topic() + ": ";
    }

    private static String messageText(final MessageView message) {
        return message.topic() + " " + message.shard() + ":" + message.sequence();
    }

    @Override
    public void onGroupBegin(final String topic, final int shard, final long sequence) {
        addEvent(() -> handler.onGroupBegin(topic, shard, sequence));
    }

    @Override
    public void onGroupEnd(final long topicMatches, final long matches, final long returned) {
        addEvent(() -> handler.onGroupEnd(topicMatches, matches, returned));
    }

    @Override
    public void onCompleted() {
        addEvent(() -> handler.onCompleted(subscription()));
    }

    /** Counts like a message: no more of those come when too many events wait. */
    private void addEvent(final Runnable event) {
        held.hold(0);
        lanes.addBarrier(() -> {
            call(event);
            held.release(0, 0, subscription().active());
        });
    }

    private void call(final Runnable event) {
        beginCall();
        try {
            if (!isDropped) {
                event.run();
            }
        } catch (final Throwable e) {
            failInOrder(THREW, e);
        } finally {
            endCall();
        }
    }

    @Override
    public void onStop() {
        isDropped = true;
    }

    @Override
    public boolean isIdle() {
        return callCount.get() == 0;
    }

    @Override
    public void onEnd(final @Nullable PenstockException reason) {
        if (reason == null) {
            isDropped = true;
        } else if (isEndReported.compareAndSet(false, true)) {
            lanes.addBarrier(() -> callEnd(reason));
        }
    }

    private void callEnd(final PenstockException reason) {
        beginCall();
        try {
            handler.onEnd(subscription(), reason);
        } catch (final Throwable e) {
            ClientLog.onHandlerFailure(handler, e);
        } finally {
            endCall();
        }
    }

    /** It ends, and the handler is notified when all calls are over. */
    private void failInOrder(final String what, final Throwable cause) {
        final PenstockException reason = fail(what, cause);
        if (reason != null) {
            lanes.addBarrier(() -> callEnd(reason));
        }
    }

    @Override
    public void onFailure(final String what, final Throwable cause) {
        final PenstockException reason = fail(what, cause);
        if (reason != null) {
            callEnd(reason);
        }
    }

    /** Nothing is handed over any more. Returns why; null when an end is reported already. */
    private @Nullable PenstockException fail(final String what, final Throwable cause) {
        isDropped = true;
        if (!isEndReported.compareAndSet(false, true)) {
            return null;
        }
        final String reason = subject() + what + ": " + Failures.nameOf(cause);
        ClientLog.warn(reason, cause);
        engine.end(subscription().active());
        return new PenstockException(reason, cause);
    }

    @Override
    public String toString() {
        return handler.toString();
    }
}
