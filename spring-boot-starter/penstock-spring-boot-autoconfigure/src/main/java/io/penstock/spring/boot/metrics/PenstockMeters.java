package io.penstock.spring.boot.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.penstock.broker.Broker;
import io.penstock.broker.concurrent.LatencyHistogram;
import io.penstock.broker.metric.BrokerMetrics;
import io.penstock.broker.metric.Metric;
import io.penstock.broker.metric.MetricType;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The counters and times of a broker as meters. A registry for Prometheus exports them under the names and with the labels that
 * the broker's admin server gives them; of times it has how many there were, and their sum. Needs no Spring:
 *
 * <pre>{@code
 * new PenstockMeters(broker).bindTo(registry);
 * }</pre>
 */
public final class PenstockMeters implements MeterBinder {
    private final Broker broker;

    /**
     * Makes the meters of a broker, which has started.
     *
     * @param broker whose they are.
     */
    public PenstockMeters(final Broker broker) {
        this.broker = broker;
    }

    @Override
    public void bindTo(final MeterRegistry registry) {
        BrokerMetrics.counts(broker.counters()).forEach(count -> bind(registry, count));
        BrokerMetrics.times(broker.histograms()).forEach(times -> bind(registry, times));
        Gauge.builder("penstock.ready", broker, each -> each.notReady().isEmpty() ? 1 : 0)
                .description("1 when the broker serves clients, else 0.")
                .register(registry);
    }

    private void bind(final MeterRegistry registry, final BrokerMetrics.Count count) {
        final Metric metric = count.metric();
        final int id = count.id();
        final ToDoubleFunction<Broker> value = each -> (double) each.counters().getCounterValue(id);
        if (metric.type() == MetricType.COUNTER) {
            FunctionCounter.builder(name(metric), broker, value)
                    .tags(tags(count.labels()))
                    .baseUnit(unit(metric))
                    .description(metric.help())
                    .register(registry);
        } else {
            Gauge.builder(name(metric), broker, value)
                    .tags(tags(count.labels()))
                    .baseUnit(unit(metric))
                    .description(metric.help())
                    .register(registry);
        }
    }

    private void bind(final MeterRegistry registry, final BrokerMetrics.Times times) {
        final String owner = times.times().owner();
        final String name = times.times().name();
        FunctionTimer.builder(
                        name(times.metric()),
                        broker,
                        each -> find(each, owner, name).count(),
                        each -> find(each, owner, name).sumNs(),
                        TimeUnit.NANOSECONDS)
                .tags(tags(times.labels()))
                .description(times.metric().help())
                .register(registry);
    }

    private static LatencyHistogram.Snapshot find(final Broker of, final String owner, final String name) {
        for (final LatencyHistogram.Snapshot each : of.histograms()) {
            if (each.owner().equals(owner) && each.name().equals(name)) {
                return each;
            }
        }
        throw new IllegalStateException("histogram: no such one: " + owner + "." + name);
    }

    /** Without its unit, which registries put behind it. */
    private static String name(final Metric metric) {
        final String name = metric.unit().isEmpty()
                ? metric.name()
                : metric.name().substring(0, metric.name().length() - metric.unit().length() - 1);
        return name.replace('_', '.');
    }

    private static @Nullable String unit(final Metric metric) {
        return metric.unit().isEmpty() ? null : metric.unit();
    }

    private static Tags tags(final List<String> labels) {
        return Tags.of(labels.toArray(new String[0]));
    }
}
