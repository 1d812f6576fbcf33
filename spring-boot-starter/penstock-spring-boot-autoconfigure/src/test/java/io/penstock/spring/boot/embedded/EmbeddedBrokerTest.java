package io.penstock.spring.boot.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.client.PenstockClient;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.boot.PenstockAutoConfiguration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A broker in the process of the application. */
class EmbeddedBrokerTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    EmbeddedBrokerAutoConfiguration.class,
                    MissingEmbeddedBrokerAutoConfiguration.class,
                    PenstockAutoConfiguration.class))
            .withPropertyValues("penstock.embedded.enabled=true");

    @Test
    void shouldServeTheClientOfTheApplicationWhenItIsEnabled() {
        runner.withPropertyValues("penstock.servers=tcp://127.0.0.1:1").run(context -> {
            assertThat(context.getBean(PenstockConnection.class).client().broker())
                    .startsWith("penstock");
            assertThat(context.getBean(EmbeddedBroker.class).startDuration()).isPositive();
        });
    }

    @Test
    void shouldServeOtherProcessesWhenItListens() {
        runner.withPropertyValues("penstock.embedded.listen=tcp://127.0.0.1:0", "penstock.embedded.name=mine")
                .run(context -> {
                    final EmbeddedBroker broker = context.getBean(EmbeddedBroker.class);
                    assertThat(broker.endpoints()).hasSize(2);
                    assertThat(broker.endpoints().get(0)).hasToString("inproc:mine");
                    try (PenstockClient client =
                            PenstockClient.connect(broker.endpoints().get(1).toString())) {
                        client.publish("orders", "{}");
                        client.flush();
                    }
                    assertThat(broker.broker().counter("messages")).isEqualTo(1);
                });
    }

    @Test
    void shouldHaveTheKeysOfAFileWhenTheyAreGivenAsProperties(@TempDir final Path directory) {
        runner.withPropertyValues(
                        "penstock.embedded.journal-directory=" + directory,
                        "penstock.embedded.config.journal.sync=always",
                        "penstock.embedded.config.window.segment-count=4",
                        "penstock.embedded.config.sessions.messagelengthmax=1MiB",
                        "penstock.embedded.config.topics[0].name=orders",
                        "penstock.embedded.config.topics[0].key=id",
                        "penstock.embedded.config.topics[1].name=fills")
                .run(context -> {
                    final BrokerConfig config =
                            context.getBean(EmbeddedBroker.class).broker().config();
                    assertThat(config.journal().directory()).isEqualTo(directory.toString());
                    assertThat(config.journal().sync()).hasToString("ALWAYS");
                    assertThat(config.window().segmentCount()).isEqualTo(4);
                    assertThat(config.sessions().messageLengthMax()).isEqualTo(1024 * 1024);
                    assertThat(config.topics()).extracting("name").containsExactly("orders", "fills");
                });
    }

    @Test
    void shouldCallCustomizersAfterThePropertiesWhenThereAreAny() {
        runner.withBean(BrokerConfigCustomizer.class, () -> builder -> builder.formatDefault("binary"))
                .run(context -> assertThat(context.getBean(EmbeddedBroker.class)
                                .broker()
                                .config()
                                .formatDefault())
                        .isEqualTo("binary"));
    }

    @Test
    void shouldCloseTheClientBeforeTheBrokerWhenTheContextCloses() {
        final List<PenstockClient> clients = new ArrayList<>();
        final List<Broker> brokers = new ArrayList<>();
        runner.run(context -> {
            clients.add(context.getBean(PenstockConnection.class).client());
            brokers.add(context.getBean(EmbeddedBroker.class).broker());
            clients.get(0).publish("orders", "{}");
        });
        assertThat(clients.get(0).isClosed()).isTrue();
        // It was flushed before it was closed, to a broker that still took it.
        assertThat(brokers.get(0).counter("messages")).isEqualTo(1);
    }

    @Test
    void shouldSayWhatToAddWhenThereIsNoBrokerOnTheClassPath() {
        runner.withClassLoader(new FilteredClassLoader(Broker.class))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage(
                                "penstock.embedded.enabled: there is no broker on the class path (add the dependency"
                                        + " io.penstock:penstock-broker-core)"));
    }

    @Test
    void shouldHaveNoBrokerWhenItIsNotAskedFor() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(EmbeddedBrokerAutoConfiguration.class, PenstockAutoConfiguration.class))
                .run(context -> assertThat(context).doesNotHaveBean(EmbeddedBroker.class));
    }
}
