package io.penstock.bench;

import io.penstock.broker.IdleMode;
import io.penstock.standalone.CommandFailure;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;

/** Publishes, at a rate or as fast as the slowest subscriber takes it, until it is stopped. */
final class PublisherLoop implements Runnable {
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /** A sleeping thread wakes up late by about this much, so the last part of a wait is spun. */
    private static final long WAKE_UP_NS = TimeUnit.MICROSECONDS.toNanos(80);

    private static final long FLUSH_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int BATCH = 64;

    private final BenchPlan plan;
    private final Subject.PublishPort port;
    private final Progress progress;
    private final SendClock clock;
    private final AtomicBoolean isRunning;
    private long published;

    PublisherLoop(
            final BenchPlan plan,
            final Subject.PublishPort port,
            final Progress progress,
            final SendClock clock,
            final AtomicBoolean isRunning) {
        this.plan = plan;
        this.port = port;
        this.progress = progress;
        this.clock = clock;
        this.isRunning = isRunning;
    }

    @Override
    public void run() {
        final int aheadLimit = plan.aheadLimit();
        while (isRunning.get()) {
            final long slowest = progress.slowest();
            final long limit = slowest > Long.MAX_VALUE - aheadLimit ? Long.MAX_VALUE : slowest + aheadLimit;
            final long target = clock.isPaced() ? Math.min(limit, due()) : limit;
            if (published < target) {
                final long before = published;
                publish((int) Math.min(BATCH, target - published));
                if (published == before) {
                    waitForRoom();
                }
            } else {
                port.poll();
                idle(published >= limit);
            }
        }
        flush();
    }

    /** Unsent messages lie in this connection, and nobody polls it after this. */
    private void flush() {
        final long startNs = System.nanoTime();
        do {
            if (port.poll() == 0) {
                waitForRoom();
            }
            if (System.nanoTime() - startNs > FLUSH_TIMEOUT_NS) {
                throw CommandFailure.failed("the broker has not taken the last messages within "
                        + TimeUnit.NANOSECONDS.toSeconds(FLUSH_TIMEOUT_NS) + " s");
            }
        } while (!port.isFlushed());
    }

    private long due() {
        final long nowNs = System.nanoTime();
        long due = published;
        while (due < published + BATCH && clock.dueNs(due) <= nowNs) {
            due++;
        }
        return due;
    }

    private void publish(final int count) {
        for (int i = 0; i < count; i++) {
            final UnsafeBuffer message = plan.messages().message(published);
            if (!clock.isPaced() && clock.isTimed(published)) {
                clock.sent(published, System.nanoTime());
            }
            if (!port.tryPublish(message, 0, message.capacity())) {
                break;
            }
            published++;
        }
        progress.published(published);
        port.poll();
    }

    /** The broker takes nothing now, and may need this CPU. */
    private void waitForRoom() {
        if (plan.idle() == IdleMode.BLOCKING) {
            LockSupport.parkNanos(PARK_NS);
        } else {
            Thread.onSpinWait();
        }
    }

    private void idle(final boolean isTooFarAhead) {
        if (plan.idle() == IdleMode.BUSY) {
            Thread.onSpinWait();
        } else if (plan.idle() == IdleMode.BACK_OFF) {
            YieldingIdleStrategy.INSTANCE.idle();
        } else if (isTooFarAhead) {
            LockSupport.parkNanos(PARK_NS);
        } else {
            final long restNs = clock.dueNs(published) - System.nanoTime() - WAKE_UP_NS;
            if (restNs > 0) {
                LockSupport.parkNanos(restNs);
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
