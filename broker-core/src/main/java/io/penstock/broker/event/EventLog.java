package io.penstock.broker.event;

import io.penstock.broker.concurrent.Waker;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Events on their way to their writer. Agents report and never wait: beyond a number of each kind in a second, and when
 * too many wait, events are counted and not written, and a line says how many of which.
 */
// The ordinals of this process alone, as places in arrays that agents share.
@SuppressWarnings("EnumOrdinal")
public final class EventLog {
    private static final int LENGTH = 1024;
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final EventKind[] KINDS = EventKind.values();

    private final ManyToOneConcurrentArrayQueue<Event> events = new ManyToOneConcurrentArrayQueue<>(LENGTH);
    private final AtomicIntegerArray reported = new AtomicIntegerArray(KINDS.length);
    private final AtomicIntegerArray suppressed = new AtomicIntegerArray(KINDS.length);
    private final EventHandler handler;
    private final NanoClock nanoClock;
    private final EpochNanoClock epochClock;
    private final AtomicCounter suppressedCount;
    private final Waker waker = new Waker();
    private final AtomicReference<Runnable> intervalTask = new AtomicReference<>(() -> {});
    private long intervalNs;

    /**
     * Makes an empty log.
     *
     * @param handler         that is given the events.
     * @param nanoClock       for the limits.
     * @param epochClock      for the events' times.
     * @param suppressedCount counts events that were not written.
     */
    public EventLog(
            final EventHandler handler,
            final NanoClock nanoClock,
            final EpochNanoClock epochClock,
            final AtomicCounter suppressedCount) {
        this.handler = handler;
        this.nanoClock = nanoClock;
        this.epochClock = epochClock;
        this.suppressedCount = suppressedCount;
        intervalNs = nanoClock.nanoTime();
    }

    /**
     * Reports an event. Any thread; never blocks.
     *
     * @param kind  of event.
     * @param pairs keys and values in turn; see {@link Event#values()}.
     */
    public void report(final EventKind kind, final Object... pairs) {
        if (!handler.wants(kind)) {
            return;
        }
        final int index = kind.ordinal();
        // Asked first, so that the count does not overflow when nobody begins a new interval for long.
        if (reported.get(index) >= kind.limit() || reported.incrementAndGet(index) > kind.limit()) {
            suppress(kind);
        } else if (offer(kind, pairs)) {
            waker.run();
        } else {
            suppress(kind);
        }
    }

    /**
     * Asks whether an event would be taken now, for who has to make a text for it first. One that would not be is counted.
     *
     * @param kind of event.
     * @return true when it is to be reported.
     */
    public boolean admits(final EventKind kind) {
        if (!handler.wants(kind)) {
            return false;
        }
        if (reported.get(kind.ordinal()) >= kind.limit()) {
            suppress(kind);
            return false;
        }
        return true;
    }

    private boolean offer(final EventKind kind, final Object... pairs) {
        try {
            return events.offer(Event.of(kind, nowMs(), pairs));
        } catch (final RuntimeException e) {
            // A clock that fails is not the matter of who has something to say.
            return false;
        }
    }

    private long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(epochClock.nanoTime());
    }

    private void suppress(final EventKind kind) {
        suppressed.incrementAndGet(kind.ordinal());
        suppressedCount.increment();
    }

    /**
     * Writes what was reported. Called by one thread.
     *
     * @return events written.
     */
    public int doWork() {
        int count = 0;
        Event event;
        while (count < LENGTH && (event = events.poll()) != null) {
            write(event);
            count++;
        }
        final long nowNs = nanoClock.nanoTime();
        if (nowNs - intervalNs >= INTERVAL_NS) {
            intervalNs = nowNs;
            count += beginInterval();
            runIntervalTask();
        }
        return count;
    }

    private void runIntervalTask() {
        try {
            Objects.requireNonNull(intervalTask.get()).run();
        } catch (final RuntimeException | Error e) {
            // Or nothing would be written any more.
            suppressedCount.increment();
        }
    }

    /**
     * Has something done each second, as long as somebody writes events. Called once, before there is much to do.
     *
     * @param task run by the writer, for a short time.
     */
    public void atIntervals(final Runnable task) {
        intervalTask.set(task);
    }

    /** Writes everything, and what was suppressed. Called by the same thread, when nothing is reported any more. */
    public void finish() {
        doWork();
        beginInterval();
    }

    /** Waits until something is reported, or a limit may be lifted. Called by the same thread. */
    void await() {
        waker.await(INTERVAL_NS);
    }

    /** Ends a present or the next wait. Any thread. */
    void wakeup() {
        waker.run();
    }

    private int beginInterval() {
        int count = 0;
        for (final EventKind kind : KINDS) {
            final int index = kind.ordinal();
            reported.set(index, 0);
            final int left = suppressed.getAndSet(index, 0);
            if (left > 0) {
                writeSuppressed(kind, left);
                count++;
            }
        }
        return count;
    }

    private void writeSuppressed(final EventKind kind, final int left) {
        try {
            handler.onEvent(Event.of(EventKind.EVENTS_SUPPRESSED, nowMs(), "kind", kind, "count", left));
        } catch (final RuntimeException | Error e) {
            suppressedCount.increment();
        }
    }

    private void write(final Event event) {
        try {
            handler.onEvent(event);
        } catch (final RuntimeException | Error e) {
            // There is nowhere left to report it; the counter shows that something is missing.
            suppressedCount.increment();
        }
    }
}
