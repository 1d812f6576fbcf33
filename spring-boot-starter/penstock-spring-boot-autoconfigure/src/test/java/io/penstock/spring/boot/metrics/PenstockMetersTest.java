package io.penstock.spring.boot.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.metric.BrokerMetrics;
import io.penstock.broker.metric.MetricType;
import io.penstock.client.PenstockClient;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.boot.PenstockAutoConfiguration;
import io.penstock.spring.boot.embedded.EmbeddedBrokerAutoConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Meters of the client and of an embedded broker. */
class PenstockMetersTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    EmbeddedBrokerAutoConfiguration.class,
                    PenstockAutoConfiguration.class,
                    PenstockMetricsAutoConfiguration.class))
            .withPropertyValues("penstock.embedded.enabled=true");

    @Test
    void shouldCountWhatHappensWhenMessagesArePublished() {
        runner.run(context -> {
            final MeterRegistry registry = new SimpleMeterRegistry();
            context.getBeansOfType(MeterBinder.class).values().forEach(binder -> binder.bindTo(registry));
            context.getBean(PenstockConnection.class).client().publish("orders", "{}");
            context.getBean(PenstockConnection.class).client().flush();
            assertThat(registry.get("penstock.client.connected").gauge().value())
                    .isEqualTo(1);
            assertThat(registry.get("penstock.client.connections")
                            .functionCounter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("penstock.shard.messages")
                            .tag("shard", "0")
                            .functionCounter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("penstock.sessions").tag("io", "0").gauge().value())
                    .isEqualTo(1);
            assertThat(registry.get("penstock.ready").gauge().value()).isEqualTo(1);
            assertThat(registry.get("penstock.broker.start.time").gauge().value())
                    .isPositive();
            assertThat(registry.getMeters())
                    .extracting(Meter::getId)
                    .filteredOn(id -> id.getName().matches("penstock[.](client|listener|mirror)[.].*"))
                    .allSatisfy(id -> assertThat(id.getTags()).isEmpty());
        });
    }

    /** What the admin server exports of the broker, as the same text of OpenMetrics; buckets are counters where a registry is not for Prometheus. */
    @Test
    void shouldHaveTheNamesLabelsAndValuesOfTheAdminServer() {
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                        .listen("inproc:meters")
                        .threading(ThreadingMode.SHARED)
                        .build());
                PenstockClient client = PenstockClient.connect("inproc:meters")) {
            client.publish("orders", "{}");
            client.flush();
            final MeterRegistry registry = new SimpleMeterRegistry();
            new PenstockMeters(broker).bindTo(registry);

            final Set<String> exported = new TreeSet<>();
            registry.getMeters().stream()
                    // Of the buckets the last one stands for all.
                    .filter(meter -> !String.valueOf(meter.getId().getTag("le")).matches("[0-9].*"))
                    .forEach(meter -> exported.addAll(samples(meter)));
            final Set<String> expected = new TreeSet<>();
            BrokerMetrics.counts(broker.counters())
                    .forEach(count -> expected.add(count.metric().name()
                            + (count.metric().type() == MetricType.COUNTER ? "_total" : "")
                            + labels(count.labels())));
            BrokerMetrics.times(broker.histograms()).forEach(times -> {
                expected.add(times.metric().name() + "_count" + labels(times.labels()));
                expected.add(times.metric().name() + "_sum" + labels(times.labels()));
                final List<String> bucket = new ArrayList<>(times.labels());
                bucket.addAll(List.of("le", "+Inf"));
                expected.add(times.metric().name().replace("_seconds", "_bucket_total") + labels(bucket));
            });
            expected.add("penstock_ready{}");

            assertThat(exported).isEqualTo(expected);
            assertThat(exported)
                    .contains(
                            "penstock_messages_received_total{io=0}",
                            "penstock_payload_received_bytes_total{io=0}",
                            "penstock_shard_published_position_bytes{shard=0}",
                            "penstock_delivery_seconds_count{io=0}",
                            "penstock_duty_cycle_seconds_sum{thread=broker}");
            assertThat(registry.get("penstock.messages.received")
                            .functionCounter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("penstock.duty.cycle").functionTimers())
                    .anySatisfy(timer -> assertThat(timer.count()).isPositive());
        }
    }

    /** The samples that a registry for Prometheus makes of a meter, by its rules for names. */
    private static Set<String> samples(final Meter meter) {
        final String name = NamingConvention.snakeCase.name(
                meter.getId().getName(), meter.getId().getType());
        final String unit = meter.getId().getBaseUnit();
        final List<String> tags = new ArrayList<>();
        meter.getId().getTags().forEach(tag -> tags.addAll(List.of(tag.getKey(), tag.getValue())));
        final String whole = unit == null || meter instanceof FunctionTimer ? name : name + "_" + unit;
        if (meter instanceof FunctionTimer) {
            return Set.of(name + "_seconds_count" + labels(tags), name + "_seconds_sum" + labels(tags));
        }
        return Set.of((meter instanceof FunctionCounter ? whole + "_total" : whole) + labels(tags));
    }

    private static String labels(final List<String> pairs) {
        final Set<String> labels = new TreeSet<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            labels.add(pairs.get(i) + "=" + pairs.get(i + 1));
        }
        return "{" + String.join(",", labels) + "}";
    }

    @Test
    void shouldStartWithoutMetersWhenThereIsNoMicrometer() {
        runner.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("penstockClientMeters"));
    }
}
