package io.penstock.bench.journal;

import io.penstock.standalone.console.Json;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Histograms of times up to a minute. */
final class Latencies {
    private static final long MAX_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 3;

    private Latencies() {}

    static Histogram histogram() {
        return new Histogram(MAX_NS, DIGITS);
    }

    static void record(final Histogram into, final long ns) {
        into.recordValue(Math.min(MAX_NS, Math.max(0, ns)));
    }

    static double p50Us(final Histogram of) {
        return of.getValueAtPercentile(50) / 1e3;
    }

    static Json json(final Histogram of) {
        return new Json()
                .field("count", of.getTotalCount())
                .field("p50_us", p50Us(of))
                .field("p99_us", of.getValueAtPercentile(99) / 1e3)
                .field("p999_us", of.getValueAtPercentile(99.9) / 1e3)
                .field("max_us", of.getMaxValue() / 1e3);
    }
}
