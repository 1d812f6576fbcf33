package io.penstock.broker.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.concurrent.LatencyHistogram;
import io.penstock.broker.event.EventLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WatchedIdleStrategyTest {
    private static final long LONG_MS = TimeUnit.NANOSECONDS.toMillis(WatchedIdleStrategy.LONG_NS);

    private final CachedNanoClock clock = new CachedNanoClock();
    private final List<String> events = new ArrayList<>();
    private EventLog log = newLog();

    @BeforeEach
    void begin() {
        clock.update(0);
        log = newLog();
    }

    @Test
    void shouldSayWhichThreadAndHowLongWhenADutyCycleIsLong() {
        final BrokerCounters counters = new BrokerCounters(1);
        final IdleStrategy idle = new Idles(clock, log, counters).watched("io-0", NoOpIdleStrategy.INSTANCE);
        advance(LONG_MS - 1);
        idle.idle(1);
        advance(LONG_MS);
        idle.idle(1);
        advance(LONG_MS - 1);
        idle.idle(0);
        log.doWork();

        assertThat(events).containsExactly("longDutyCycle thread=io-0 ms=" + LONG_MS);
        // Cycles without work are not counted.
        final LatencyHistogram.Snapshot cycles = counters.histograms().get(0);
        assertThat(cycles.owner() + "." + cycles.name()).isEqualTo("io-0.dutyCycle");
        assertThat(cycles.count()).isEqualTo(2);
        assertThat(cycles.sumNs()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(2 * LONG_MS - 1));
    }

    @Test
    void shouldNotCountTheWaitWhenThereWasNoWork() {
        final IdleStrategy waiting = new AwaitIdleStrategy(() -> advance(10 * LONG_MS), new AtomicBoolean());
        final IdleStrategy idle = new Idles(clock, log, new BrokerCounters(1)).watched("io-0", waiting);
        for (int i = 0; i < 3; i++) {
            idle.idle(0);
        }
        log.doWork();

        assertThat(events).isEmpty();
    }

    @Test
    void shouldSeldomLookAtTheClockWhenItSpins() {
        final AtomicInteger readCount = new AtomicInteger();
        final NanoClock counted = () -> {
            readCount.incrementAndGet();
            return clock.nanoTime();
        };
        final int count = 10 * WatchedIdleStrategy.SPIN_COUNT;
        final IdleStrategy idle = new Idles(counted, log, new BrokerCounters(1)).watched("io-0", BusySpinIdleStrategy.INSTANCE);
        for (int i = 0; i < count; i++) {
            idle.idle(0);
        }
        advance(LONG_MS);
        for (int i = 0; i < count; i++) {
            idle.idle(0);
        }
        log.doWork();

        assertThat(events).containsExactly("longDutyCycle thread=io-0 ms=" + LONG_MS);
        // With one for the time of the event.
        assertThat(readCount.get()).isLessThan(2 * count / WatchedIdleStrategy.SPIN_COUNT + 4);
    }

    private EventLog newLog() {
        return new EventLog(
                event -> events.add(event.toString()),
                clock,
                clock::nanoTime,
                new BrokerCounters(1).newCounter("broker", "eventsSuppressed"));
    }

    private void advance(final long ms) {
        clock.advance(TimeUnit.MILLISECONDS.toNanos(ms));
    }
}
