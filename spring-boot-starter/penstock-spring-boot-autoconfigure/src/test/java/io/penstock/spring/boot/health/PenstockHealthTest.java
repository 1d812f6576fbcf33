package io.penstock.spring.boot.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.spring.PenstockConnection;
import io.penstock.spring.boot.PenstockAutoConfiguration;
import io.penstock.spring.boot.embedded.EmbeddedBrokerAutoConfiguration;
import java.nio.file.Path;
import java.util.Map;
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
