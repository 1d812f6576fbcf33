package io.penstock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionListener;
import io.penstock.client.PublishStore;
import io.penstock.spring.ClientConfigSource;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.boot.embedded.EmbeddedBrokerAutoConfiguration;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The client that an application gets. */
class PenstockAutoConfigurationTest {
    /** Nobody listens there. */
    private static final String NOWHERE = "penstock.servers=inproc:nobody-is-there";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(EmbeddedBrokerAutoConfiguration.class, PenstockAutoConfiguration.class));

    @Test
    void shouldHaveTheClientsDefaultsWhenNothingIsSet() {
        runner.run(context -> {
            final ClientConfig config =
                    context.getBean(ClientConfigSource.class).config(ClientConfigSource.SHARED);
            final ClientConfig defaults = ClientConfig.of("tcp://127.0.0.1:9100");
            assertThat(config.endpoint()).isEqualTo(defaults.endpoint());
            assertThat(config.messageLengthMax()).isEqualTo(defaults.messageLengthMax());
            assertThat(config.heartbeatIntervalMs()).isEqualTo(defaults.heartbeatIntervalMs());
            assertThat(config.connectTimeoutNs()).isEqualTo(defaults.connectTimeoutNs());
            assertThat(config.requestTimeoutNs()).isEqualTo(defaults.requestTimeoutNs());
            assertThat(config.publishTimeoutNs()).isEqualTo(defaults.publishTimeoutNs());
            assertThat(config.closeTimeoutNs()).isEqualTo(defaults.closeTimeoutNs());
            assertThat(config.reconnectDelayMinNs()).isEqualTo(defaults.reconnectDelayMinNs());
            assertThat(config.reconnectDelayMaxNs()).isEqualTo(defaults.reconnectDelayMaxNs());
            assertThat(config.reconnectTimeoutNs()).isEqualTo(defaults.reconnectTimeoutNs());
            assertThat(config.publishStore()).isNull();
        });
    }

    @Test
    void shouldTakeWhatIsSetWhenPropertiesAreGiven(@TempDir final Path directory) {
        runner.withPropertyValues(
                        "penstock.servers=inproc:a,inproc:b",
                        "penstock.name=desk",
                        "penstock.user=me",
                        "penstock.password=secret",
                        "penstock.heartbeat-interval=3s",
                        "penstock.message-length-max=2MB",
                        "penstock.timeout.request=7s",
                        "penstock.reconnect.delay-min=1ms",
                        "penstock.reconnect.timeout=1m",
                        "penstock.publish-store.kind=file",
                        "penstock.publish-store.path=" + directory.resolve("made/publishes"),
                        "penstock.publish-store.limit=16")
                .run(context -> {
                    final ClientConfigSource source = context.getBean(ClientConfigSource.class);
                    context.getBean(PenstockConnection.class).close();
                    final ClientConfig other = source.config("fills");
                    assertThat(other.servers()).extracting(URI::toString).containsExactly("inproc:a", "inproc:b");
                    assertThat(other.name()).isEqualTo("desk/fills");
                    assertThat(other.credentials().credentials().user()).isEqualTo("me");
                    assertThat(other.credentials().credentials().secret()).isEqualTo("secret");
                    assertThat(other.heartbeatIntervalMs()).isEqualTo(3000);
                    assertThat(other.messageLengthMax()).isEqualTo(2 * 1024 * 1024);
                    assertThat(other.requestTimeoutNs())
                            .isEqualTo(Duration.ofSeconds(7).toNanos());
                    assertThat(other.reconnectTimeoutNs())
                            .isEqualTo(Duration.ofMinutes(1).toNanos());
                    assertThat(other.publishStore()).isNull();
                    assertThat(other.toString()).doesNotContain("secret");
                });
    }

    @Test
    void shouldStartAndConnectLaterWhenTheBrokerIsAway() {
        final CountDownLatch connected = new CountDownLatch(1);
        runner.withPropertyValues(
                        "penstock.servers=inproc:comes-later",
                        "penstock.reconnect.delay-min=1ms",
                        "penstock.reconnect.delay-max=20ms")
                .withBean(ConnectionListener.class, () -> new ConnectionListener() {
                    @Override
                    public void onConnected(final URI server, final int attempt) {
                        connected.countDown();
                    }
                })
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    final PenstockConnection connection = context.getBean(PenstockConnection.class);
                    assertThat(connection.isConnected()).isFalse();
                    try (Broker broker = Broker.launch(BrokerConfig.embedded("comes-later"))) {
                        assertThat(connected.await(30, TimeUnit.SECONDS)).isTrue();
                        awaitConnected(connection);
                        assertThat(broker.counter("sessions")).isEqualTo(1);
                        context.close();
                    }
                });
    }

    @Test
    void shouldFailWithTheServerWhenTheBrokerIsAwayAndOneIsDemanded() {
        runner.withPropertyValues(NOWHERE, "penstock.fail-fast=true")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("nobody-is-there"));
    }

    @Test
    void shouldGoWhereTheBeanSaysWhenThereAreConnectionDetails() {
        runner.withPropertyValues(NOWHERE)
                .withBean(PenstockConnectionDetails.class, () -> () -> List.of("inproc:from-a-bean"))
                .run(context -> assertThat(context.getBean(ClientConfigSource.class)
                                .config("")
                                .endpoint())
                        .isEqualTo(URI.create("inproc:from-a-bean")));
    }

    @Test
    void shouldCallCustomizersAfterThePropertiesWhenThereAreAny() {
        runner.withPropertyValues(NOWHERE, "penstock.name=desk")
                .withBean(
                        ClientConfigCustomizer.class,
                        () -> builder -> builder.name("changed").publishStore(PublishStore.inMemory()))
                .run(context -> assertThat(context.getBean(ClientConfigSource.class)
                                .config("")
                                .name())
                        .isEqualTo("changed"));
    }

    @Test
    void shouldConnectAgainWhenTheClientHasEndedForGood() {
        runner.withPropertyValues(
                        "penstock.servers=inproc:comes-and-goes",
                        "penstock.reconnect.delay-min=1ms",
                        "penstock.reconnect.delay-max=20ms",
                        "penstock.reconnect.timeout=1ms")
                .run(context -> {
                    final PenstockConnection connection = context.getBean(PenstockConnection.class);
                    for (int i = 0; i < 2; i++) {
                        try (Broker broker = Broker.launch(BrokerConfig.embedded("comes-and-goes"))) {
                            // The connection may not know yet that the broker before has gone.
                            await(() -> broker.counter("sessions") == 1);
                            awaitConnected(connection);
                        }
                    }
                    context.close();
                });
    }

    private static void awaitConnected(final PenstockConnection connection) {
        await(connection::isConnected);
    }

    private static void await(final BooleanSupplier condition) {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(endNs);
            Thread.onSpinWait();
        }
    }
}
