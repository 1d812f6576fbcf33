package io.penstock.bench;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.ProgressLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Round trips from a thread that never sleeps, through the broker, back to the same thread: one message under way at a
 * time. Bare TCP round trips of a C program are measured in turn with them, so that both see the same machine.
 */
final class RoundTrips {
    private static final int SLICES = 5;
    private static final int PROBE_SECONDS = 1;
    private static final long LATENCY_NS_MAX = TimeUnit.SECONDS.toNanos(100);
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final long ANSWER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final BenchPlan plan;
    private final PenstockSubject subject;
    private final Probes probes;
    private final Histogram latencyNs = new Histogram(LATENCY_NS_MAX, SIGNIFICANT_DIGITS);
    private final List<Double> tcpP50Us = new ArrayList<>();
    private final List<Double> tcpP99Us = new ArrayList<>();
    private long published;
    private long received = -1;

    RoundTrips(final BenchPlan plan, final PenstockSubject subject, final Probes probes) {
        this.plan = plan;
        this.subject = subject;
        this.probes = probes;
    }

    /** Measures; what is found is added to the object. */
    void run(final Json json) {
        final double cacheLineBeforeNs = probes.cacheLineNs();
        try (PenstockPort port = subject.openSubscriber(
                        (buffer, offset, length) -> received = plan.messages().number(buffer, offset));
                ProgressLine progress = ProgressLine.onErr()) {
            progress.draw("penstock: warming up");
            roundTrips(port, plan.warmUpNs());
            latencyNs.reset();
            for (int slice = 0; slice < SLICES; slice++) {
                progress.draw(String.format("penstock: round trips, part %d of %d", slice + 1, SLICES));
                roundTrips(port, TimeUnit.SECONDS.toNanos(plan.seconds()) / SLICES);
                bareTcp();
            }
        }
        final double tcpP50 = median(tcpP50Us);
        final double p50 = latencyNs.getValueAtPercentile(50) / 1e3;
        json.field("round_trips", latencyNs.getTotalCount())
                .field("p50_us", p50)
                .field("p99_us", latencyNs.getValueAtPercentile(99) / 1e3)
                .field("p999_us", latencyNs.getValueAtPercentile(99.9) / 1e3)
                .field("p9999_us", latencyNs.getValueAtPercentile(99.99) / 1e3)
                .field("max_us", latencyNs.getMaxValue() / 1e3)
                .field("slowest5pct_mean_us", RoundResult.slowestMeanNs(latencyNs) / 1e3)
                .field("tcp_p50_us", tcpP50)
                .field("tcp_p99_us", median(tcpP99Us))
                .field("p50_ratio_to_tcp", p50 / tcpP50)
                .field("cacheline_ns_before", cacheLineBeforeNs)
                .field("cacheline_ns_after", probes.cacheLineNs());
    }

    private void roundTrips(final PenstockPort port, final long durationNs) {
        final long endNs = System.nanoTime() + durationNs;
        for (long sentNs = System.nanoTime(); sentNs - endNs < 0; ) {
            final UnsafeBuffer message = plan.messages().message(published);
            while (!port.tryPublish(message, 0, message.capacity())) {
                port.poll();
            }
            while (received < published) {
                if (port.poll() == 0) {
                    Thread.onSpinWait();
                    if (System.nanoTime() - sentNs > ANSWER_TIMEOUT_NS) {
                        throw CommandFailure.failed(
                                "penstock: message " + published + " did not come back within 10 s");
                    }
                }
            }
            published++;
            final long nowNs = System.nanoTime();
            latencyNs.recordValue(nowNs - sentNs);
            sentNs = nowNs;
        }
    }

    private void bareTcp() {
        final Map<String, Double> bare = probes.tcpRoundTrips(plan.messages().lengthMax(), PROBE_SECONDS);
        tcpP50Us.add(bare.getOrDefault("p50_us", Double.NaN));
        tcpP99Us.add(bare.getOrDefault("p99_us", Double.NaN));
    }

    private static double median(final List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
