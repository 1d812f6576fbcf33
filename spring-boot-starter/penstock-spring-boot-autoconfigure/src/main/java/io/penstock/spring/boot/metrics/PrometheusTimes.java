package io.penstock.spring.boot.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.penstock.broker.concurrent.LatencyHistogram;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The histograms of a broker in a registry for Prometheus, with the buckets that the admin server gives them: Micrometer has no
 * meter that takes counts of buckets from elsewhere. Loaded only where there is such a registry. Any thread.
 */
final class PrometheusTimes {
    private final PrometheusMeterRegistry registry;
    private final BrokerTimes times;
    private final Map<String, Family> families = new ConcurrentHashMap<>();

    private PrometheusTimes(final PrometheusMeterRegistry registry, final BrokerTimes times) {
        this.registry = registry;
        this.times = times;
    }

    /**
     * Adds the histograms, unless the registry is another one.
     *
     * @return whether it is one for Prometheus.
     */
    static boolean bind(final MeterRegistry registry, final BrokerTimes times) {
        if (!(registry instanceof PrometheusMeterRegistry prometheus)) {
            return false;
        }
        final PrometheusTimes bound = new PrometheusTimes(prometheus, times);
        times.keys().forEach(bound::add);
        return true;
    }

    private void add(final BrokerTimes.Key key) {
        // Filters of the registry may add tags, give another name, or deny it; a meter is the only way to ask them.
        final Meter asked = times.register(registry, key);
        final boolean isDenied = !registry.getMeters().contains(asked);
        registry.remove(asked);
        if (isDenied) {
            return;
        }
        final Meter.Id id = asked.getId();
        final String name = id.getConventionName(registry.config().namingConvention());
        final Labels.Builder labels = Labels.builder();
        for (final Tag tag : id.getConventionTags(registry.config().namingConvention())) {
            labels.label(tag.getKey(), tag.getValue());
        }
        families.computeIfAbsent(name, of -> registered(name, key)).samples.add(new Sample(key, labels.build()));
    }

    private Family registered(final String name, final BrokerTimes.Key key) {
        final Family family = new Family(name, key.metric().help(), times, new ArrayList<>());
        final PrometheusRegistry prometheus = registry.getPrometheusRegistry();
        try {
            prometheus.register(family);
        } catch (final IllegalStateException | IllegalArgumentException e) {
            // Another broker's is there already, and the first one counts, as with all meters.
            return family;
        }
        return family;
    }

    /**
     * One of the histograms of a family.
     *
     * @param key    by which it is found.
     * @param labels that it is exported with.
     */
    private record Sample(BrokerTimes.Key key, Labels labels) {}

    /** Histograms of one name. */
    private record Family(String name, String help, BrokerTimes times, List<Sample> samples) implements Collector {
        @Override
        public MetricSnapshot collect() {
            final HistogramSnapshot.Builder snapshot =
                    HistogramSnapshot.builder().name(name).help(help);
            if (name.endsWith("_seconds")) {
                snapshot.unit(Unit.SECONDS);
            }
            samples.forEach(sample -> snapshot.dataPoint(point(sample)));
            return snapshot.build();
        }

        private HistogramDataPointSnapshot point(final Sample sample) {
            final LatencyHistogram.Snapshot found = times.find(sample.key());
            final ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
            for (int i = 0; i <= LatencyHistogram.BOUND_COUNT; i++) {
                final double bound =
                        i < LatencyHistogram.BOUND_COUNT ? LatencyHistogram.boundNs(i) / 1e9 : Double.POSITIVE_INFINITY;
                buckets.bucket(bound, found.counts().get(i));
            }
            return HistogramDataPointSnapshot.builder()
                    .classicHistogramBuckets(buckets.build())
                    .sum(found.sumNs() / 1e9)
                    .labels(sample.labels())
                    .build();
        }

        @Override
        public String getPrometheusName() {
            return name;
        }
    }
}
