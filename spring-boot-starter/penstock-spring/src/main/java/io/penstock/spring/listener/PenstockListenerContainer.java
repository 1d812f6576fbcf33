package io.penstock.spring.listener;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.penstock.client.ConnectionException;
import io.penstock.client.PenstockException;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.observation.DeliveryContext;
import io.penstock.spring.observation.PenstockObservations;
import java.time.Duration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Runs a listener: subscribes, takes messages on the client's thread without waiting, and calls the listener on threads of
 * its own. It holds no more messages than its subscription has credit for. Messages with one key come on one thread, in
 * their order; with one thread all do.
 *
 * <p>When its subscription ends, because the broker has ended it or the client has given up, it lets the listener finish
 * what has come, and subscribes again, after delays. A client that reconnects does so by itself.
 *
 * <p>While it stops, nothing more comes, and the listener gets what is there, for as long as {@link
 * ContainerSettings#getShutdownTimeout()}; then its threads are interrupted. Messages that were not processed come again
 * when the subscription is durable, else they are lost. Safe on any thread.
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
    private final AsyncTaskExecutor executor;
    private final Object lifecycle = new Object();
    private final Lanes lanes;
    private @Nullable ApplicationEventPublisher events;
    private volatile @Nullable Source source;

    /** Of the source; others are of subscriptions that were closed. */
    private volatile @Nullable Receiver current;

    private volatile ContainerState state = ContainerState.STOPPED;
    private volatile boolean isPaused;
    private volatile long lastNs;

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
        executor = executor(listenerId, settings);
        lanes = new Lanes(this, executor);
    }

    private static AsyncTaskExecutor executor(final String id, final ContainerSettings settings) {
        final AsyncTaskExecutor given = settings.getExecutor();
        if (given != null) {
            return given;
        }
        final SimpleAsyncTaskExecutor own = new SimpleAsyncTaskExecutor("penstock-" + id + "-");
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
        return state;
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
     * Subscribes and starts its threads. When the broker is away, it goes on trying in the background.
     *
     * @throws ListenerStartException when the broker refuses the subscription.
     */
    @Override
    public void start() {
        synchronized (lifecycle) {
            if (state != ContainerState.STOPPED) {
                return;
            }
            lastNs = System.nanoTime();
            lanes.start(isPaused);
            state = ContainerState.SUBSCRIBING;
            try {
                open();
            } catch (final ConnectionException e) {
                LOG.warn(this + ": the broker cannot be reached, and is tried again: " + e.getMessage());
                publish(new ContainerFailedEvent(this, e));
                recoverSoon();
            } catch (final RuntimeException e) {
                lanes.abandon();
                state = ContainerState.STOPPED;
                throw new ListenerStartException(description, attribute(e), String.valueOf(e.getMessage()), e);
            }
        }
    }

    private String attribute(final RuntimeException reason) {
        if (reason instanceof IllegalStateException && subscription.isDurable()) {
            // Without a bookmark store, or with a name that is in use.
            return "durable";
        }
        if (!(reason instanceof PenstockException refusal) || refusal.errorCode() == null) {
            return "";
        }
        return switch (refusal.errorCode()) {
            case BAD_TOPIC, NOT_FOUND, NOT_AUTHORIZED -> "topic";
            case BAD_PATTERN -> "pattern";
            case BAD_FILTER -> "filter";
            case NO_STATE -> "sow";
            case BAD_QUERY -> "select";
            case BOOKMARK_NOT_FOUND -> "from";
            case BAD_TEXT -> "durable";
            default -> "";
        };
    }

    private void open() {
        final Source before = source;
        if (before != null) {
            before.close();
        }
        final Receiver receiver = new Receiver();
        final Source made = subscription.isFollowingState()
                ? new StreamSource(connection, subscription, listenerId, executor, receiver)
                : new CreditSource(connection, subscription, receiver);
        current = receiver;
        source = made;
        made.open();
        if (state == ContainerState.SUBSCRIBING && !receiver.hasEnded) {
            state = ContainerState.RUNNING;
        }
    }

    /** Tries again on a thread of its own, until it has a subscription or was stopped. */
    private void recoverSoon() {
        executor.execute(() -> {
            try {
                recover();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void recover() throws InterruptedException {
        final BackOffExecution delays = settings.getRecoveryBackOff().start();
        while (state == ContainerState.SUBSCRIBING) {
            final long delayMs = delays.nextBackOff();
            if (delayMs == BackOffExecution.STOP) {
                LOG.error(this + ": gives up to subscribe, as its recovery back-off has ended");
                stop();
                return;
            }
            lanes.awaitWhile(() -> state == ContainerState.SUBSCRIBING, delayMs);
            lanes.awaitIdle();
            synchronized (lifecycle) {
                if (state != ContainerState.SUBSCRIBING || tryOpen()) {
                    return;
                }
            }
        }
    }

    private boolean tryOpen() {
        try {
            open();
            LOG.info(this + ": is subscribed again");
            return true;
        } catch (final RuntimeException e) {
            LOG.warn(this + ": cannot subscribe, and tries again: " + e.getMessage());
            publish(new ContainerFailedEvent(this, e));
            return false;
        }
    }

    @Override
    public void stop() {
        synchronized (lifecycle) {
            if (state == ContainerState.STOPPED) {
                return;
            }
            state = ContainerState.STOPPED;
            lanes.wakeWaiting();
            final Source known = source;
            if (known != null) {
                known.close();
            }
            final int dropped = lanes.stop(settings.getShutdownTimeout());
            source = null;
            if (dropped > 0) {
                LOG.warn(this + ": has stopped with " + dropped + " messages that were not processed"
                        + (subscription.isDurable() ? " and come again" : ""));
            }
        }
    }

    @Override
    public void stop(final Runnable callback) {
        executor.execute(() -> {
            try {
                stop();
            } finally {
                callback.run();
            }
        });
    }

    /** Stops on another thread, for those that the stop waits for. */
    void stopSoon() {
        stop(() -> {});
    }

    /**
     * Calls the listener no more until {@link #resume()}: after the messages that it is just called with. What comes
     * meanwhile waits, and as soon as the credit is used up, at the broker. A container that is started while it is paused
     * subscribes, and calls nobody.
     */
    public void pause() {
        isPaused = true;
        lanes.pause(true);
    }

    /** Goes on after {@link #pause()}, where it was. */
    public void resume() {
        isPaused = false;
        lanes.pause(false);
    }

    public boolean isPaused() {
        return isPaused;
    }

    @Override
    public boolean isRunning() {
        return state != ContainerState.STOPPED;
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
            } catch (final RuntimeException e) {
                LOG.error(this + ": a listener of its events has failed: " + e, e);
            }
        }
    }

    /** Called by its first lane alone, after nothing has come to that one for the interval. */
    void onIdle(final Lane lane) {
        final long idleNs = System.nanoTime() - lastNs;
        if (lanes.isFirst(lane) && idleNs >= settings.getIdleEventInterval().toNanos() / 2) {
            publish(new ContainerIdleEvent(this, Duration.ofNanos(idleNs)));
        }
    }

    private @Nullable Observation startReceipt(final Delivery delivery) {
        final ObservationRegistry registry = settings.getObservationRegistry();
        return registry.isNoop()
                ? null
                : PenstockObservations.RECEIVE
                        .observation(
                                settings.getReceiveConvention(),
                                PenstockObservations.DEFAULT_RECEIVE,
                                () -> new DeliveryContext(delivery.message(), listenerId, 1),
                                registry)
                        .start();
    }

    /** Returns its id and what it is to. */
    @Override
    public String toString() {
        return "listener " + listenerId + " of " + subscription;
    }

    /** Called on the client's thread. */
    private final class Receiver implements Source.Receiver {
        private volatile boolean hasEnded;

        @Override
        public void onDelivery(final Delivery delivery) {
            lastNs = System.nanoTime();
            delivery.receipt(startReceipt(delivery));
            lanes.add(delivery);
        }

        @Override
        public void onCompleted() {
            state = ContainerState.COMPLETED;
            publishSoon(new ContainerCompletedEvent(PenstockListenerContainer.this));
        }

        @Override
        public void onEnd(final RuntimeException reason) {
            hasEnded = true;
            if (!equals(current) || state == ContainerState.STOPPED || state == ContainerState.COMPLETED) {
                return;
            }
            LOG.warn(PenstockListenerContainer.this + ": its subscription has ended, and is made again: "
                    + reason.getMessage());
            state = ContainerState.SUBSCRIBING;
            publishSoon(new ContainerFailedEvent(PenstockListenerContainer.this, reason));
            recoverSoon();
        }

        /** Who is notified may block, and the client's thread must not. */
        private void publishSoon(final ApplicationEvent event) {
            if (events != null) {
                executor.execute(() -> publish(event));
            }
        }
    }
}
