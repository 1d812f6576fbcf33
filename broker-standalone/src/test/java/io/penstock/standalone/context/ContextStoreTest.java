package io.penstock.standalone.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ContextStoreTest {
    private static final BrokerContext PROD = new BrokerContext(
            "prod", "tcp://a:1", List.of("tcp://b:1", "tcp://c:1"), "ann", "/secret file", "desk", TlsFiles.NONE);

    @TempDir
    Path home;

    @Test
    void shouldReadWhatWasWrittenWhenAsked() {
        store().write(PROD);
        store().write(new BrokerContext("dev.1", "ipc:x", List.of(), "", "", "", TlsFiles.NONE));

        assertThat(store().read("prod")).isEqualTo(PROD);
        assertThat(store().names()).containsExactly("dev.1", "prod");
        assertThat(store().current()).isNull();
    }

    @Test
    void shouldKeepFilesFromOthersWhenWritten() throws IOException {
        store().write(PROD);
        store().use("prod");

        assertThat(mode(home.resolve("penstock"))).isEqualTo("rwx------");
        assertThat(mode(home.resolve("penstock/prod.context"))).isEqualTo("rw-------");
        assertThat(mode(home.resolve("penstock/current"))).isEqualTo("rw-------");
        try (var files = Files.list(home.resolve("penstock"))) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void shouldUseNoneWhenTheOneInUseIsRemoved() {
        store().write(PROD);
        store().use("prod");
        assertThat(store().current()).isEqualTo("prod");
        store().use(null);
        assertThat(store().current()).isNull();
        store().use("prod");
        store().remove("prod");

        assertThat(store().current()).isNull();
        assertThat(store().names()).isEmpty();
    }

    @Test
    void shouldSayWhichThereAreWhenOneIsNot() {
        assertThatThrownBy(() -> store().read("prod"))
                .isInstanceOf(CommandFailure.class)
                .hasMessage("context prod: there is none (add it: penstock context add prod --broker URI)");
        store().write(PROD);

        for (final String name : List.of("test", "prod2")) {
            assertThatThrownBy(() -> store().use(name))
                    .hasMessage("context " + name + ": there is none (there are: prod)");
            assertThatThrownBy(() -> store().remove(name))
                    .hasMessage("context " + name + ": there is none (there are: prod)");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "../x", "a/b", "-x", ".x", "a b", "a\nb"})
    void shouldBeRefusedWhenAName(final String name) {
        assertThatThrownBy(
                        () -> store().write(new BrokerContext(name, "tcp://a:1", List.of(), "", "", "", TlsFiles.NONE)))
                .hasMessageStartingWith("context: not a name: ");
        assertThatThrownBy(() -> store().read(name)).hasMessageStartingWith("context: not a name: ");
    }

    @Test
    void shouldNameFileAndLineWhenAFileIsNotOfAContext() throws IOException {
        store().write(PROD);
        final Path file = home.resolve("penstock/prod.context");
        Files.writeString(file, "broker=tcp://a:1\ncolour=red\n");
        assertThatThrownBy(() -> store().read("prod"))
                .hasMessageStartingWith(file + ":2: not of a context: colour=red (");
        Files.writeString(file, "user=ann\n");
        assertThatThrownBy(() -> store().read("prod")).hasMessageStartingWith(file + ": names no broker");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 'x'});
        assertThatThrownBy(() -> store().read("prod")).hasMessageStartingWith(file + ": not UTF-8 text");
        Files.write(file, new byte[600 * 1024]);
        assertThatThrownBy(() -> store().read("prod")).hasMessageContaining("longer than 524288 bytes");
    }

    @Test
    void shouldBeRefusedWhenAValueDoesNotFit() {
        assertThatThrownBy(() ->
                        store().write(new BrokerContext("x", "tcp://a:1", List.of(), "a\nb", "", "", TlsFiles.NONE)))
                .hasMessageContaining("with a line end");
        assertThatThrownBy(() -> store().write(new BrokerContext(
                        "x", "tcp://" + "a".repeat(5000), List.of(), "", "", "", TlsFiles.NONE)))
                .hasMessageContaining("longer than 4096 characters");
        assertThat(store().names()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a:9100",
                "tcp://a b:1",
                "tcp://a:1,,b:2",
                "tcp://a:1,",
                "tcp://a:1,b",
                "tcp://a:1,b:99999",
                "tcp://a:1,ipc:x",
                "http://a:1"
            })
    void shouldBeRefusedWhenNoCommandCouldUseItsServers(final String broker) {
        assertThatThrownBy(() -> store().write(new BrokerContext("x", broker, List.of(), "", "", "", TlsFiles.NONE)))
                .isInstanceOf(CommandFailure.class)
                .hasMessageStartingWith("context x: ")
                .hasMessageEndingWith(")");
        assertThatThrownBy(() -> store().write(new BrokerContext(
                        "x", "tcp://a:1", List.of("tcp://b:1", broker), "", "", "", TlsFiles.NONE)))
                .isInstanceOf(CommandFailure.class);
        assertThat(store().names()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp://u:secret@a:1", "tcp://a:1,u:secret@b:1", "tcp://u@a:1"})
    void shouldBeRefusedWhenAPasswordIsInTheEndpoint(final String broker) {
        for (final BrokerContext each : List.of(
                new BrokerContext("x", broker, List.of(), "", "", "", TlsFiles.NONE),
                new BrokerContext("x", "tcp://a:1", List.of(broker), "", "", "", TlsFiles.NONE))) {
            assertThatThrownBy(() -> store().write(each))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("--password-file")
                    .hasMessageNotContaining("secret");
        }
        assertThat(store().names()).isEmpty();
    }

    @Test
    void shouldRefuseWhatIsNoFileWhenRead() throws IOException {
        final Path folder = Files.createDirectories(home.resolve("penstock"));
        Files.createDirectory(folder.resolve("directory.context"));
        Files.createSymbolicLink(folder.resolve("endless.context"), Path.of("/dev/zero"));
        Files.createSymbolicLink(folder.resolve("dangling.context"), folder.resolve("nothing"));

        for (final String name : List.of("directory", "endless")) {
            assertThatThrownBy(() -> store().read(name))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessage(folder.resolve(name + ".context")
                            + ": not a file with text: not of a context (move it away)");
        }
        assertThatThrownBy(() -> store().read("dangling"))
                .isInstanceOf(CommandFailure.class)
                .hasMessage(folder.resolve("dangling.context") + ": is a link that leads nowhere (remove it)");
    }

    @Test
    void shouldListTheOthersWhenAFileIsNotOfAContext() throws IOException {
        store().write(PROD);
        Files.writeString(home.resolve("penstock/bad.context"), "nonsense\n");
        final StringWriter out = new StringWriter();
        final StringWriter err = new StringWriter();

        final int exitCode = new CommandLine(new ContextListCommand(store()))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute("--template", "{{context}}");

        assertThat(out.toString()).isEqualTo("prod\n");
        assertThat(err.toString())
                .startsWith("penstock context list: " + home.resolve("penstock/bad.context") + ":1: not of a context")
                .hasLineCount(1);
        assertThat(exitCode).isEqualTo(1);
    }

    @Test
    void shouldTakeListsOfServersThatCommandsTake() {
        store().write(new BrokerContext(
                "list", "tcp://a:1, b:2,tcp://[::1]:3", List.of("tcp://c:4,d:5"), "", "", "", TlsFiles.NONE));

        assertThat(store().read("list").broker()).isEqualTo("tcp://a:1, b:2,tcp://[::1]:3");
    }

    @Test
    void shouldSayWhereContextsAreKeptWhenTheFolderCannotBeMade() throws IOException {
        Files.writeString(home.resolve("penstock"), "a file");

        assertThatThrownBy(() -> store().write(PROD))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("contexts are kept there");
    }

    private ContextStore store() {
        return new ContextStore(home.resolve("penstock"));
    }

    private static String mode(final Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
