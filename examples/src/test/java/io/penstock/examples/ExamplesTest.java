package io.penstock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.Bridge;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SinkConfig;
import io.penstock.broker.SinksConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExamplesTest {
    private static final Path README = Path.of("..", "README.md");
    private static final Path EMBEDDING = Path.of("src/main/java/io/penstock/examples/Embedding.java");
    private static final Pattern README_JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern SNIPPET = Pattern.compile("// README\n(.*?) *// README", Pattern.DOTALL);

    @Test
    void shouldPrintTheOrderThatMatchesWhenEmbedded() {
        assertThat(output(() -> Embedding.main(new String[0])))
                .isEqualTo("orders: {\"symbol\": \"IBM\", \"side\": \"B\", \"price\": 101.5}" + System.lineSeparator());
    }

    @Test
    void shouldGoOnWhereItStoppedWhenAPublisherRunsAgain() {
        try (Broker broker = Broker.launch(BrokerConfig.embedded("examples"))) {
            final String[] endpoint = {broker.endpoints().get(0).toString()};

            final String first = output(() -> ReliablePublisher.main(endpoint));
            final String second = output(() -> ReliablePublisher.main(endpoint));

            assertThat(first).contains("has applied 0 of my messages", "has applied all of them");
            assertThat(second).contains("has applied 100 of my messages");
            assertThat(broker.counter("messages")).isEqualTo(100);
        }
    }

    @Test
    void shouldWriteOneFileOfWholeBlocksWhenThereAreManyWriters(@TempDir final Path folder) throws IOException {
        final BrokerConfig config = BrokerConfig.builder()
                .listen("inproc:event-writers")
                .sinks(SinksConfig.in(folder.toString(), SinkConfig.named("events")))
                .build();
        try (Broker broker = Broker.launch(config)) {
            final String output = output(() -> {
                try {
                    EventWriters.main(new String[] {broker.endpoints().get(0).toString()});
                } catch (final InterruptedException e) {
                    throw new AssertionError(e);
                }
            });

            assertThat(output.lines()).hasSize(4).contains("writer 2 has stored 5 blocks");
            assertThat(Files.size(folder.resolve("events"))).isEqualTo(20_000 * Long.BYTES);
        }
    }

    @Test
    void shouldTakeAndBeCalledForTheOrderThatMatchesWhenAnRmiClient() {
        try (Broker broker = Broker.launch(BrokerConfig.embedded("rmi-example"));
                Bridge bridge = Bridge.launch(
                        BridgeConfig.onRmiPort(0), broker.endpoints().get(0).toString())) {
            final String[] place = {"127.0.0.1", String.valueOf(bridge.rmiPort())};

            assertThat(output(() -> runRmiClient(place)))
                    .contains(
                            "taken: {\"symbol\": \"IBM\", \"price\": 101.5}",
                            "called: {\"symbol\": \"IBM\", \"price\": 101.5}")
                    .doesNotContain("99.5");
        }
    }

    private static void runRmiClient(final String[] place) {
        try {
            RmiClient.main(place);
        } catch (final Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldBeTheCodeOfTheExampleWhenShownInTheReadme() throws IOException {
        final String snippet = group(SNIPPET, EMBEDDING).stripTrailing().stripIndent();

        assertThat(group(README_JAVA, README).strip()).isEqualTo(snippet);
    }

    private static String group(final Pattern pattern, final Path file) throws IOException {
        final Matcher matcher = pattern.matcher(Files.readString(file));
        assertThat(matcher.find()).as("%s in %s", pattern, file).isTrue();
        return matcher.group(1);
    }

    private static String output(final Runnable program) {
        final PrintStream before = System.out;
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
            program.run();
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
