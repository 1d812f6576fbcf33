package io.penstock.standalone.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.client.AckType;
import io.penstock.client.PenstockClient;
import io.penstock.standalone.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Old backups go when there is a new one, and not before. */
class BackupKeepTest {
    @TempDir
    private Path folder;

    @Test
    void shouldRemoveOldBackupsAndNameThem() throws Exception {
        final Path log = folder.resolve("log");
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                        .listen("inproc:backup-keep")
                        .journal(JournalConfig.in(log.toString()).withFileLength(32 * 1024 * 1024))
                        .build());
                PenstockClient client =
                        PenstockClient.connect(broker.endpoints().get(0).toString())) {
            client.publish("t", "{}", AckType.PERSISTED).get();
        }
        assertThat(backup(log)).startsWith("0: ").doesNotContain("removed");
        assertThat(backup(log)).startsWith("0: ").doesNotContain("removed");
        final List<String> two = folders();
        assertThat(two).hasSize(2);

        assertThat(backup(log, "--keep", "2")).contains(two.get(0) + ": removed");
        assertThat(backup(log, "--keep", "1", "--json")).contains("\"removed\":2}");
        assertThat(folders()).hasSize(1).doesNotContainAnyElementsOf(two);
    }

    @Test
    void shouldRefuseToKeepNoneBeforeItDoesAnything() throws IOException {
        final Path empty = Files.createDirectory(folder.resolve("log"));

        assertThat(backup(empty, "--keep", "0"))
                .isEqualTo("2: penstock backup: --keep: 0 (use 1 or more: the new backup is one of them)\n");
        assertThat(backup(empty, "--keep", "few")).startsWith("2: ");
        assertThat(folder.resolve("backups")).doesNotExist();
    }

    private String backup(final Path log, final String... more) {
        final String[] args = Stream.concat(
                        Stream.of(
                                "backup",
                                log.toString(),
                                "--to",
                                folder.resolve("backups").toString()),
                        Stream.of(more))
                .toArray(String[]::new);
        final StringWriter out = new StringWriter();
        final var line = Main.commandLine(args);
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
        final int exitCode = line.execute(args);
        return exitCode + ": " + out;
    }

    private List<String> folders() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("backups"))) {
            return files.filter(Files::isDirectory).map(Path::toString).sorted().toList();
        }
    }
}
