package io.penstock.spring.listener;

import io.penstock.client.ConnectionException;
import io.penstock.spring.PenstockConnection;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Keeps a container subscribed, from its start to its stop: when a subscription has ended, it makes another one. There is
 * one for each start, so that what comes late changes nothing of the next. Safe on any thread.
 */
final class Subscriber {
    private static final Log LOG = LogFactory.getLog(PenstockListenerContainer.class);

    /** A state, and the receiver of the subscription that it is about. */
    private record Phase(ContainerState state, @Nullable Receiver receiver) {}

    private final PenstockListenerContainer container;
    private final PenstockConnection connection;
    private final Lanes lanes;
    private final Executor executor;
    private final AtomicReference<Phase> phase = new AtomicReference<>(new Phase(ContainerState.SUBSCRIBING, null));

    /** Held while a subscription is made or closed. */
    private final ReentrantLock opening = new ReentrantLock();

    private @Nullable Source source;

    /** Why it has none, or had none before. */
    private volatile @Nullable RuntimeException failure;

    /** Whether the log says at a level that is seen that it has no subscription. */
    private volatile boolean isTold;

    private final ReentrantLock waiting = new ReentrantLock();
    private final Condition isStopped = waiting.newCondition();

    /** The executor has a thread for each task at once. */
    Subscriber(
            final PenstockListenerContainer container,
            final PenstockConnection connection,
            final Lanes lanes,
            final Executor executor) {
        this.container = container;
        this.connection = connection;
        this.lanes = lanes;
        this.executor = executor;
    }

    ContainerState state() {
        return phase().state();
    }

    private Phase phase() {
        return Objects.requireNonNull(phase.get());
    }

    /** Subscribes. Returns null when it has, or was stopped; else why the subscription has ended at once. */
    @Nullable
    RuntimeException open() {
        opening.lock();
        try {
            final Phase before = phase();
            if (before.state() != ContainerState.SUBSCRIBING) {
                return null;
            }
            final Source next = nextSource();
            final Receiver receiver = new Receiver();
            final Phase begun = new Phase(ContainerState.SUBSCRIBING, receiver);
            if (!phase.compareAndSet(before, begun)) {
                return null;
            }
            next.open(receiver);
            container.onSubscribed();
            if (!phase.compareAndSet(begun, new Phase(ContainerState.RUNNING, receiver))) {
                // It was stopped, or has completed.
                closeIfStopped();
                return null;
            }
            final RuntimeException ended = receiver.ended;
            return ended != null && lose(receiver) ? ended : null;
        } finally {
            opening.unlock();
        }
    }

    private Source nextSource() {
        final Source before = source;
        if (before != null) {
            close(before);
        }
        final ListenerSubscription to = container.getSubscription();
        final Source next;
        if (to.isDurable()) {
            next = new DurableSource(connection, to);
        } else if (before != null) {
            next = before;
        } else if (to.isFollowingState()) {
            next = new StreamSource(connection, to, container.getListenerId(), executor);
        } else {
            next = new CreditSource(connection, to);
        }
        source = next;
        return next;
    }

    /** Of those who see that a subscription has ended, one gets true, and makes the next. */
    private boolean lose(final Receiver receiver) {
        final Phase known = phase();
        return known.state() == ContainerState.RUNNING
                && receiver.equals(known.receiver())
                && phase.compareAndSet(known, new Phase(ContainerState.SUBSCRIBING, receiver));
    }

    /** Tries again on a thread of its own, until it has a subscription or is stopped. */
    void recoverSoon() {
        executor.execute(this::recover);
    }

    private void recover() {
        final BackOffExecution delays =
                container.settings().getRecoveryBackOff().start();
        while (isSubscribing()) {
            final long delayMs = delays.nextBackOff();
            if (delayMs == BackOffExecution.STOP) {
                LOG.error(container + ": gives up to subscribe, as its recovery back-off has ended");
                container.fail(this, failure);
                return;
            }
            delay(delayMs);
            if (container.getSubscription().isDurable()) {
                // What is not processed comes again, and is not to come twice.
                lanes.settle();
            }
            if (isSubscribing() && tryOpen()) {
                return;
            }
        }
    }

    private boolean isSubscribing() {
        return state() == ContainerState.SUBSCRIBING;
    }

    private boolean tryOpen() {
        RuntimeException reason;
        try {
            reason = open();
        } catch (final RuntimeException e) {
            reason = e;
        } catch (final Throwable e) {
            // Also when there is no thread for a client: who ended here would leave a listener without a subscription.
            reason = new IllegalStateException("subscribe: failed: " + e, e);
        }
        if (reason == null) {
            final String text = container + ": is subscribed again";
            if (isTold) {
                LOG.info(text);
            } else {
                LOG.debug(text);
            }
            isTold = false;
            return true;
        }
        tell("cannot subscribe, and tries again", reason);
        container.publish(new ContainerFailedEvent(container, reason));
        return false;
    }

    /** Why it has no subscription; null while it has one, or is stopped. */
    @Nullable
    RuntimeException failure() {
        return isSubscribing() ? failure : null;
    }

    /** Keeps and logs why it has no subscription. That the shared connection is away, the connection says once for all. */
    void tell(final String what, final RuntimeException reason) {
        failure = reason;
        final String text = container + ": " + what + ": " + reason.getMessage();
        if (reason instanceof ConnectionException && !connection.isConnected()) {
            LOG.debug(text);
        } else {
            isTold = true;
            LOG.warn(text);
        }
    }

    /** Waits for a time, or until it is stopped. */
    private void delay(final long delayMs) {
        final long startNs = System.nanoTime();
        final long delayNs = TimeUnit.MILLISECONDS.toNanos(delayMs);
        waiting.lock();
        try {
            long leftNs = delayNs;
            while (leftNs > 0 && isSubscribing()) {
                try {
                    isStopped.awaitNanos(leftNs);
                } catch (final InterruptedException e) {
                    // By one who is notified of events; it ends by its state alone.
                    LOG.debug(container + ": was interrupted between two attempts to subscribe, and goes on");
                }
                leftNs = delayNs - (System.nanoTime() - startNs);
            }
        } finally {
            waiting.unlock();
        }
    }

    /** Subscribes no more. Returns whether this is the first call. */
    boolean end() {
        final boolean isFirst =
                phase.getAndSet(new Phase(ContainerState.STOPPED, null)).state() != ContainerState.STOPPED;
        waiting.lock();
        try {
            isStopped.signalAll();
        } finally {
            waiting.unlock();
        }
        return isFirst;
    }

    /** Closes its subscription, after an attempt to make one that is under way; to be called after {@link #end()}. */
    void close() {
        opening.lock();
        try {
            closeIfStopped();
        } finally {
            opening.unlock();
        }
    }

    private void closeIfStopped() {
        final Source known = source;
        if (known != null && state() == ContainerState.STOPPED) {
            close(known);
        }
    }

    private void close(final Source known) {
        try {
            known.close();
        } catch (final RuntimeException e) {
            LOG.warn(container + ": its subscription is given up without an answer of the broker: " + e.getMessage());
        }
    }

    /** Called on the client's thread, or that of the stream. */
    private final class Receiver implements Source.Receiver {
        private volatile @Nullable RuntimeException ended;

        @Override
        public void onDelivery(final Delivery delivery) {
            container.onDelivery(delivery);
        }

        @Override
        public void onCompleted() {
            Phase known = phase();
            while (equals(known.receiver())) {
                if (phase.compareAndSet(known, new Phase(ContainerState.COMPLETED, this))) {
                    container.publishSoon(new ContainerCompletedEvent(container));
                    return;
                }
                known = phase();
            }
        }

        @Override
        public void onEnd(final RuntimeException reason) {
            // Before the state is looked at, as the thread that subscribes looks at this after it has set it.
            ended = reason;
            if (lose(this)) {
                tell("its subscription has ended, and is made again", reason);
                container.publishSoon(new ContainerFailedEvent(container, reason));
                recoverSoon();
            }
        }
    }
}
