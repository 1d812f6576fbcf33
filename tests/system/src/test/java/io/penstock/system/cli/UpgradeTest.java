package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.client.BookmarkStore;
import io.penstock.client.ClientConfig;
import io.penstock.client.LogPlace;
import io.penstock.client.Message;
import io.penstock.client.MessageStream;
import io.penstock.client.PenstockClient;
import io.penstock.client.PublishStore;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SowRequest;
import io.penstock.standalone.config.ConfigSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files that each release has written, with what it read in them itself: this version reads the same, and goes on with them. The files
 * are made by {@code tests/upgrade/write.sh} and never changed.
 */
@Timeout(120)
class UpgradeTest {
    private static final Path RELEASES = Path.of("src/test/resources/io/penstock/system/upgrade");
    private static final Duration LONG = Duration.ofSeconds(30);

    /** So many ticks the reader had taken before the release ended, and so many there were then. */
    private static final int READ = 200;

    private static final int TICKS = 501;

    @TempDir
    private Path folder;

    static List<String> releases() throws IOException {
        try (Stream<Path> files = Files.list(RELEASES)) {
            return files.map(file -> file.getFileName().toString().replace(".zip", ""))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void shouldReadWithToolsWhatAReleaseHasWritten(final String release) throws Exception {
        unpack(release);
        final String journal = folder.resolve("journal").toString();
        for (final String[] command : List.of(
                new String[] {"log", "verify", journal},
                new String[] {"log", "index", journal},
                new String[] {"state", "verify", journal},
                new String[] {"state", "verify", journal + "/shard-0"})) {
            final Penstock.Result result = Penstock.run(command);
            assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        }
        assertThat(Penstock.run("state", "cat", journal, "--topic", "orders")
                        .out()
                        .lines())
                .containsExactlyInAnyOrderElementsOf(expected("orders.state"));
        final Path backups = folder.resolve("backups");
        if (Files.exists(backups)) {
            final String backup;
            try (Stream<Path> found = Files.list(backups)) {
                backup = found.filter(Files::isDirectory)
                        .findFirst()
                        .orElseThrow()
                        .toString();
            }
            final String restored = folder.resolve("restored").toString();
            final Penstock.Result result = Penstock.run("restore", backup, restored);
            assertThat(result.exitCode()).as(result.err()).isZero();
            assertThat(Penstock.run("state", "cat", restored, "--topic", "orders")
                            .out()
                            .lines())
                    .containsExactlyInAnyOrderElementsOf(expected("orders.state"));
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void shouldGoOnWithWhatAReleaseHasWritten(final String release) throws Exception {
        unpack(release);
        final ConfigSource source = new ConfigSource();
        source.file(folder.resolve("penstock.yaml"));
        source.value("journal.directory", folder.resolve("journal").toString(), "--set");
        source.list("listen", List.of("tcp://127.0.0.1:0"), "--listen");
        try (Broker broker = Broker.launch(source.config())) {
            final String endpoint = broker.endpoints().get(0).toString();
            try (PenstockClient client = PenstockClient.connect(endpoint)) {
                for (final String topic : List.of("orders", "given")) {
                    assertThat(client.sow(SowRequest.topic(topic)).texts())
                            .containsExactlyInAnyOrderElementsOf(expected(topic + ".state"));
                }
                for (final String topic : List.of("orders", "ticks")) {
                    final List<String> log = expected(topic + ".log");
                    final MessageStream stream =
                            client.stream(ReplayRequest.topic(topic).from(LogPlace.BEGINNING));
                    assertThat(texts(stream, log.size())).isEqualTo(log);
                    stream.close();
                }
            }
            sendWhatWaits(endpoint);
            goOnReading(endpoint);
        }
    }

    /** The message that the release could not send any more, once. */
    private void sendWhatWaits(final String endpoint) {
        final ClientConfig config = ClientConfig.builder(endpoint)
                .name("desk")
                .publishStore(PublishStore.inFile(folder.resolve("desk")))
                .build();
        try (PenstockClient client = PenstockClient.connect(config)) {
            client.publish("ticks", "{\"n\":503}");
            client.flush(LONG);
        }
    }

    private void goOnReading(final String endpoint) {
        final ClientConfig config = ClientConfig.builder(endpoint)
                .name("reader")
                .bookmarkStore(BookmarkStore.inFile(folder.resolve("reader")))
                .build();
        try (PenstockClient client = PenstockClient.connect(config)) {
            final MessageStream stream = client.stream("reader", ReplayRequest.topic("ticks"));
            final String first = texts(stream, 1).get(0);
            // What a command prints last may come again: it has ended before that was noted.
            assertThat(first).matches("\\{\"n\":(" + READ + "|" + (READ + 1) + "),.*");
            final int left = TICKS - Integer.parseInt(first.replaceFirst("\\D*(\\d+).*", "$1"));
            assertThat(texts(stream, left + 2).subList(left - 1, left + 2))
                    .containsExactly("{\"n\":501}", "{\"n\":502}", "{\"n\":503}");
            stream.close();
        }
    }

    private static List<String> texts(final MessageStream stream, final int count) {
        final List<String> texts = new ArrayList<>();
        while (texts.size() < count) {
            final Message message = stream.poll(LONG);
            if (message == null) {
                throw new AssertionError("no message " + (texts.size() + 1) + " of " + count);
            }
            texts.add(message.text());
        }
        return texts;
    }

    private List<String> expected(final String name) throws IOException {
        return Files.readAllLines(folder.resolve("expected").resolve(name));
    }

    private void unpack(final String release) throws IOException {
        try (InputStream packed = Files.newInputStream(RELEASES.resolve(release + ".zip"));
                ZipInputStream files = new ZipInputStream(packed)) {
            ZipEntry entry;
            while ((entry = files.getNextEntry()) != null) {
                final Path file = folder.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else {
                    Files.createDirectories(file.getParent());
                    Files.write(file, files.readAllBytes());
                }
            }
        }
    }
}
