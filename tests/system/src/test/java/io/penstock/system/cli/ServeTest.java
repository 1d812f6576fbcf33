package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeTest {
    private static final String LISTENING = "listening on ";

    @TempDir
    private Path folder;

    private static final List<Penstock> BROKERS = new ArrayList<>();
    private static String endpoint = "";

    @BeforeAll
    static void startTheBrokerOfMostTests() throws Exception {
        endpoint = serve("--topic", "declared=binary");
    }

    @AfterAll
    static void stop() {
        BROKERS.forEach(Penstock::close);
    }

    @Test
    void shouldDeliverWhatMatchesWhenAFileIsPublished() throws Exception {
        final Path file = folder.resolve("in.ndjson");
        Files.writeString(file, "{\"n\":1,\"s\":\"a\"}\n{\"n\":2}\n\n{\"n\":3,\"s\":\"b\"}\r\n");
        try (Penstock subscriber =
                Penstock.start("subscribe", "t", "-f", "n > 1 AND s IS NOT NULL", "-n", "1", "-b", endpoint)) {
            subscriber.awaitErrorLine("subscribed to t where n > 1");

            final Penstock.Result published = Penstock.runAlone("publish", "t", file.toString(), "-b", endpoint);

            assertThat(published.err()).startsWith("published 3 messages to t in ");
            assertThat(published.exitCode()).isZero();
            final Penstock.Result received = subscriber.await();
            assertThat(received.out()).isEqualTo("{\"n\":3,\"s\":\"b\"}");
            assertThat(received.exitCode()).isZero();
        }
    }

    @Test
    void shouldNameTheLineWhenTheBrokerRefusesAMessage() throws Exception {
        final Penstock.Result result =
                Penstock.runAloneWithInput("{\"n\":1}\nnot json\n{\"n\":2}\n", "publish", "mixed", "-b", endpoint);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .contains("published 2 messages to mixed", "1 of 3 were refused, the first at standard input:2: ");
    }

    @Test
    void shouldTakeWhatIsNotJsonWhenTheTopicIsBinary() throws Exception {
        final Penstock.Result result =
                Penstock.runAloneWithInput("not json\n", "publish", "lines", "--format", "binary", "-b", endpoint);

        assertThat(result.err()).startsWith("published 1 message to lines in ");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void shouldSayPositionAndReasonWhenAFilterIsWrong() throws Exception {
        final Penstock.Result result = Penstock.runAlone("subscribe", "t", "-f", "price >", "-b", endpoint);

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).startsWith("penstock subscribe: filter: expected a value at ");
    }

    @Test
    void shouldShowTopicsCountersAndRoundTripsWhenAsked() throws Exception {
        Penstock.runAloneWithInput("{}\n{}\n", "publish", "made.by.use", "-b", endpoint);

        final Penstock.Result topics = Penstock.runAlone("topics", "-b", endpoint);
        final Penstock.Result stat = Penstock.runAlone("stat", "broker.", "--json", "-b", endpoint);
        final Penstock.Result ping = Penstock.runAlone("ping", "-n", "2", "-b", endpoint);

        assertThat(topics.out()).containsPattern("declared +binary +0 +0").containsPattern("made.by.use +json +0 +2");
        // On a slow machine there are many events of long duty cycles.
        assertThat(stat.out().lines().map(line -> line.replaceFirst("(?<=eventsSuppressed\",\"value\":)[0-9]+", "N")))
                .containsExactly(
                        "{\"counter\":\"broker.errors\",\"value\":0}",
                        "{\"counter\":\"broker.eventsSuppressed\",\"value\":N}",
                        "{\"counter\":\"broker.authorizerFailures\",\"value\":0}",
                        "{\"counter\":\"broker.filtersTooLong\",\"value\":0}");
        assertThat(ping.out()).contains("penstock").containsPattern("(?m)^[0-9.]+ us$");
        assertThat(ping.exitCode()).isZero();
    }

    @Test
    void shouldDrainSayWhatItDidAndSucceedWhenTerminated() throws Exception {
        Penstock.runAloneWithInput("{}\n", "publish", "t", "-b", serve());

        final Penstock.Result result = terminateLast();
        assertThat(result.out()).contains("stopping: ", "stopped: 1 message taken, 0 delivered; nothing was left");
        // Nothing but its log, and no warning in that but of a busy machine.
        assertThat(result.err().lines())
                .filteredOn(line -> !line.contains(" broker longDutyCycle "))
                .allMatch(line -> line.contains("Z INFO broker "));
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void shouldNameFileLineKeyReasonAndRemedyWhenTheConfigurationIsWrong() throws Exception {
        final Path file = folder.resolve("penstock.yaml");
        Files.writeString(file, "idle: busy\nwindow:\n  segmentCount: 2\n");

        final Penstock.Result result = Penstock.runAlone("serve", file.toString());

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .isEqualTo("penstock serve: " + file + ":3: window.segmentCount: too small: 2 (use 3 to 1024)");
    }

    @Test
    void shouldRefuseToBeReachedByOthersWhenNothingProtectsIt() throws Exception {
        final Penstock.Result result = Penstock.runAlone("serve", "--listen", "tcp://0.0.0.0:0");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).startsWith("penstock serve: listen: other machines can reach tcp://0.0.0.0:0");
    }

    @Test
    void shouldNameTheEndpointWhenItIsTaken() throws Exception {
        final Penstock.Result result = Penstock.runAlone("serve", "--listen", endpoint);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).startsWith("penstock serve: " + endpoint).hasLineCount(1);
    }

    @Test
    void shouldNameTheEndpointWhenNobodyListens() throws Exception {
        final String gone = serve();
        terminateLast();

        final Penstock.Result result = Penstock.runAlone("ping", "-b", gone);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .startsWith("penstock ping: " + gone + ": cannot connect")
                .hasLineCount(1);
    }

    private static Penstock.Result terminateLast() throws Exception {
        final Penstock broker = BROKERS.get(BROKERS.size() - 1);
        broker.terminate();
        return broker.await();
    }

    private static String serve(final String... arguments) throws Exception {
        final String[] all = new String[arguments.length + 3];
        all[0] = "serve";
        all[1] = "--listen";
        all[2] = "tcp://127.0.0.1:0";
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        final Penstock broker = Penstock.start(all);
        BROKERS.add(broker);
        return broker.awaitLine(LISTENING).substring(LISTENING.length());
    }
}
