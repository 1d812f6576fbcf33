package io.penstock.broker.agent;

import io.penstock.broker.concurrent.LatencyHistogram;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;

/**
 * Idles as another one does, counts how long duty cycles with work took, and reports those that took long: from the end of
 * one call to the begin of the next.
 */
final class WatchedIdleStrategy implements IdleStrategy {
    /** Clients wait no longer than this for anything but disks, and notice if they do. */
    static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * An agent that spins looks at the clock once in so many duty cycles without work. They are so short that together they
     * count as one, and the clock would take a good part of each.
     */
    static final int SPIN_COUNT = 16;

    private final String role;
    private final IdleStrategy idle;
    private final NanoClock clock;
    private final EventLog events;
    private final LatencyHistogram times;
    private final boolean isSpinning;
    private int spinCount;
    private long begunNs;

    WatchedIdleStrategy(
            final String role,
            final IdleStrategy idle,
            final NanoClock clock,
            final EventLog events,
            final LatencyHistogram times) {
        this.role = role;
        this.idle = idle;
        this.clock = clock;
        this.events = events;
        this.times = times;
        isSpinning = idle instanceof BusySpinIdleStrategy;
        begunNs = clock.nanoTime();
    }

    @Override
    public void idle(final int workCount) {
        if (isSpinning && workCount <= 0 && ++spinCount < SPIN_COUNT) {
            idle.idle();
            return;
        }
        spinCount = 0;
        final long nowNs = clock.nanoTime();
        final long cycleNs = nowNs - begunNs;
        if (workCount > 0) {
            times.add(cycleNs);
        }
        if (cycleNs >= LONG_NS) {
            events.report(EventKind.LONG_DUTY_CYCLE, "thread", role, "ms", TimeUnit.NANOSECONDS.toMillis(cycleNs));
        }
        idle.idle(workCount);
        begunNs = workCount > 0 || isSpinning ? nowNs : clock.nanoTime();
    }

    @Override
    public void idle() {
        idle.idle();
        begunNs = clock.nanoTime();
    }

    @Override
    public void reset() {
        idle.reset();
    }

    @Override
    public String alias() {
        return idle.alias();
    }
}
