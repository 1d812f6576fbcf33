package io.penstock.client;

import io.penstock.client.engine.ClientEngine;
import io.penstock.client.warning.ClientLog;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one subscriber of a publisher. It is called by one thread of the executor at a time: whoever brings
 * something first starts it. The agent adds messages, any thread asks for them.
 */
final class FlowSink extends SubscriptionSink implements Flow.Subscription, Runnable {
    private final Executor executor;
    private final ClientEngine engine;
    private final HeldMessages held;
    private final boolean hasEnd;
    private final Queue<Next> queue = new ConcurrentLinkedQueue<>();
    private final AtomicLong demand = new AtomicLong();

    /** What there is to look at; as long as it is above 0 one thread runs this. */
    private final AtomicInteger signals = new AtomicInteger();

    /** Why nothing comes after what is queued; empty when that was all. */
    private final AtomicReference<@Nullable Optional<Throwable>> end = new AtomicReference<>();

    private volatile @Nullable CompletableFuture<Subscription> accepted;
    private volatile boolean isCancelled;
    private volatile boolean isCutOff;
    private volatile boolean isAtEnd;

    // Of the thread that runs this.
    private Flow.@Nullable Subscriber<? super Message> subscriber;
    private boolean isSubscribed;

    private record Next(Message message, int creditLength) {}

    FlowSink(
            final Flow.Subscriber<? super Message> subscriber,
            final Executor executor,
            final ClientEngine engine,
            final HeldMessages held,
            final boolean hasEnd) {
        this.subscriber = subscriber;
        this.executor = executor;
        this.engine = engine;
        this.held = held;
        this.hasEnd = hasEnd;
    }

    /** Subscribes at the broker, unless the subscriber has cancelled already. */
    void start(final Subscription subscription) {
        signal();
        if (isCancelled) {
            return;
        }
        try {
            final CompletableFuture<Subscription> future = engine.subscribeAsync(subscription.active(), subscription);
            accepted = future;
            future.exceptionally(reason -> {
                end(reason);
                return subscription;
            });
        } catch (final RuntimeException e) {
            end(e);
        }
        if (isCancelled) {
            unsubscribe();
        }
    }

    private void unsubscribe() {
        final CompletableFuture<Subscription> future = accepted;
        // One that is not accepted yet is given up when its answer comes.
        if (future != null && !future.cancel(false)) {
            engine.end(subscription().active());
        }
    }

    @Override
    public void request(final long count) {
        if (count < 1) {
            cutOff(new IllegalArgumentException("publisher: demand is too small: " + count + " (request 1 or more)"));
            signal();
            return;
        }
        demand.accumulateAndGet(count, (known, more) -> known + more < 0 ? Long.MAX_VALUE : known + more);
        signal();
    }

    @Override
    public void cancel() {
        if (!isCancelled) {
            isCancelled = true;
            unsubscribe();
            signal();
        }
    }

    @Override
    public boolean onMessage(final MessageView message) {
        if (isCancelled || isCutOff) {
            return true;
        }
        if (!held.tryHold(message.length())) {
            return false;
        }
        queue.add(new Next(message.toMessage(), message.creditLength()));
        signal();
        return true;
    }

    @Override
    public void onCompleted() {
        isAtEnd = hasEnd;
    }

    @Override
    public void onStop() {
        cutOff(closed());
        signal();
    }

    @Override
    public void onEnd(final @Nullable PenstockException reason) {
        if (reason == null && isAtEnd) {
            end.compareAndSet(null, Optional.empty());
            signal();
        } else {
            end(reason == null ? closed() : reason);
        }
    }

    private static ConnectionException closed() {
        return new ConnectionException("publisher: the client was closed before all messages had come", null);
    }

    private void end(final Throwable reason) {
        end.compareAndSet(null, Optional.of(reason));
        signal();
    }

    /** Ends at once, in place of what would have ended it after the rest. */
    private void cutOff(final Throwable reason) {
        end.set(Optional.of(reason));
        isCutOff = true;
    }

    private void signal() {
        if (signals.getAndIncrement() == 0) {
            try {
                executor.execute(this);
            } catch (final Throwable e) {
                // An executor may be out of threads, which is an error.
                cutOff(new PenstockException("publisher: its executor takes no more", e));
                run();
            }
        }
    }

    @Override
    public void run() {
        int seen = signals.get();
        while (seen != 0) {
            serve();
            seen = signals.addAndGet(-seen);
        }
    }

    private void serve() {
        final Flow.Subscriber<? super Message> to = subscriber;
        if (to == null) {
            queue.clear();
            return;
        }
        try {
            if (!isSubscribed) {
                isSubscribed = true;
                to.onSubscribe(this);
            }
            hand(to);
        } catch (final Throwable e) {
            // Its own rules forbid it; it may be in any state. Nobody would serve the others of a thread that ends of
            // it.
            ClientLog.warn("publisher: its subscriber threw, and counts as cancelled: " + to, e);
            cancel();
        }
        if (isCancelled) {
            subscriber = null;
            queue.clear();
        }
    }

    private void hand(final Flow.Subscriber<? super Message> to) {
        while (demand.get() > 0 && !isCancelled && !isCutOff) {
            final Next next = queue.poll();
            if (next == null) {
                break;
            }
            if (demand.get() != Long.MAX_VALUE) {
                demand.decrementAndGet();
            }
            to.onNext(next.message());
            held.release(
                    next.message().bytes().length,
                    next.creditLength(),
                    subscription().active());
        }
        // Before the reason, which is written first.
        final boolean isAtOnce = isCutOff;
        final Optional<Throwable> reason = end.get();
        if (reason != null && !isCancelled && (isAtOnce || queue.isEmpty())) {
            cancel();
            reason.ifPresentOrElse(to::onError, to::onComplete);
        }
    }
}
