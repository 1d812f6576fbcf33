package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes whose standard streams are full, closed or left by who reads them, and one that is asked to end. */
class StandardStreamsTest {
    private static final String LISTENING = "listening on ";
    private static final File FULL = new File("/dev/full");

    @TempDir
    Path folder;

    private Penstock broker;
    private String endpoint;
    private Path log;

    @BeforeEach
    void serve() throws Exception {
        log = folder.resolve("log");
        broker = Penstock.start("serve", "--listen", "tcp://127.0.0.1:0", "--set", "journal.directory=" + log);
        endpoint = broker.awaitLine(LISTENING).substring(LISTENING.length());
        Penstock.run("publish", "orders", "--topic-key", "id", "-m", "{\"id\":{{Count}}}", "-n", "3", "-b", endpoint);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sow orders -b ENDPOINT",
                "subscribe orders --sow -n 1 -b ENDPOINT",
                "log cat LOG",
                "state cat LOG"
            })
    void shouldFailWhenTheOutputIsFull(final String command) throws Exception {
        assumeThat(FULL).exists();

        final Penstock.Result result = into(FULL, words(command));

        assertThat(result.err()).contains(": standard output: No space left on device (");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void shouldNoteAsPrintedNoMoreThanWasPrinted() throws Exception {
        assumeThat(FULL).exists();
        final String command = "subscribe orders --from beginning --to now --bookmark-store " + folder.resolve("store")
                + " -b ENDPOINT";

        assertThat(into(FULL, words(command)).exitCode()).isEqualTo(1);

        assertThat(Penstock.runAlone(words(command).toArray(new String[0])).out())
                .isEqualTo("{\"id\":1}\n{\"id\":2}\n{\"id\":3}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"top", "ping -n 1000000000"})
    void shouldEndWhenTheReaderIsGone(final String command) throws Exception {
        final Penstock.Result result =
                shell(words(command + " -b ENDPOINT"), "{ %s; echo ended with $? >&2; } | head -n 1");

        assertThat(result.err()).contains("ended with 0").doesNotContain("standard output");
        assertThat(result.out()).hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "publish notes --format binary",
                "request notes",
                "query",
                "replay - --topic notes",
                "put notes -"
            })
    void shouldSayThatTheInputIsClosedWhenItIs(final String command) throws Exception {
        final Penstock.Result result = shell(words(command + " -b ENDPOINT"), "%s <&-");

        assertThat(result.err()).contains("standard input is closed (").hasLineCount(1);
        assertThat(result.exitCode()).isEqualTo(2);
    }

    @Test
    void shouldSayWhatWasPublishedWhenAskedToEnd() throws Exception {
        final Path lines = Files.writeString(folder.resolve("lines"), "{\"id\":7}\n".repeat(100_000));

        try (Penstock publishing =
                Penstock.start("publish", "orders", lines.toString(), "--rate", "50/s", "-b", endpoint)) {
            while (!Penstock.run("sow", "orders", "id = 7", "-b", endpoint)
                    .out()
                    .contains("7")) {
                Thread.onSpinWait();
            }
            publishing.terminate();
            final Penstock.Result result = publishing.await();

            assertThat(result.err())
                    .containsPattern("published [0-9,]+ messages? to orders")
                    .containsPattern("stopped before the end: [0-9,]+ of [0-9,]+ were acknowledged; go on after "
                            + lines + ":[0-9]+");
            assertThat(result.exitCode()).isEqualTo(143);
        }
    }

    private List<String> words(final String command) {
        final List<String> words = new ArrayList<>();
        for (final String word : command.split(" ", -1)) {
            words.add(word.replace("ENDPOINT", endpoint).replace("LOG", log.toString()));
        }
        return words;
    }

    private static List<String> process(final List<String> words) {
        final List<String> command = new ArrayList<>(Penstock.java());
        command.addAll(List.of("-jar", Penstock.jar().toString()));
        command.addAll(words);
        return command;
    }

    private static Penstock.Result into(final File output, final List<String> words) throws Exception {
        try (Penstock penstock =
                Penstock.start(Penstock.processOf(process(words)).redirectOutput(output))) {
            return penstock.await();
        }
    }

    /** Runs a command by a shell's text, in which it stands for {@code %s}. */
    private static Penstock.Result shell(final List<String> words, final String text) throws Exception {
        final List<String> command = new ArrayList<>(List.of("sh", "-c", String.format(text, "\"$@\""), "sh"));
        command.addAll(process(words));
        try (Penstock penstock = Penstock.start(Penstock.processOf(command))) {
            return penstock.await();
        }
    }
}
