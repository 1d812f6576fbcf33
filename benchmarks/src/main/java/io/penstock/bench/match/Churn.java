package io.penstock.bench.match;

import io.penstock.bench.embedded.Background;
import io.penstock.bench.embedded.BenchSession;
import io.penstock.bench.embedded.PacedPublisher;
import io.penstock.standalone.console.Json;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/**
 * Subscribes with one more filter and leaves again, beside all the others, while a publisher publishes at a pace that the broker
 * keeps up with, whose longest stall counts. Confined to the main thread.
 */
final class Churn {
    private static final long SUBSCRIPTION = 2;
    private static final double RATE_MAX = 10_000;
    private static final double RATE_PART = 0.2;
    private static final int SIGNIFICANT_DIGITS = 3;

    private final MatchPlan plan;
    private final MatchKind kind;
    private final MatchBroker broker;
    private final BenchSession session;
    private final double rate;
    private final Histogram subscribes = new Histogram(SIGNIFICANT_DIGITS);
    private final Histogram unsubscribes = new Histogram(SIGNIFICANT_DIGITS);

    /** @param matchedPerS messages that the broker matches in a second when it does nothing else. */
    Churn(
            final MatchPlan plan,
            final MatchKind kind,
            final MatchBroker broker,
            final BenchSession session,
            final double matchedPerS) {
        this.plan = plan;
        this.kind = kind;
        this.broker = broker;
        this.session = session;
        rate = Math.max(1, Math.min(RATE_MAX, matchedPerS * RATE_PART));
    }

    /** Measures, and adds what was measured. */
    void run(final Json json) throws InterruptedException {
        final PacedPublisher quiet = publisher();
        try (Background publishing = Background.start("bench-publisher", quiet, quiet::stop)) {
            while (publishing.isRunning()) {
                session.await(new Once());
            }
            publishing.await();
        }
        final PacedPublisher beside = publisher();
        // A filter of its own: one more than there are.
        final MatchWorkload more = new MatchWorkload(kind, plan.filterCount(), plan.seed(), false);
        int number = plan.filterCount();
        try (Background publishing = Background.start("bench-publisher", beside, beside::stop)) {
            while (publishing.isRunning()) {
                comeAndGo(more.filter(number++));
            }
            publishing.await();
        }
        json.field("rate", rate);
        report("subscribe_", subscribes, json);
        report("unsubscribe_", unsubscribes, json);
        json.field("quiet_stall_us_max", quiet.latencies().getMaxValue() / 1e3)
                .field("quiet_p99_us", quiet.latencies().getValueAtPercentile(99) / 1e3)
                .field("stall_us_max", beside.latencies().getMaxValue() / 1e3)
                .field("p99_us", beside.latencies().getValueAtPercentile(99) / 1e3);
    }

    private void comeAndGo(final String filter) {
        final long startNs = System.nanoTime();
        session.subscribe(SUBSCRIPTION, MatchBroker.request(filter));
        session.awaitAcks();
        final long subscribedNs = System.nanoTime();
        session.unsubscribe(SUBSCRIPTION);
        subscribes.recordValue(subscribedNs - startNs);
        unsubscribes.recordValue(System.nanoTime() - subscribedNs);
    }

    private PacedPublisher publisher() {
        return new PacedPublisher(
                broker::session,
                MatchBroker.request("probe = 1"),
                new MatchWorkload(kind, plan.filterCount(), plan.seed(), true),
                rate,
                plan.seconds());
    }

    private static void report(final String before, final Histogram latencies, final Json json) {
        json.field(before + "p50_us", latencies.getValueAtPercentile(50) / 1e3)
                .field(before + "p99_us", latencies.getValueAtPercentile(99) / 1e3)
                .field(before + "max_us", latencies.getMaxValue() / 1e3);
    }

    /** Says no at first, so that something is taken meanwhile, and yes after a while. */
    private static final class Once implements BooleanSupplier {
        private final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1);

        @Override
        public boolean getAsBoolean() {
            return System.nanoTime() - endNs >= 0;
        }
    }
}
