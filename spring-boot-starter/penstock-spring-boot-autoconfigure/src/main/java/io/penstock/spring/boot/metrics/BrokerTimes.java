package io.penstock.spring.boot.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.penstock.broker.Broker;
import io.penstock.broker.concurrent.LatencyHistogram;
import io.penstock.broker.metric.BrokerMetrics;
import io.penstock.broker.metric.Metric;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How long things take in a broker, as meters. Any thread. */
final class BrokerTimes {
    private final Broker broker;

    /** Of a broker, which has started. */
    BrokerTimes(final Broker broker) {
        this.broker = broker;
    }

    /**
     * What a histogram is found by.
     *
     * @param metric that it belongs to.
     * @param tags   that it has.
     * @param owner  of it in the broker.
     * @param name   of it there.
     */
    record Key(Metric metric, Tags tags, String owner, String name) {}

    /** All histograms that have a metric. */
    List<Key> keys() {
        return BrokerMetrics.times(broker.histograms()).stream()
                .map(each -> new Key(
                        each.metric(),
                        Tags.of(each.labels().toArray(new String[0])),
                        each.times().owner(),
                        each.times().name()))
                .toList();
    }

    /** What a histogram has counted so far. */
    LatencyHistogram.Snapshot find(final Key key) {
        for (final LatencyHistogram.Snapshot each : broker.histograms()) {
            if (each.owner().equals(key.owner()) && each.name().equals(key.name())) {
                return each;
            }
        }
        throw new IllegalStateException("histogram: no such one: " + key.owner() + "." + key.name());
    }

    /** A meter of how many times there were, and of their sum. */
    Meter register(final MeterRegistry registry, final Key key) {
        return FunctionTimer.builder(
                        PenstockMeters.name(key.metric()),
                        this,
                        times -> times.find(key).count(),
                        times -> times.find(key).sumNs(),
                        TimeUnit.NANOSECONDS)
                .tags(key.tags())
                .description(key.metric().help())
                .register(registry);
    }

    /** Counters of how many times were up to each bound, which is the tag {@code le} in seconds. */
    void registerBuckets(final MeterRegistry registry, final Key key) {
        for (int i = 0; i <= LatencyHistogram.BOUND_COUNT; i++) {
            final int bucket = i;
            FunctionCounter.builder(
                            PenstockMeters.name(key.metric()) + ".bucket", this, times -> times.upTo(key, bucket))
                    .tags(key.tags().and("le", bound(bucket)))
                    .description(key.metric().help() + " How many took up to so many seconds.")
                    .register(registry);
        }
    }

    private double upTo(final Key key, final int bucket) {
        final List<Long> counts = find(key).counts();
        long count = 0;
        for (int i = 0; i <= bucket; i++) {
            count += counts.get(i);
        }
        return count;
    }

    private static String bound(final int bucket) {
        return bucket < LatencyHistogram.BOUND_COUNT ? Double.toString(LatencyHistogram.boundNs(bucket) / 1e9) : "+Inf";
    }
}
