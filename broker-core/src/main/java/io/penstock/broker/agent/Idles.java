package io.penstock.broker.agent;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.event.EventLog;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;

/** Makes what agents do without work. */
final class Idles {
    private static final long SPIN_COUNT = 20;
    private static final long YIELD_COUNT = 200;
    private static final long PARK_NS_MIN = 1_000;
    private static final long PARK_NS_MAX = 1_000_000;

    private final NanoClock clock;
    private final EventLog events;
    private final BrokerCounters counters;

    Idles(final NanoClock clock, final EventLog events, final BrokerCounters counters) {
        this.clock = clock;
        this.events = events;
        this.counters = counters;
    }

    static IdleStrategy of(final Idling mode, final Runnable await, final AtomicBoolean closing) {
        return switch (mode) {
            case BLOCKING -> new AwaitIdleStrategy(await, closing);
            case BACK_OFF -> new BackoffIdleStrategy(SPIN_COUNT, YIELD_COUNT, PARK_NS_MIN, PARK_NS_MAX);
            case BUSY -> BusySpinIdleStrategy.INSTANCE;
        };
    }

    /** The same for an agent whose duty cycles are measured, and reported when they are long. */
    IdleStrategy watched(final String role, final IdleStrategy idle) {
        return new WatchedIdleStrategy(role, idle, clock, events, counters.newHistogram(role, "dutyCycle"));
    }
}
