package io.penstock.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.event.EventHandler;
import io.penstock.standalone.console.StandardOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands whose output fails, and what they say of work that is half done. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class CommandStreamsTest {
    private static final String NO_SPACE = "No space left on device";
    private static final String CLOSED = "Broken pipe";

    @TempDir
    Path folder;

    private final StringWriter err = new StringWriter();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private Broker broker;

    @BeforeEach
    void serve() {
        broker = Broker.launch(BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .events(EventHandler.NONE)
                .journal(JournalConfig.in(folder.resolve("log").toString()))
                .build());
        for (int i = 1; i <= 3; i++) {
            assertThat(run("publish", "orders", "--topic-key", "id", "-m", "{\"id\":" + i + "}"))
                    .isZero();
        }
        err.getBuffer().setLength(0);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "topics",
                "topics --json",
                "sow orders --json",
                "sow orders --csv",
                "subscribe orders --sow -n 1 --json",
                "stat",
                "stat --json",
                "ping -n 1",
                "top -n 1 --json",
                "query -e FROM_orders",
                "topic info orders"
            })
    void shouldFailAndSaySoWhenTheOutputHasNoRoom(final String command) {
        final String[] words = command.split(" ");
        for (int i = 0; i < words.length; i++) {
            words[i] = words[i].replace('_', ' ');
        }

        assertThat(runInto(new Failing(NO_SPACE), withBroker(words)))
                .as("%s", err)
                .isEqualTo(Main.EXIT_FAILED);
        assertThat(err.toString().lines().filter(line -> line.contains("standard output")))
                .singleElement()
                .asString()
                .startsWith("penstock " + words[0])
                .contains(": standard output: " + NO_SPACE + " (");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "--help", "help topics", "topics --help", "completion bash", "man topics"})
    void shouldFailWhenHelpHasNoRoom(final String command) {
        assertThat(runInto(new Failing(NO_SPACE), command.split(" "))).isEqualTo(Main.EXIT_FAILED);
        assertThat(err.toString()).contains("standard output: " + NO_SPACE).hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"top", "top --json", "ping -n 1000000000", "subscribe orders --sow --csv", "sow orders --csv"})
    void shouldEndQuietlyWhenTheReaderIsGone(final String command) {
        assertThat(runInto(new Failing(CLOSED), withBroker(command.split(" "))))
                .as("%s", err)
                .isEqualTo(Main.EXIT_OK);
        assertThat(err.toString()).doesNotContain("standard output");
    }

    @Test
    void shouldNoteAsPrintedNoMoreThanWasPrinted() {
        final String[] subscribe = withBroker(
                "subscribe", "orders", "--json", "--from", "beginning", "--to", "now", "--bookmark-store", store());

        assertThat(runInto(new Failing(NO_SPACE), subscribe)).as("%s", err).isEqualTo(Main.EXIT_FAILED);
        assertThat(runInto(out, subscribe)).isEqualTo(Main.EXIT_OK);

        assertThat(out.toString(UTF_8).lines()).hasSize(3);
    }

    @Test
    void shouldRefuseATableOfWhatIsNotedAsPrinted() {
        assertThat(run("subscribe", "orders", "-n", "1", "--table", "--bookmark-store", store()))
                .isEqualTo(Main.EXIT_USAGE);
        assertThat(err.toString()).contains("--table: ", "--bookmark-store").hasLineCount(1);
    }

    @Test
    void shouldSayWhatWasPublishedWhenALineIsTooLong() throws IOException {
        final Path lines = folder.resolve("lines");
        Files.writeString(lines, "{\"id\":7}\n" + "x".repeat(20_000_000) + "\n");

        assertThat(run("publish", "orders", lines.toString())).isEqualTo(Main.EXIT_USAGE);

        assertThat(err.toString().lines().toList())
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("published 1 message to orders"),
                        second -> assertThat(second)
                                .isEqualTo("stopped before the end: 1 of 1 were acknowledged; go on after " + lines
                                        + ":1"),
                        third -> assertThat(third).startsWith("penstock publish: " + lines + ":2: longer than"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sow orders --top -1", "sow orders --columns= --table", "sow orders --columns= --csv"})
    void shouldRefuseWhatCannotBe(final String command) {
        assertThat(run(command.split(" "))).isEqualTo(Main.EXIT_USAGE);
        assertThat(err.toString()).startsWith("penstock sow: --").hasLineCount(1);
    }

    @Test
    void shouldNameTheServerThatAnsweredWhenThereAreSeveral() {
        final String endpoint = broker.endpoints().get(0).toString();

        assertThat(runInto(out, "ping", "-n", "1", "-b", "tcp://127.0.0.1:1", "--server", endpoint))
                .as(err.toString())
                .isZero();
        assertThat(out.toString(UTF_8).lines()).first().asString().endsWith(" at " + endpoint);
    }

    @Test
    void shouldFailWhenTheReplySaysWhatHasFailed() throws InterruptedException {
        final Thread answering =
                new Thread(() -> run("reply", "questions", "-n", "1", "--", "sh", "-c", "echo half; exit 3"));
        answering.start();
        int exitCode = Main.EXIT_OK;
        final long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        do {
            // Nobody answers at first.
            err.getBuffer().setLength(0);
            exitCode = runInto(out, withBroker("request", "questions", "{}"));
        } while (!err.toString().contains("the reply has an error") && System.nanoTime() < endNs);
        answering.join();

        assertThat(exitCode).isEqualTo(Main.EXIT_FAILED);
        assertThat(err.toString())
                .contains("penstock request: questions: the reply has an error: exit code 3 (see what answers there)");
    }

    private String store() {
        return folder.resolve("bookmarks").toString();
    }

    private int run(final String... words) {
        return runInto(OutputStream.nullOutputStream(), withBroker(words));
    }

    private int runInto(final OutputStream to, final String... words) {
        return Main.run(
                Main.commandLine(words)
                        .setOut(new StandardOutput(to, false).writer())
                        .setErr(new PrintWriter(err, true)),
                words);
    }

    private String[] withBroker(final String... words) {
        final int end = List.of(words).indexOf("--");
        final List<String> all = new ArrayList<>(List.of(words));
        all.addAll(
                end < 0 ? all.size() : end,
                List.of("--broker", broker.endpoints().get(0).toString()));
        return all.toArray(new String[0]);
    }

    private static final class Failing extends OutputStream {
        private final String reason;

        Failing(final String reason) {
            this.reason = reason;
        }

        @Override
        public void write(final int value) throws IOException {
            throw new IOException(reason);
        }
    }
}
