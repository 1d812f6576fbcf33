package io.penstock.bench;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.ProgressLine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One round against one broker: warm up, measure, wait for the last delivery, check that none is missing. */
final class Round {
    private static final int SUBSCRIBER_THREADS_MAX = 16;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LAST_DELIVERY_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    private final BenchPlan plan;
    private final Subject subject;
    private final Probes probes;
    private final Progress progress;
    private final Skips skips;
    private final SendClock clock;
    private final AtomicBoolean isPublishing = new AtomicBoolean(true);
    private final AtomicBoolean isReceiving = new AtomicBoolean(true);
    private final MeasuredTime measured = new MeasuredTime();
    private final AtomicReference<@Nullable String> mistake = new AtomicReference<>();
    private final List<SubscriberLoop> subscribers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    Round(final BenchPlan plan, final Subject subject, final Probes probes) {
        this.plan = plan;
        this.subject = subject;
        this.probes = probes;
        progress = new Progress(plan.subscriberCount());
        skips = new Skips(plan.messages().matches(plan.filter()));
        clock = new SendClock(plan.rate(), plan.aheadLimit());
    }

    RoundResult run() throws InterruptedException {
        final double cacheLineBeforeNs = probes.cacheLineNs();
        openSubscribers();
        try (Subject.PublishPort publishPort = subject.openPublisher();
                ProgressLine progressLine = ProgressLine.onErr()) {
            clock.start(System.nanoTime());
            for (int i = 0; i < subscribers.size(); i++) {
                start("bench-subscribers-" + i, subscribers.get(i));
            }
            start("bench-publisher", new PublisherLoop(plan, publishPort, progress, clock, isPublishing));
            await(System.nanoTime() + plan.warmUpNs(), "warming up", progressLine);

            final Sample before = sample();
            final long endNs = before.timeNs() + TimeUnit.SECONDS.toNanos(plan.seconds());
            measured.set(before.timeNs(), endNs);
            await(endNs, "measuring", progressLine);
            final Sample after = sample();

            stopPublishing();
            awaitLastDelivery();
            stopReceiving();
            failOnMistake();
            return result(before, after, cacheLineBeforeNs);
        } finally {
            isPublishing.set(false);
            isReceiving.set(false);
        }
    }

    private void openSubscribers() {
        final int threadCount = Math.min(plan.subscriberCount(), SUBSCRIBER_THREADS_MAX);
        for (int i = 0; i < threadCount; i++) {
            subscribers.add(new SubscriberLoop(plan, progress, clock, skips, isReceiving, measured, mistake));
        }
        for (int i = 0; i < plan.subscriberCount(); i++) {
            subscribers.get(i % threadCount).add(subject, i);
        }
    }

    private void start(final String name, final Runnable loop) {
        final Thread thread = new Thread(loop, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((failed, reason) -> mistake.compareAndSet(null, String.valueOf(reason)));
        thread.start();
        threads.add(thread);
    }

    private void await(final long untilNs, final String what, final ProgressLine progressLine)
            throws InterruptedException {
        long lastNs = System.nanoTime();
        long lastPublished = progress.published();
        for (long nowNs = lastNs; nowNs - untilNs < 0; nowNs = System.nanoTime()) {
            failOnMistake();
            if (progressLine.isDue()) {
                final long published = progress.published();
                progressLine.draw(String.format(
                        "%s: %s, %,.0f messages a second, %.0f s to go",
                        subject.name(),
                        what,
                        (published - lastPublished) * 1e9 / Math.max(1, nowNs - lastNs),
                        (untilNs - nowNs) / 1e9));
                lastPublished = published;
                lastNs = nowNs;
            }
            sleep(Math.min(STEP_NS, untilNs - nowNs));
        }
    }

    private void stopPublishing() throws InterruptedException {
        isPublishing.set(false);
        threads.remove(threads.size() - 1).join();
    }

    private void awaitLastDelivery() throws InterruptedException {
        final long expected = skips.matchesBelow(progress.published()) * plan.subscriberCount();
        final long deadlineNs = System.nanoTime() + LAST_DELIVERY_TIMEOUT_NS;
        while (progress.deliveries() < expected && System.nanoTime() - deadlineNs < 0) {
            failOnMistake();
            sleep(STEP_NS);
        }
        if (progress.deliveries() != expected) {
            throw CommandFailure.failed(String.format(
                    "%s: %,d deliveries, not the %,d that %,d messages make",
                    subject.name(), progress.deliveries(), expected, progress.published()));
        }
    }

    private void stopReceiving() throws InterruptedException {
        isReceiving.set(false);
        for (final Thread thread : threads) {
            thread.join();
        }
    }

    private void failOnMistake() {
        final String text = mistake.get();
        if (text != null) {
            throw CommandFailure.failed(subject.name() + ": " + text);
        }
    }

    private static void sleep(final long durationNs) throws InterruptedException {
        LockSupport.parkNanos(durationNs);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private Sample sample() {
        return new Sample(System.nanoTime(), progress.published(), progress.deliveries(), subject.usage());
    }

    private RoundResult result(final Sample before, final Sample after, final double cacheLineBeforeNs) {
        final Histogram latencyNs = new Histogram(subscribers.get(0).latencyNs());
        subscribers.forEach(subscriber -> latencyNs.add(subscriber.latencyNs()));
        return RoundResult.of(
                (double) (after.published() - before.published()),
                (double) (after.deliveries() - before.deliveries()),
                (after.timeNs() - before.timeNs()) / 1e9,
                after.usage().since(before.usage()),
                plan.messages().lengthMean(),
                latencyNs,
                cacheLineBeforeNs,
                probes.cacheLineNs());
    }

    private record Sample(long timeNs, long published, long deliveries, Subject.Usage usage) {}
}
