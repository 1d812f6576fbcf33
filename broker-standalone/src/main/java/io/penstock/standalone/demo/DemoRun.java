package io.penstock.standalone.demo;

import io.penstock.client.PenstockClient;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Subscription;
import io.penstock.standalone.CommandFailure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;

/** Publishes the scenario's feeds, paced and then at full speed, while subscriptions watch. */
final class DemoRun {
    private static final long REDRAW_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long INQUIRY_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long ARRIVAL_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final String WARM_UP_TOPIC = "warm-up";
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Scenario scenario;
    private final PenstockClient publisher;
    private final PenstockClient inquirer;
    private final Display display;
    private final SendTimes sendTimes;
    private final Arrivals arrivals;
    private final List<MatchCounter> counters;
    private final List<Inquiry> inquiries;
    private final long[] published;
    private long startNs;
    private long drawnNs;
    private long askedNs;
    private double rate;
    private long publishedWhenDrawn;

    DemoRun(
            final Scenario scenario,
            final PenstockClient publisher,
            final PenstockClient inquirer,
            final Display display) {
        this.scenario = scenario;
        this.publisher = publisher;
        this.inquirer = inquirer;
        this.display = display;
        sendTimes = new SendTimes(scenario.feeds());
        arrivals = new Arrivals(scenario.feeds(), sendTimes);
        counters = scenario.watches().stream().map(MatchCounter::new).toList();
        inquiries = scenario.questions().stream().map(Inquiry::new).toList();
        published = new long[scenario.feeds().size()];
    }

    /** Publishes to a topic of its own for a while, so that what is measured later is compiled code. */
    void warmUp(final PenstockClient subscriber) {
        final Feed feed = scenario.feeds().get(0);
        subscriber.declareTopic(WARM_UP_TOPIC, "json");
        try (Subscription subscription =
                subscriber.subscribe(WARM_UP_TOPIC, scenario.watches().get(0).filter(), message -> {})) {
            for (int i = 0; i < feed.count() && subscription.isActive(); i++) {
                publish(WARM_UP_TOPIC, feed.message(i));
            }
            publisher.flush();
        }
    }

    /** Subscribes to each watch, and to everything for the check that nothing is lost. */
    void subscribe(final PenstockClient subscriber) {
        for (final MatchCounter counter : counters) {
            subscriber.subscribe(counter.watch().topic(), counter.watch().filter(), counter);
        }
        subscriber.subscribe(SubscribeRequest.pattern(Scenario.ALL_TOPICS), arrivals);
    }

    /**
     * Publishes every feed once, all of them evenly spread over the same time.
     *
     * @param durationNs of it all.
     */
    void publishPaced(final long durationNs) {
        startNs = System.nanoTime();
        drawnNs = startNs;
        askedNs = startNs;
        final List<Feed> feeds = scenario.feeds();
        for (int feedIndex = nextDue(durationNs); feedIndex >= 0; feedIndex = nextDue(durationNs)) {
            final Feed feed = feeds.get(feedIndex);
            final int index = (int) published[feedIndex];
            final long dueNs = startNs + durationNs * index / feed.count();
            awaitAndDraw(dueNs);
            sendTimes.dueNs(feedIndex, index, dueNs);
            publish(feed.topic(), feed.message(index));
            published[feedIndex]++;
        }
        awaitArrivals(scenario.messageCount());
        draw(System.nanoTime());
        display.finish();
    }

    /**
     * Publishes the largest feed again and again, as fast as it goes.
     *
     * @param passes over the feed.
     * @return nanoseconds until the last message had arrived.
     */
    long publishAtFullSpeed(final int passes) {
        final Feed feed = scenario.feeds().get(0);
        final long beginNs = System.nanoTime();
        for (int pass = 0; pass < passes; pass++) {
            for (int i = 0; i < feed.count(); i++) {
                publish(feed.topic(), feed.message(i));
            }
        }
        awaitArrivals(scenario.messageCount() + (long) passes * feed.count());
        return System.nanoTime() - beginNs;
    }

    /** The questions with their answers after the last message. */
    List<Inquiry> inquiries() {
        return inquiries;
    }

    /** Asks each question once more, for the state after the last message. */
    void askLast() {
        inquiries.forEach(Inquiry::await);
        inquiries.forEach(inquiry -> inquiry.ask(inquirer));
        inquiries.forEach(Inquiry::await);
    }

    /**
     * Compares what the broker keeps with what it should.
     *
     * @return what is wrong, empty when nothing is.
     */
    List<String> stateMistakes() {
        final List<String> mistakes = new ArrayList<>();
        for (final Scenario.Kept kept : scenario.kept()) {
            final AtomicLong count = new AtomicLong();
            inquirer.sow(SowRequest.topic(kept.topic()), message -> count.incrementAndGet());
            if (count.get() != kept.expected()) {
                mistakes.add(
                        String.format("%s: %,d records are kept, not %,d", kept.topic(), count.get(), kept.expected()));
            }
        }
        final Set<String> computed = texts(SowRequest.topic(Scenario.DELAYS.name()));
        final Set<String> asked = texts(Scenario.delaysAsked());
        if (!computed.equals(asked)) {
            mistakes.add(Scenario.DELAYS.name() + ": the view is not what its source says");
        }
        return mistakes;
    }

    private Set<String> texts(final SowRequest request) {
        final Set<String> texts = new HashSet<>();
        inquirer.sow(request, message -> texts.add(message.text()));
        return texts;
    }

    Arrivals arrivals() {
        return arrivals;
    }

    List<MatchCounter> counters() {
        return counters;
    }

    /**
     * Compares what came with what should have.
     *
     * @param passes over the first feed after the paced pass over all.
     * @return what is wrong, empty when nothing is.
     */
    List<String> mistakes(final int passes) {
        final List<String> mistakes = new ArrayList<>();
        final Feed repeated = scenario.feeds().get(0);
        final long expected = scenario.messageCount() + (long) passes * repeated.count();
        if (arrivals.count() != expected) {
            mistakes.add(String.format("%,d messages arrived, %,d were published", arrivals.count(), expected));
        }
        final String mistake = arrivals.mistake();
        if (mistake != null) {
            mistakes.add(mistake);
        }
        inquiries.stream().map(Inquiry::mistake).filter(Objects::nonNull).forEach(mistakes::add);
        for (final MatchCounter counter : counters) {
            final boolean isRepeated = counter.watch().topic().equals(repeated.topic());
            final long matches =
                    (isRepeated ? 1L + passes : 1L) * counter.watch().expected();
            if (counter.matches() != matches) {
                mistakes.add(String.format("%s: %,d matches, not %,d", counter.watch(), counter.matches(), matches));
            }
            final String end = counter.end();
            if (end != null) {
                mistakes.add(counter.watch() + ": " + end);
            }
        }
        return mistakes;
    }

    /** The feed whose next message is due first, or -1 when all are through. */
    private int nextDue(final long durationNs) {
        int first = -1;
        long firstDueNs = Long.MAX_VALUE;
        for (int i = 0; i < published.length; i++) {
            final int count = scenario.feeds().get(i).count();
            final long dueNs = durationNs * published[i] / count;
            if (published[i] < count && dueNs < firstDueNs) {
                first = i;
                firstDueNs = dueNs;
            }
        }
        return first;
    }

    private void awaitAndDraw(final long dueNs) {
        for (long nowNs = System.nanoTime(); ; nowNs = System.nanoTime()) {
            if (nowNs - drawnNs >= REDRAW_INTERVAL_NS) {
                if (nowNs - askedNs >= INQUIRY_INTERVAL_NS) {
                    askedNs = nowNs;
                    inquiries.forEach(inquiry -> inquiry.ask(inquirer));
                }
                draw(nowNs);
            }
            if (dueNs - nowNs <= 0) {
                return;
            }
            LockSupport.parkNanos(Math.min(dueNs - nowNs, REDRAW_INTERVAL_NS));
        }
    }

    private void publish(final String topic, final DirectBuffer message) {
        publisher.publish(topic, message, 0, message.capacity());
    }

    private void awaitArrivals(final long expected) {
        publisher.flush();
        final long deadlineNs = System.nanoTime() + ARRIVAL_TIMEOUT_NS;
        while ((arrivals.count() < expected || !areAllMatchesIn(expected))
                && arrivals.mistake() == null
                && System.nanoTime() - deadlineNs < 0) {
            if (Thread.currentThread().isInterrupted()) {
                throw CommandFailure.failed("interrupted");
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    /** Deliveries of different subscriptions may trail each other, so the filtered ones are waited for as well. */
    private boolean areAllMatchesIn(final long expectedArrivals) {
        final Feed repeated = scenario.feeds().get(0);
        return mistakes((int) ((expectedArrivals - scenario.messageCount()) / repeated.count()))
                .isEmpty();
    }

    private void draw(final long nowNs) {
        final Display.State state = new Display.State(
                (nowNs - startNs) / 1e9,
                Arrays.stream(published).boxed().toList(),
                scenario.feeds(),
                rate,
                arrivals,
                counters,
                inquiries);
        final long sum = state.publishedInAll();
        if (nowNs > drawnNs) {
            final double recent = (sum - publishedWhenDrawn) * 1e9 / (nowNs - drawnNs);
            rate = rate == 0 ? recent : 0.8 * rate + 0.2 * recent;
        }
        publishedWhenDrawn = sum;
        drawnNs = nowNs;
        display.show(state);
    }
}
