package io.penstock.spring.listener;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.penstock.spring.LogText;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.observation.DeliveryContext;
import io.penstock.spring.observation.PenstockObservations;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Runs a listener: subscribes, takes messages on the client's thread without waiting, and calls the listener on threads of
 * its own. It holds no more messages than its subscription has credit for. Messages with one key come on one thread, in
 * their order; with one thread all do.
 *
 * <p>When its subscription ends, because the broker has ended it or the client has given up, it subscribes again, after
 * delays, also while it is paused. A durable one lets the listener finish before what has come; while it is paused, it drops
 * what the listener was not called with, and that comes again. One that reads the log without a name goes on after the
 * last message that came. A client that reconnects does so by itself.
 *
 * <p>While it stops, nothing more comes, and the listener gets what is there, for as long as {@link
 * ContainerSettings#getShutdownTimeout()}; then its threads are interrupted. Messages that were not processed come again
 * when the subscription is durable, else they are lost; a warning says how many. An interrupt by anybody else ends none of
 * its threads. Safe on any thread.
 */
public final class PenstockListenerContainer implements SmartLifecycle {
    private static final int VIRTUAL_THREADS_FEATURE = 21;
    private static final Log LOG = LogFactory.getLog(PenstockListenerContainer.class);

    private final String listenerId;
    private final String description;
    private final PenstockConnection connection;
    private final ListenerSubscription subscription;
    private final PenstockMessageListener listener;
    private final ContainerSettings settings;
    /** Of what is not the listener's: it has a thread for each task at once. */
    private final AsyncTaskExecutor tasks;

    private final ReentrantLock lifecycle = new ReentrantLock();
    private final IdleWatch idle;
    private final Lanes lanes;
    private volatile @Nullable ApplicationEventPublisher events;

    /** Once for each container, of what is wrong with being durable. Written while a subscription is made. */
    private volatile boolean isWarned;

    /** Why it has stopped by itself, or could not be started; null otherwise. */
    private volatile @Nullable RuntimeException failure;

    /** Of the last start; null once it is stopped. Written under the lock. */
    private volatile @Nullable Subscriber subscriber;

    /**
     * Makes a container, which is not started.
     *
     * @param listenerId   unique in the program; names its threads, events and observations.
     * @param description  of the listener in errors: its method, for example.
     * @param connection   that its client comes from.
     * @param subscription what to.
     * @param listener     called on the container's threads.
     * @param settings     copied.
     */
    public PenstockListenerContainer(
            final String listenerId,
            final String description,
            final PenstockConnection connection,
            final ListenerSubscription subscription,
            final PenstockMessageListener listener,
            final ContainerSettings settings) {
        this.listenerId = listenerId;
        this.description = description;
        this.connection = connection;
        this.subscription = subscription;
        this.listener = listener;
        this.settings = settings.copy();
        tasks = threads("penstock-" + listenerId + "-task-");
        idle = new IdleWatch(System::nanoTime, settings.getIdleEventInterval().toNanos());
        final AsyncTaskExecutor given = settings.getExecutor();
        lanes = new Lanes(this, given == null ? threads("penstock-" + listenerId + "-") : given, idle);
    }

    private static AsyncTaskExecutor threads(final String prefix) {
        final SimpleAsyncTaskExecutor own = new SimpleAsyncTaskExecutor(prefix);
        own.setDaemon(true);
        if (Runtime.version().feature() >= VIRTUAL_THREADS_FEATURE) {
            own.setVirtualThreads(true);
        }
        return own;
    }

    /**
     * Chooses who is notified of events.
     *
     * @param publisher for example the context.
     */
    public void setApplicationEventPublisher(final ApplicationEventPublisher publisher) {
        events = publisher;
    }

    public String getListenerId() {
        return listenerId;
    }

    /** What the container subscribes to. */
    public ListenerSubscription getSubscription() {
        return subscription;
    }

    /** How it is at this moment. */
    public ContainerState getState() {
        final Subscriber known = subscriber;
        return known == null ? ContainerState.STOPPED : known.state();
    }

    /**
     * Why it does not run although it was started and nobody has stopped it: it cannot subscribe, and tries again unless it
     * is {@link ContainerState#STOPPED}; or its error handler, or a thread that has failed, has stopped it.
     *
     * @return null while it runs, and when it was stopped or never started.
     */
    public @Nullable RuntimeException getFailure() {
        final Subscriber known = subscriber;
        final RuntimeException reason = known == null ? null : known.failure();
        return reason == null ? failure : reason;
    }

    /** How many messages wait for its threads. */
    public int getQueuedCount() {
        return lanes.queuedCount();
    }

    PenstockMessageListener listener() {
        return listener;
    }

    ContainerSettings settings() {
        return settings;
    }

    /**
     * Subscribes and starts its threads. When the broker is away or does not answer, it goes on trying in the background.
     *
     * @throws ListenerStartException when the broker refuses the subscription.
     */
    @Override
    public void start() {
        final Subscriber made;
        final RuntimeException reason;
        lifecycle.lock();
        try {
            final Subscriber before = subscriber;
            if (before != null && before.state() != ContainerState.STOPPED) {
                return;
            }
            if (before != null) {
                finish(before);
            }
            made = new Subscriber(this, connection, lanes, tasks);
            subscriber = made;
            failure = null;
            reason = start(made);
        } finally {
            lifecycle.unlock();
        }
        if (reason != null) {
            made.tell("cannot subscribe now, and tries again", reason);
            publish(new ContainerFailedEvent(this, reason));
            made.recoverSoon();
        }
    }

    /** Returns null when it has a subscription; what it throws leaves nothing behind. */
    private @Nullable RuntimeException start(final Subscriber made) {
        boolean isStarted = false;
        try {
            lanes.start(() -> stopSoon(made));
            final RuntimeException ended = made.open();
            isStarted = true;
            return ended;
        } catch (final RuntimeException e) {
            if (PenstockConnection.isPassing(e)) {
                isStarted = true;
                return e;
            }
            final ListenerStartException refused = new ListenerStartException(
                    description, RefusedAttribute.of(subscription, e), String.valueOf(e.getMessage()), e);
            failure = refused;
            throw refused;
        } finally {
            if (!isStarted) {
                made.end();
                made.close();
                lanes.stop(Duration.ZERO);
                subscriber = null;
            }
        }
    }

    @Override
    public void stop() {
        final Subscriber known = subscriber;
        if (known != null) {
            stop(known);
        }
        failure = null;
    }

    /** Ends what was started with it, and nothing that was started since. */
    void stop(final Subscriber which) {
        final boolean isFirst = which.end();
        if (!isFirst && lanes.isCurrent()) {
            // Whoever stops it waits for this thread.
            return;
        }
        lifecycle.lock();
        try {
            if (which.equals(subscriber)) {
                finish(which);
            }
        } finally {
            lifecycle.unlock();
        }
    }

    /** Called with the lock. */
    private void finish(final Subscriber ended) {
        ended.close();
        final int dropped = lanes.stop(settings.getShutdownTimeout());
        subscriber = null;
        if (dropped > 0) {
            LOG.warn(this + ": has stopped with " + dropped + " messages that were not processed"
                    + (subscription.isDurable() ? " and come again" : ", and are lost"));
        }
    }

    @Override
    public void stop(final Runnable callback) {
        final Runnable stop = () -> {
            try {
                stop();
            } finally {
                callback.run();
            }
        };
        if (lanes.isCurrent()) {
            // Its listener, which may wait for the callback, and is not waited for on its own thread.
            stop.run();
        } else {
            soon(stop);
        }
    }

    /** Stops on another thread, for those that the stop waits for. */
    private void stopSoon(final Subscriber which) {
        soon(() -> fail(
                which,
                new IllegalStateException(
                        "its error handler has stopped it, or one of its threads has failed (see the log)")));
    }

    /** Stops it, and keeps why; unless somebody has stopped it before. */
    void fail(final Subscriber which, final @Nullable RuntimeException reason) {
        if (which.equals(subscriber)) {
            failure = reason;
        }
        stop(which);
    }

    /** Runs it here when there is no thread for it: it is done in any case. */
    private void soon(final Runnable task) {
        try {
            tasks.execute(task);
        } catch (final RuntimeException | OutOfMemoryError e) {
            LOG.warn(this + ": there is no thread to stop it, and it is stopped on this one: " + e);
            task.run();
        }
    }

    /**
     * Calls the listener no more until {@link #resume()}: after the messages that it is just called with. What comes
     * meanwhile waits, and as soon as the credit is used up, at the broker. A container that is started while it is paused
     * subscribes, and calls nobody.
     */
    public void pause() {
        lanes.pause(true);
    }

    /** Goes on after {@link #pause()}, where it was. */
    public void resume() {
        lanes.pause(false);
    }

    public boolean isPaused() {
        return lanes.isPaused();
    }

    @Override
    public boolean isRunning() {
        return getState() != ContainerState.STOPPED;
    }

    @Override
    public boolean isAutoStartup() {
        return settings.isAutoStartup();
    }

    @Override
    public int getPhase() {
        return settings.getPhase();
    }

    void publish(final ApplicationEvent event) {
        final ApplicationEventPublisher publisher = events;
        if (publisher != null) {
            try {
                publisher.publishEvent(event);
            } catch (final RuntimeException | LinkageError | AssertionError e) {
                LOG.error(this + ": a listener of its events has failed: " + LogText.of(e), e);
            }
        }
    }

    /** Who is notified may block, and the client's thread must not. */
    void publishSoon(final ApplicationEvent event) {
        if (events != null) {
            tasks.execute(() -> publish(event));
        }
    }

    /** Called with each subscription that was made; never at the same time. */
    void onSubscribed() {
        if (subscription.isDurable() && connection.isForgetful() && !isWarned) {
            isWarned = true;
            LOG.warn(
                    this + ": is durable, and where it is is noted in memory: after a restart of the program it begins "
                            + (subscription.from().isEmpty() ? "with new messages" : "at " + subscription.from())
                            + " (give the client a bookmark store in a file; with Boot: penstock.bookmark-store.kind=file)");
        }
    }

    /** Called by a lane that ends by what was thrown; the container stops. */
    void onLaneFailed(final Throwable thrown) {
        publishSoon(new ContainerFailedEvent(
                this, new IllegalStateException("one of its threads has failed: " + LogText.of(thrown), thrown)));
    }

    /** Called by its first lane. */
    void onIdle(final long idleNs) {
        publish(new ContainerIdleEvent(this, Duration.ofNanos(idleNs)));
    }

    /** Called by the client's thread, or the one that takes from a stream. */
    void onDelivery(final Delivery delivery) {
        idle.onMessage();
        delivery.receipt(startReceipt(delivery));
        lanes.add(delivery);
    }

    private @Nullable Observation startReceipt(final Delivery delivery) {
        final ObservationRegistry registry = settings.getObservationRegistry();
        if (registry.isNoop()) {
            return null;
        }
        try {
            return PenstockObservations.RECEIVE
                    .observation(
                            settings.getReceiveConvention(),
                            PenstockObservations.DEFAULT_RECEIVE,
                            () -> new DeliveryContext(delivery.message(), listenerId, 1),
                            registry)
                    .start();
        } catch (final RuntimeException e) {
            // The message is more than what is known of it.
            LOG.warn(this + ": " + delivery + " is not observed, as that has failed: " + LogText.of(e), e);
            return null;
        }
    }

    /** Returns its id and what it is to. */
    @Override
    public String toString() {
        return "listener " + listenerId + " of " + subscription;
    }
}
