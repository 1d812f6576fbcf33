package io.penstock.spring.boot.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.penstock.admin.metrics.HistogramText;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.metric.BrokerMetrics;
import io.penstock.client.PenstockClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Histograms of a broker in a registry for Prometheus, beside what its admin server says. */
class PrometheusTimesTest {
    private static final Pattern LINE =
            Pattern.compile("(penstock_\\w+_seconds_(?:bucket|count|sum))\\{([^}]*)} (\\S+)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    private Broker broker;

    @BeforeEach
    void publish() {
        broker = Broker.launch(BrokerConfig.builder()
                .listen("inproc:prometheus")
                .threading(ThreadingMode.SHARED)
                .build());
        try (PenstockClient client = PenstockClient.connect("inproc:prometheus")) {
            client.subscribe("orders", message -> {});
            client.publish("orders", "{}");
            client.flush();
        }
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void shouldHaveTheBucketsOfTheAdminServer() {
        final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new PenstockMeters(broker).bindTo(registry);
        final Map<String, Double> before = samples(HistogramText.of(broker));
        final Map<String, Double> scraped = samples(registry.scrape());
        final Map<String, Double> after = samples(HistogramText.of(broker));

        assertThat(scraped.keySet()).isEqualTo(after.keySet());
        assertThat(scraped.keySet())
                .contains(
                        "penstock_delivery_seconds_bucket{io=0, le=1.0E-6}",
                        "penstock_delivery_seconds_bucket{io=0, le=Infinity}",
                        "penstock_duty_cycle_seconds_sum{thread=broker}");
        // The broker goes on meanwhile, and counts only rise.
        assertThat(scraped).allSatisfy((name, value) -> assertThat(value).isBetween(before.get(name), after.get(name)));
        assertThat(scraped.get("penstock_delivery_seconds_count{io=0}")).isPositive();
        assertThat(registry.scrape("application/openmetrics-text; version=1.0.0; charset=utf-8"))
                .contains("# TYPE penstock_delivery_seconds histogram\n", "# UNIT penstock_delivery_seconds seconds\n");
    }

    @Test
    void shouldObeyTheFiltersOfTheRegistry() {
        final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        registry.config()
                .commonTags("application", "desk")
                .meterFilter(MeterFilter.denyNameStartsWith("penstock.query"));
        new PenstockMeters(broker).bindTo(registry);

        assertThat(registry.scrape())
                .contains("penstock_delivery_seconds_count{application=\"desk\",io=\"0\"}")
                .doesNotContain("penstock_query");
    }

    @Test
    void shouldKeepTheFirstWhenTwoBrokersHaveOneRegistry() {
        final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new PenstockMeters(broker).bindTo(registry);
        final int lengthBefore = registry.scrape().split("\n").length;
        new PenstockMeters(broker).bindTo(registry);

        assertThat(registry.scrape().split("\n")).hasSize(lengthBefore);
    }

    @Test
    void shouldGiveEachPartOfACompositeWhatItCanExport() {
        final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        final MeterRegistry other = new SimpleMeterRegistry();
        new PenstockMeters(broker)
                .bindTo(new CompositeMeterRegistry().add(prometheus).add(other));

        assertThat(prometheus.scrape()).contains("penstock_delivery_seconds_bucket{");
        final List<Double> bounds = new ArrayList<>();
        double last = 0;
        for (final FunctionCounter bucket :
                other.get("penstock.delivery.bucket").tag("io", "0").functionCounters().stream()
                        .sorted((a, b) -> Double.compare(bound(a), bound(b)))
                        .toList()) {
            bounds.add(bound(bucket));
            assertThat(bucket.count()).isGreaterThanOrEqualTo(last);
            last = bucket.count();
        }
        assertThat(bounds).hasSize(28).startsWith(1.0E-6, 2.0E-6).endsWith(Double.POSITIVE_INFINITY);
        assertThat(other.get("penstock.delivery").tag("io", "0").functionTimer().count())
                .isGreaterThanOrEqualTo(last)
                .isPositive();
        assertThat(other.find("penstock.query").functionTimers())
                .hasSize((int) BrokerMetrics.times(broker.histograms()).stream()
                        .filter(each -> each.metric().name().equals("penstock_query_seconds"))
                        .count());
    }

    private static double bound(final FunctionCounter bucket) {
        return number(String.valueOf(bucket.getId().getTag("le")));
    }

    private static double number(final String text) {
        return text.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
    }

    /** Samples of times, with their labels in order and bounds as numbers. */
    private static Map<String, Double> samples(final String text) {
        final Map<String, Double> samples = new TreeMap<>();
        for (final String line : text.lines().toList()) {
            final Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                final Map<String, String> labels = new TreeMap<>();
                final Matcher label = LABEL.matcher(matcher.group(2));
                while (label.find()) {
                    final boolean isBound = label.group(1).equals("le");
                    labels.put(label.group(1), isBound ? String.valueOf(number(label.group(2))) : label.group(2));
                }
                samples.put(matcher.group(1) + labels, number(matcher.group(3)));
            }
        }
        return samples;
    }
}
