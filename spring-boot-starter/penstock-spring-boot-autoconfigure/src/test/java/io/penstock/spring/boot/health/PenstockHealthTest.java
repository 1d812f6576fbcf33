package io.penstock.spring.boot.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.annotation.PenstockListener;
import io.penstock.spring.annotation.PenstockState;
import io.penstock.spring.boot.PenstockAutoConfiguration;
import io.penstock.spring.boot.embedded.EmbeddedBrokerAutoConfiguration;
import io.penstock.spring.boot.messaging.PenstockMessagingAutoConfiguration;
import io.penstock.spring.boot.metrics.PenstockMetricsAutoConfiguration;
import io.penstock.spring.endpoint.PenstockListenerEndpointRegistry;
import io.penstock.spring.listener.ContainerState;
import io.penstock.spring.listener.PenstockErrorHandler;
import io.penstock.spring.listener.PenstockListenerContainer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.actuate.autoconfigure.availability.AvailabilityHealthContributorAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.availability.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.HealthContributorAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.HealthEndpointAutoConfiguration;
import org.springframework.boot.actuate.health.CompositeHealth;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthComponent;
import org.springframework.boot.actuate.health.HealthEndpoint;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Health as Boot 3.5 shows it. */
class PenstockHealthTest {
    private static final String NOWHERE = "penstock.servers=inproc:nobody-is-there";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    EmbeddedBrokerAutoConfiguration.class,
                    PenstockAutoConfiguration.class,
                    PenstockHealthAutoConfiguration.class,
                    HealthContributorAutoConfiguration.class,
                    HealthEndpointAutoConfiguration.class,
                    ApplicationAvailabilityAutoConfiguration.class,
                    AvailabilityHealthContributorAutoConfiguration.class,
                    AvailabilityProbesAutoConfiguration.class))
            .withPropertyValues(
                    "management.endpoint.health.probes.enabled=true",
                    "management.health.livenessstate.enabled=true",
                    "management.health.readinessstate.enabled=true");

    private final ApplicationContextRunner listening = runner.withConfiguration(AutoConfigurations.of(
                    PenstockMessagingAutoConfiguration.class, PenstockMetricsAutoConfiguration.class))
            .withBean("stopping", PenstockErrorHandler.class, () -> failure -> PenstockErrorHandler.Decision.STOP)
            .withPropertyValues("penstock.embedded.enabled=true")
            .withBean(Listeners.class);

    @Test
    void shouldBeDownWithTheReasonWhenTheBrokerIsAway() {
        runner.withPropertyValues(NOWHERE).run(context -> {
            final Health health = context.getBean("penstockHealthIndicator", HealthIndicator.class)
                    .health();
            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.getDetails()).containsEntry("connections", 0L).containsKey("reason");
        });
    }

    @Test
    void shouldBeUpWithTheServerWhenTheClientIsConnected() {
        runner.withPropertyValues("penstock.embedded.enabled=true", "penstock.embedded.name=health")
                .run(context -> {
                    context.getBean(PenstockConnection.class).client();
                    final Health health = context.getBean("penstockHealthIndicator", HealthIndicator.class)
                            .health();
                    assertThat(health.getStatus()).isEqualTo(Status.UP);
                    assertThat(health.getDetails())
                            .containsEntry("server", "inproc:health")
                            .containsKey("broker");
                });
    }

    /** Three listeners of one topic. */
    static class Listeners {
        @PenstockListener(id = "one", topic = "orders")
        void one(final String text) {}

        @PenstockListener(id = "two", topic = "orders", autoStartup = "false")
        void two(final String text) {}

        @PenstockListener(id = "three", topic = "orders", errorHandler = "stopping")
        void three(final String text) {
            throw new IllegalStateException("cannot");
        }
    }

    @Test
    void shouldShowEachListenerWhenThereAreSome() {
        listening.run(context -> {
            final PenstockListenerEndpointRegistry registry = context.getBean(PenstockListenerEndpointRegistry.class);
            final HealthIndicator indicator =
                    context.getBean("penstockListenersHealthIndicator", HealthIndicator.class);
            Objects.requireNonNull(registry.getContainer("one")).pause();
            assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
            assertThat(indicator.health().getDetails())
                    .isEqualTo(Map.of("one", "PAUSED", "two", "STOPPED", "three", "RUNNING"));

            final MeterRegistry meters = new SimpleMeterRegistry();
            context.getBeansOfType(MeterBinder.class).values().forEach(binder -> binder.bindTo(meters));
            context.getBean(PenstockConnection.class).client().publish("orders", "{}");
            final PenstockListenerContainer three = Objects.requireNonNull(registry.getContainer("three"));
            await(() -> three.getState() == ContainerState.STOPPED);

            assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
            assertThat(indicator.health().getDetails().get("three"))
                    .asString()
                    .startsWith("FAILED: ")
                    .contains("error handler");
            assertThat(meters.get("penstock.listener.running").gauge().value()).isEqualTo(1);
            assertThat(meters.get("penstock.listener.failed").gauge().value()).isEqualTo(1);

            three.start();
            three.stop();
            assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
        });
    }

    private static void await(final BooleanSupplier condition) {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(endNs);
            Thread.onSpinWait();
        }
    }

    /** Its prices are numbers. */
    static class Prices {
        @PenstockState(topic = "prices")
        @Nullable
        Map<String, Price> prices;
    }

    /** A value. */
    public record Price(String id, double value) {}

    @Test
    void shouldCountTheRecordsThatAMirrorCannotUse() {
        listening
                .withPropertyValues(
                        "penstock.embedded.config.topics[0].name=prices", "penstock.embedded.config.topics[0].key=id")
                .withBean(Prices.class)
                .run(context -> {
                    context.getBean(PenstockConnection.class)
                            .client()
                            .publish("prices", "{\"id\":\"a\",\"value\":\"none\"}");
                    final HealthIndicator indicator =
                            context.getBean("penstockMirrorsHealthIndicator", HealthIndicator.class);
                    final MeterRegistry meters = new SimpleMeterRegistry();
                    context.getBeansOfType(MeterBinder.class).values().forEach(binder -> binder.bindTo(meters));
                    await(() -> meters.get("penstock.mirror.records.failed")
                                    .functionCounter()
                                    .count()
                            == 1);
                    assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
                    assertThat(indicator.health().getDetails())
                            .containsEntry("state of prices", "LIVE, records that could not be used: 1");
                    assertThat(meters.get("penstock.mirror.live").gauge().value())
                            .isEqualTo(1);
                });
    }

    @Test
    void shouldShowTheJournalsOfTheBrokerWhenItHasAny(@TempDir final Path directory) {
        runner.withPropertyValues("penstock.embedded.enabled=true", "penstock.embedded.journal-directory=" + directory)
                .run(context -> assertThat(context.getBean("penstockBrokerHealthIndicator", HealthIndicator.class)
                                .health()
                                .getDetails())
                        .containsEntry("journals", Map.of("shard-0", "takes records")));
    }

    @Test
    void shouldBePartOfReadinessAndNotOfLivenessWhenTheBrokerIsAway() {
        runner.withPropertyValues(NOWHERE).run(context -> {
            publishStates(context);
            final HealthEndpoint endpoint = context.getBean(HealthEndpoint.class);
            assertThat(endpoint.healthForPath("readiness").getStatus()).isEqualTo(Status.DOWN);
            assertThat(endpoint.healthForPath("liveness").getStatus()).isEqualTo(Status.UP);
            final HealthComponent all = endpoint.health();
            assertThat(all)
                    .isInstanceOfSatisfying(
                            CompositeHealth.class,
                            each -> assertThat(each.getComponents()).containsKey("penstock"));
        });
    }

    @Test
    void shouldLeaveReadinessAloneWhenThePropertySaysSoOrItsMembersAreNamed() {
        runner.withPropertyValues(NOWHERE, "penstock.health.readiness=false").run(this::assertReady);
        runner.withPropertyValues(NOWHERE, "management.endpoint.health.group.readiness.include=readinessState")
                .run(this::assertReady);
    }

    /** As an application that has started. */
    private static void publishStates(final ApplicationContext context) {
        AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
        AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
    }

    private void assertReady(final ApplicationContext context) {
        publishStates(context);
        assertThat(context.getBean(HealthEndpoint.class)
                        .healthForPath("readiness")
                        .getStatus())
                .isEqualTo(Status.UP);
    }

    @Test
    void shouldHaveNoIndicatorWhenItIsSwitchedOff() {
        runner.withPropertyValues(NOWHERE, "management.health.penstock.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("penstockHealthIndicator"));
    }

    @Test
    void shouldStartWithoutHealthWhenThereIsNoActuator() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(PenstockAutoConfiguration.class, PenstockHealthAutoConfiguration.class))
                .withPropertyValues(NOWHERE)
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("penstockHealthIndicator"));
    }
}
