package io.penstock.bench;

import io.penstock.broker.IdleMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.jspecify.annotations.Nullable;

/** Takes the messages of some subscribers, and checks that each gets what it should, in order. */
final class SubscriberLoop implements Runnable {
    private static final long AWAIT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LATENCY_NS_MAX = TimeUnit.SECONDS.toNanos(100);
    private static final int SIGNIFICANT_DIGITS = 3;

    private final BenchPlan plan;
    private final Progress progress;
    private final SendClock clock;
    private final Skips skips;
    private final AtomicBoolean isRunning;
    private final MeasuredTime measured;
    private final AtomicReference<@Nullable String> mistake;
    private final List<Subject.DeliveryPort> ports = new ArrayList<>();
    private final List<Deliveries> deliveries = new ArrayList<>();
    private final Histogram latencyNs = new Histogram(LATENCY_NS_MAX, SIGNIFICANT_DIGITS);

    SubscriberLoop(
            final BenchPlan plan,
            final Progress progress,
            final SendClock clock,
            final Skips skips,
            final AtomicBoolean isRunning,
            final MeasuredTime measured,
            final AtomicReference<@Nullable String> mistake) {
        this.plan = plan;
        this.progress = progress;
        this.clock = clock;
        this.skips = skips;
        this.isRunning = isRunning;
        this.measured = measured;
        this.mistake = mistake;
    }

    /** Adds a subscriber; before the loop runs. */
    void add(final Subject subject, final int subscriber) {
        progress.delivered(subscriber, skips.first(), 0);
        final Deliveries mine = new Deliveries(subscriber);
        deliveries.add(mine);
        ports.add(subject.openSubscriber(mine));
    }

    @Override
    public void run() {
        try {
            while (isRunning.get()) {
                int workCount = 0;
                for (int i = 0; i < ports.size(); i++) {
                    workCount += ports.get(i).poll();
                    deliveries.get(i).report();
                }
                if (workCount == 0) {
                    idle();
                }
            }
        } finally {
            ports.forEach(Subject.DeliveryPort::close);
        }
    }

    private void idle() {
        if (plan.idle() == IdleMode.BUSY) {
            Thread.onSpinWait();
        } else if (plan.idle() == IdleMode.BACK_OFF) {
            YieldingIdleStrategy.INSTANCE.idle();
        } else if (ports.size() == 1) {
            ports.get(0).await(AWAIT_NS);
        } else {
            LockSupport.parkNanos(PARK_NS);
        }
    }

    /** The measured latencies; after the loop has ended. */
    Histogram latencyNs() {
        return latencyNs;
    }

    private final class Deliveries implements Subject.DeliveryHandler {
        private final int subscriber;
        private long next = skips.first();
        private long count;
        private long reportedCount;

        private Deliveries(final int subscriber) {
            this.subscriber = subscriber;
        }

        @Override
        public void onDelivery(final DirectBuffer buffer, final int offset, final int length) {
            final long number = plan.messages().number(buffer, offset);
            if (number != next) {
                mistake.compareAndSet(null, "subscriber " + subscriber + " got message " + number + ", not " + next);
            }
            if (clock.isTimed(number)) {
                time(number);
            }
            next = skips.after(number);
            count++;
        }

        private void time(final long number) {
            final long nowNs = System.nanoTime();
            final long intendedNs = clock.intendedNs(number);
            if (measured.contains(intendedNs)) {
                latencyNs.recordValue(Math.min(LATENCY_NS_MAX, Math.max(0, nowNs - intendedNs)));
            }
        }

        /** Lets others see how far this is. */
        private void report() {
            if (count != reportedCount) {
                reportedCount = count;
                progress.delivered(subscriber, next, count);
            }
        }
    }
}
