package io.penstock.spring.boot.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.boot.PenstockAutoConfiguration;
import io.penstock.spring.boot.embedded.EmbeddedBroker;
import io.penstock.spring.boot.embedded.EmbeddedBrokerAutoConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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
            assertThat(registry.get("penstock.broker.messages")
                            .functionCounter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("penstock.broker.sessions").gauge().value()).isEqualTo(1);
            assertThat(registry.get("penstock.broker.start.time").gauge().value())
                    .isPositive();
            assertThat(registry.getMeters())
                    .extracting(Meter::getId)
                    .allSatisfy(id -> assertThat(id.getTags()).isEmpty());
        });
    }

    @Test
    void shouldBeACounterOfTheBrokerWhenAMeterIsMadeOfIt() {
        runner.run(context -> {
            final List<String> labels = new ArrayList<>();
            context.getBean(EmbeddedBroker.class)
                    .broker()
                    .counters()
                    .forEach((value, id, label) -> labels.add(label.replaceAll("-\\d+\\.", ".")));
            assertThat(labels)
                    .containsAll(Stream.concat(BrokerMeters.COUNTS.stream(), BrokerMeters.LEVELS.stream())
                            .map(source -> source.owner() + "." + source.name())
                            .toList());
        });
    }

    @Test
    void shouldStartWithoutMetersWhenThereIsNoMicrometer() {
        runner.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("penstockClientMeters"));
    }
}
