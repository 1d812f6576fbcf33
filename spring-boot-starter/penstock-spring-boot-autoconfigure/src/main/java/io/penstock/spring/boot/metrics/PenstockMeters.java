package io.penstock.spring.boot.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.penstock.broker.Broker;
import io.penstock.broker.metric.BrokerMetrics;
import io.penstock.broker.metric.Metric;
import io.penstock.broker.metric.MetricType;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The counters and times of a broker as meters. A registry for Prometheus exports them under the names and with the labels that
 * the broker's admin server gives them, histograms with their buckets. Other registries have of times how many there were and their sum,
 * and counters {@code ….bucket} of how many were up to the bound that the tag {@code le} says. Needs no Spring:
 *
 * <pre>{@code
 * new PenstockMeters(broker).bindTo(registry);
 * }</pre>
 */
public final class PenstockMeters implements MeterBinder {
    private static final String PROMETHEUS = "io.micrometer.prometheusmetrics.PrometheusMeterRegistry";
    private static final boolean IS_PROMETHEUS_PRESENT = isPresent();

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
        bind(registry, new BrokerTimes(broker));
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

    /** The meters of a composite are those of its parts, which take times in different ways. */
    private static void bind(final MeterRegistry registry, final BrokerTimes times) {
        if (registry instanceof CompositeMeterRegistry composite && hasPrometheus(composite)) {
            composite.getRegistries().forEach(part -> bind(part, times));
        } else if (!IS_PROMETHEUS_PRESENT || !PrometheusTimes.bind(registry, times)) {
            times.keys().forEach(key -> {
                times.register(registry, key);
                times.registerBuckets(registry, key);
            });
        }
    }

    private static boolean hasPrometheus(final CompositeMeterRegistry composite) {
        return composite.getRegistries().stream()
                .anyMatch(part -> part instanceof CompositeMeterRegistry inner
                        ? hasPrometheus(inner)
                        : part.getClass().getName().equals(PROMETHEUS));
    }

    private static boolean isPresent() {
        try {
            Class.forName(PROMETHEUS, false, PenstockMeters.class.getClassLoader());
            return true;
        } catch (final ClassNotFoundException e) {
            return false;
        }
    }

    /** Without its unit, which registries put behind it. */
    static String name(final Metric metric) {
        final String name = metric.unit().isEmpty()
                ? metric.name()
                : metric.name()
                        .substring(0, metric.name().length() - metric.unit().length() - 1);
        return name.replace('_', '.');
    }

    private static @Nullable String unit(final Metric metric) {
        return metric.unit().isEmpty() ? null : metric.unit();
    }

    private static Tags tags(final List<String> labels) {
        return Tags.of(labels.toArray(new String[0]));
    }
}
