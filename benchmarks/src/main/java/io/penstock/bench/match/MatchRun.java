package io.penstock.bench.match;

import io.penstock.bench.embedded.BenchSession;
import io.penstock.bench.figure.Digits;
import io.penstock.bench.figure.Pace;
import io.penstock.bench.figure.SourcedFigure;
import io.penstock.bench.plain.PlainAnswer;
import io.penstock.bench.plain.PlainProgram;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.ProgressLine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/** Subscribes with many filters of one kind, and has a broker match messages with them. Confined to the main thread. */
final class MatchRun implements AutoCloseable {
    /** Above it are the subscriptions with filters. */
    static final long FIRST_SUBSCRIPTION = 1_000;

    private static final long MEASURE_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long EVALUATIONS_SAMPLED = 20_000_000;
    private static final int SAMPLE_MAX = 2_000;
    private static final int LOOK_UPS = 1_000_000;
    private static final int BATCH_MAX = 4_096;

    private final MatchPlan plan;
    private final MatchKind kind;
    private final PlainProgram plain;
    private final ProgressLine progress;
    private final MatchWorkload workload;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MatchWorkload.LENGTH_MAX]);
    private final List<Double> clocks = new ArrayList<>();
    private final SourcedFigure figure = new SourcedFigure("", "msgs");
    private final MatchBroker broker;
    private final BenchSession session;
    private long delivered;
    private long published;

    MatchRun(final MatchPlan plan, final MatchKind kind, final PlainProgram plain, final ProgressLine progress) {
        this.plan = plan;
        this.kind = kind;
        this.plain = plain;
        this.progress = progress;
        workload = new MatchWorkload(kind, plan.filterCount(), plan.seed(), false);
        broker = new MatchBroker(plan.filterCount());
        session = broker.session((subscription, buffer, offset, length) -> delivered++);
    }

    /** Measures everything. */
    Json run() throws InterruptedException {
        final Json json = runAlone();
        draw("subscribing beside a publisher");
        new Churn(plan, kind, broker, session, figure.perS()).run(json);
        return json;
    }

    /** Measures the matching, and nothing beside it. */
    Json runAlone() {
        plain.ask(workload.command());
        final Json json = new Json();
        subscribe(json);
        checkSample(json);
        draw("warming up");
        publishFor(MEASURE_NS);
        awaitDeliveries();
        final long deliveredBefore = delivered;
        final long publishedBefore = published;
        for (int round = 0; round < plan.rounds(); round++) {
            draw("round " + (round + 1) + " of " + plan.rounds());
            clocks.add(plain.clockGhz());
            figure.add(publishFor(MEASURE_NS));
            final int count = sampleCount();
            figure.add("plain", pace(plain.ask("match 0 " + count), count));
            if (kind.hasEqualities()) {
                figure.add("lookup", pace(plain.ask("lookup 0 " + LOOK_UPS), LOOK_UPS));
            }
        }
        awaitDeliveries();
        Digits.field(json, "matches_per_msg", (double) (delivered - deliveredBefore) / (published - publishedBefore));
        figure.report(ghz(), json);
        return json;
    }

    /** The clock that was measured in the rounds. */
    double ghz() {
        return SourcedFigure.median(clocks.stream().mapToDouble(ghz -> ghz).toArray());
    }

    SourcedFigure figure() {
        return figure;
    }

    private void draw(final String what) {
        progress.draw(kind.title() + ": " + what);
    }

    private void subscribe(final Json json) {
        final double before = UsedMemory.length();
        final long cpuNs = broker.cpuNs();
        final long startNs = System.nanoTime();
        for (int i = 0; i < plan.filterCount(); i++) {
            session.subscribe(FIRST_SUBSCRIPTION + i, MatchBroker.request(workload.filter(i)));
            if (progress.isDue()) {
                draw("subscribing: " + i + " of " + plan.filterCount());
            }
        }
        session.awaitAcks();
        json.field("subscribes_per_s", plan.filterCount() * 1e9 / (System.nanoTime() - startNs))
                .field("subscribe_cpu_us", (broker.cpuNs() - cpuNs) / 1e3 / plan.filterCount())
                .field("bytes_per_filter", (UsedMemory.length() - before) / plan.filterCount());
    }

    /** Compares how many deliveries messages cause with what the C program counts. */
    private void checkSample(final Json json) {
        draw("comparing");
        final int count = sampleCount();
        final long expected = (long) plain.ask("match 0 " + count).number("count");
        final long before = delivered;
        publish(count);
        session.await(() -> delivered - before >= expected);
        session.flush();
        agree(kind, count, delivered - before, expected);
        json.field("sample_msgs", count).field("sample_matches", expected);
    }

    /** Fails when the broker has delivered another number than was counted. */
    static void agree(final MatchKind kind, final int count, final long found, final long expected) {
        if (found != expected) {
            throw CommandFailure.failed("bench: " + found + " filters match " + count + " messages, not " + expected
                    + " as by the plain loop: " + kind.title());
        }
    }

    private int sampleCount() {
        return (int) Math.max(1, Math.min(SAMPLE_MAX, EVALUATIONS_SAMPLED / plan.filterCount()));
    }

    /** Publishes messages, more at a time as long as that is short, and waits until they are matched. */
    private Pace publishFor(final long atLeastNs) {
        final long cpuNs = broker.cpuNs();
        final long startNs = System.nanoTime();
        long count = 0;
        int batch = 1;
        while (System.nanoTime() - startNs < atLeastNs) {
            final long batchNs = System.nanoTime();
            publish(batch);
            count += batch;
            if (batch < BATCH_MAX && System.nanoTime() - batchNs < atLeastNs / 8) {
                batch *= 2;
            }
        }
        return new Pace(count, System.nanoTime() - startNs, Math.max(1, broker.cpuNs() - cpuNs));
    }

    private void publish(final int count) {
        for (int i = 0; i < count; i++) {
            session.publish(message, workload.write(published++, message));
        }
        session.flush();
    }

    /** Waits for one acknowledgement more: the last one may have come before deliveries of its messages. */
    private void awaitDeliveries() {
        session.flush();
    }

    private static Pace pace(final PlainAnswer answer, final long count) {
        return new Pace(count, answer.wallNs(), answer.cpuNs());
    }

    @Override
    public void close() {
        session.close();
        broker.close();
    }
}
