package io.penstock.spring.listener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** The threads of a container. Safe on any thread, except that start and stop follow each other. */
final class Lanes {
    private final PenstockListenerContainer container;
    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile List<Lane> lanes = List.of();

    /** Of messages without a key. Written by the client's thread, or the one that takes from a stream. */
    private int next;

    Lanes(final PenstockListenerContainer container, final Executor executor) {
        this.container = container;
        this.executor = executor;
    }

    void start(final boolean isPaused) {
        final ContainerSettings settings = container.settings();
        final PenstockErrorHandler given = settings.getErrorHandler();
        final PenstockErrorHandler errorHandler = given == null ? new DefaultErrorHandler() : given;
        final List<Lane> made = new ArrayList<>();
        for (int i = 0; i < settings.getConcurrency(); i++) {
            final Lane lane = new Lane(
                    container,
                    new DeliveryProcessor(container, container.listener(), errorHandler, settings),
                    container.listener().isBatch(),
                    settings);
            lane.queue().pause(isPaused);
            made.add(lane);
        }
        lanes = List.copyOf(made);
        lanes.forEach(executor::execute);
    }

    void add(final Delivery delivery) {
        final List<Lane> all = lanes;
        if (all.size() == 1) {
            all.get(0).queue().add(delivery);
        } else if (!all.isEmpty()) {
            final String key = delivery.message().key();
            final int hash = key.isEmpty() ? next++ : key.hashCode();
            all.get(Math.floorMod(hash, all.size())).queue().add(delivery);
        }
    }

    void pause(final boolean isToPause) {
        lanes.forEach(lane -> lane.queue().pause(isToPause));
    }

    boolean isFirst(final Lane lane) {
        final List<Lane> all = lanes;
        return !all.isEmpty() && all.get(0) == lane;
    }

    int queuedCount() {
        int count = 0;
        for (final Lane lane : lanes) {
            count += lane.queue().size();
        }
        return count;
    }

    /** Waits until nothing waits and nobody works, or they are stopped. */
    void awaitIdle() throws InterruptedException {
        for (final Lane lane : lanes) {
            lane.queue().awaitIdle();
        }
    }

    /** Waits for a time, or until {@link #wakeWaiting()} was called and the condition is false. */
    void awaitWhile(final BooleanSupplier condition, final long timeoutMs) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long leftNs = TimeUnit.MILLISECONDS.toNanos(timeoutMs);
            while (leftNs > 0 && condition.getAsBoolean()) {
                leftNs = changed.awaitNanos(leftNs);
            }
        } finally {
            lock.unlock();
        }
    }

    void wakeWaiting() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets them finish for a time; returns how many messages are dropped then. */
    int stop(final Duration timeout) {
        final List<Lane> all = lanes;
        lanes = List.of();
        all.forEach(lane -> lane.queue().end());
        final long endNs = System.nanoTime() + timeout.toNanos();
        try {
            for (final Lane lane : all) {
                // One that stops its own container cannot be waited for.
                if (!lane.isCurrent()) {
                    lane.awaitEnd(endNs - System.nanoTime());
                }
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        int dropped = 0;
        for (final Lane lane : all) {
            dropped += lane.isCurrent() ? lane.queue().clear() : lane.abandon();
        }
        return dropped;
    }

    /** Ends them at once. */
    void abandon() {
        stop(Duration.ZERO);
    }
}
