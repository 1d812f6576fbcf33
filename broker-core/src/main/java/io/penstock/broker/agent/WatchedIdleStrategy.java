package io.penstock.broker.agent;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;

/** Idles as another one does, and reports duty cycles that took long: from the end of one call to the begin of the next. */
final class WatchedIdleStrategy implements IdleStrategy {
    /** Clients wait no longer than this for anything but disks, and notice if they do. */
    static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String role;
    private final IdleStrategy idle;
    private final NanoClock clock;
    private final EventLog events;
    private long begunNs;

    WatchedIdleStrategy(final String role, final IdleStrategy idle, final NanoClock clock, final EventLog events) {
        this.role = role;
        this.idle = idle;
        this.clock = clock;
        this.events = events;
        begunNs = clock.nanoTime();
    }

    @Override
    public void idle(final int workCount) {
        final long nowNs = clock.nanoTime();
        final long cycleNs = nowNs - begunNs;
        if (cycleNs >= LONG_NS) {
            events.report(EventKind.LONG_DUTY_CYCLE, "thread", role, "ms", TimeUnit.NANOSECONDS.toMillis(cycleNs));
        }
        idle.idle(workCount);
        begunNs = workCount > 0 ? nowNs : clock.nanoTime();
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
