package io.penstock.spring.listener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

/** The threads of a container. Safe on any thread, except that start and stop follow each other. */
final class Lanes {
    private final PenstockListenerContainer container;
    private final Executor executor;
    private final IdleWatch idle;
    private final ReentrantLock pausing = new ReentrantLock();
    private volatile List<Lane> lanes = List.of();
    private volatile boolean isPaused;

    /** Of messages without a key. Written by the client's thread, or the one that takes from a stream. */
    private int next;

    Lanes(final PenstockListenerContainer container, final Executor executor, final IdleWatch idle) {
        this.container = container;
        this.executor = executor;
        this.idle = idle;
    }

    /** Starts them; what it throws leaves some of them running, until they are stopped. */
    void start(final Runnable stopSoon) {
        final ContainerSettings settings = container.settings();
        final PenstockErrorHandler given = settings.getErrorHandler();
        final PenstockErrorHandler errorHandler = given == null ? new DefaultErrorHandler() : given;
        final List<Lane> made = new ArrayList<>();
        for (int i = 0; i < settings.getConcurrency(); i++) {
            made.add(new Lane(container, errorHandler, i == 0 ? idle : null, stopSoon));
        }
        idle.onStart();
        pausing.lock();
        try {
            made.forEach(lane -> lane.queue().pause(isPaused));
            lanes = List.copyOf(made);
        } finally {
            pausing.unlock();
        }
        made.forEach(executor::execute);
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
        pausing.lock();
        try {
            isPaused = isToPause;
            lanes.forEach(lane -> lane.queue().pause(isToPause));
        } finally {
            pausing.unlock();
        }
    }

    boolean isPaused() {
        return isPaused;
    }

    /** Whether the caller is one of them. */
    boolean isCurrent() {
        return lanes.stream().anyMatch(Lane::isCurrent);
    }

    int queuedCount() {
        int count = 0;
        for (final Lane lane : lanes) {
            count += lane.queue().size();
        }
        return count;
    }

    /**
     * Waits until nothing waits and nobody works, or they are stopped. While they are paused, what the listener was not
     * called with is dropped.
     */
    void settle() {
        for (final Lane lane : lanes) {
            lane.queue().settle().forEach(Delivery::drop);
        }
    }

    /** Lets them finish for a time; returns how many messages were not processed then. */
    int stop(final Duration timeout) {
        final List<Lane> all = lanes;
        all.forEach(lane -> lane.queue().end());
        final long startNs = System.nanoTime();
        try {
            for (final Lane lane : all) {
                // One that stops its own container cannot be waited for.
                if (!lane.isCurrent()) {
                    lane.awaitEnd(timeout.toNanos() - (System.nanoTime() - startNs));
                }
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        int dropped = 0;
        for (final Lane lane : all) {
            dropped += lane.isCurrent() ? lane.drop() : lane.abandon();
        }
        lanes = List.of();
        return dropped;
    }
}
