package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of a broker's directory that are not there at a start: it is named, whichever it is. */
@Timeout(60)
class MissingFileTest {
    private static final int FILE_LENGTH = 64 * 1024;
    private static final int COUNT = 1_500;

    /** No two starts are at the same time. */
    private long epochNs = TimeUnit.HOURS.toNanos(1);

    @TempDir
    Path directory;

    private final Recoveries recoveries = new Recoveries();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNameAnyFileOfTheLogThatIsMissing(final boolean hasSnapshot) throws IOException {
        publish(COUNT, hasSnapshot);
        final List<Path> files = logFiles();
        assertThat(files).hasSizeGreaterThan(3);
        for (final Path file : files) {
            final Path moved = directory.resolve("moved");
            Files.move(file, moved);
            assertThatThrownBy(() -> start(JournalConfig.OnDamage.REFUSE))
                    .as("without %s", file)
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("restore");
            Files.move(moved, file);
        }
        assertThat(replayed()).hasSize(COUNT);
    }

    @Test
    void shouldNameTheFirstOfSeveralThatAreMissingAtTheEnd() throws IOException {
        publish(COUNT, false);
        final List<Path> files = logFiles();
        Files.delete(files.get(files.size() - 1));
        Files.delete(files.get(files.size() - 2));

        assertThatThrownBy(() -> start(JournalConfig.OnDamage.REFUSE))
                .hasMessageContaining(files.get(files.size() - 2).toString());
    }

    @Test
    void shouldNameALogOfWhichNoFileIsThere() throws IOException {
        publish(10, false);
        final List<Path> files = logFiles();
        assertThat(files).hasSize(1);
        final Path folder = directory.resolve("shard-0");
        Files.move(folder, directory.resolve("moved"));

        assertThatThrownBy(() -> start(JournalConfig.OnDamage.REFUSE))
                .hasMessageContaining(files.get(0).toString());

        final long last;
        try (TestBroker test = start(JournalConfig.OnDamage.QUARANTINE)) {
            assertThat(recoveries.damage).singleElement().asString().contains("no file of the log is there");
            test.takeErrors();
            last = test.broker.counter("lastSequence");
        }
        assertThat(last).as("no sequence is given again").isGreaterThan(1L << 32);
        start(JournalConfig.OnDamage.REFUSE).close();
    }

    @Test
    void shouldNotLeaveOutAShard() {
        start(2, JournalConfig.OnDamage.REFUSE).close();

        assertThatThrownBy(() -> start(1, JournalConfig.OnDamage.REFUSE))
                .hasMessageContaining(directory.resolve("shard-1").toString())
                .hasMessageContaining("use shardCount 2");

        start(3, JournalConfig.OnDamage.REFUSE).close();
        start(1, JournalConfig.OnDamage.QUARANTINE).takeErrors();
        assertThat(recoveries.damage).hasSize(2);
    }

    @Test
    void shouldNotTakeFilesOfAnotherLogForItsOwn() throws IOException {
        publish(10, false);
        final Path own = logFiles().get(0);
        final Path other = directory.resolve("other");
        try (TestBroker test = new TestBroker(
                builder -> builder.journal(JournalConfig.in(other.toString()).withFileLength(FILE_LENGTH))
                        .epochClock(() -> 7))) {
            test.settle();
        }
        Files.copy(
                other.resolve("shard-0").resolve(String.valueOf(own.getFileName())),
                own,
                StandardCopyOption.REPLACE_EXISTING);

        assertThatThrownBy(() -> start(JournalConfig.OnDamage.REFUSE))
                .hasMessageContaining(own.toString())
                .hasMessageContaining("another broker's log");
    }

    @Test
    void shouldStartWithEitherHalfOfTheManifest() throws IOException {
        publish(COUNT, false);
        for (final String name : List.of("manifest.0", "manifest.1")) {
            Files.delete(directory.resolve(name));
            assertThat(replayed()).hasSize(COUNT);
            Files.write(directory.resolve(name), new byte[7]);
            assertThat(replayed()).hasSize(COUNT);
            assertThat(directory.resolve("manifest.0")).hasSameBinaryContentAs(directory.resolve("manifest.1"));
        }
    }

    @Test
    void shouldNotStartWithoutAManifestButByTheOperatorsWord() throws IOException {
        publish(COUNT, false);
        Files.delete(directory.resolve("manifest.0"));
        Files.write(directory.resolve("manifest.1"), new byte[0]);

        assertThatThrownBy(() -> start(JournalConfig.OnDamage.REFUSE))
                .hasMessageContaining(directory.resolve("manifest.0") + ": missing")
                .hasMessageContaining(directory.resolve("manifest.1") + ": cut off")
                .hasMessageContaining("quarantine");

        try (TestBroker test = start(JournalConfig.OnDamage.QUARANTINE)) {
            test.takeErrors();
            assertThat(recoveries.damage).hasSize(1);
        }
        assertThat(replayed()).hasSize(COUNT);
    }

    /** What the snapshot does not need is not read at a start; that it is missing is said all the same. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldGoOnWithoutAnOldFileByTheOperatorsWord(final int index) throws IOException {
        publish(COUNT, true);
        final List<Path> files = logFiles();
        Files.delete(files.get(index));
        try (TestBroker test = start(JournalConfig.OnDamage.QUARANTINE)) {
            test.takeErrors();
            assertThat(recoveries.damage)
                    .singleElement()
                    .asString()
                    .contains(files.get(index).toString());
        }
        final List<Integer> left = replayed();
        assertThat(left).doesNotHaveDuplicates().isSorted().contains(COUNT - 1);
        assertThat(left.size()).isBetween(COUNT / 2, COUNT - 100);
        if (index > 0) {
            assertThat(left).startsWith(0);
        }
    }

    @Test
    void shouldGoOnWithoutTheNewestFileByTheOperatorsWord() throws IOException {
        publish(COUNT, false);
        final List<Path> files = logFiles();
        Files.delete(files.get(files.size() - 1));
        try (TestBroker test = start(JournalConfig.OnDamage.QUARANTINE)) {
            test.takeErrors();
            assertThat(recoveries.damage)
                    .singleElement()
                    .asString()
                    .contains(files.get(files.size() - 1).toString());
        }
        assertThat(replayed()).hasSizeBetween(COUNT / 2, COUNT - 1);
    }

    private void publish(final int count, final boolean withSnapshot) {
        try (TestBroker test = start(JournalConfig.OnDamage.REFUSE)) {
            final RawClient publisher = test.logOn("publisher");
            for (int i = 0; i < count; i++) {
                test.publish(publisher, "t", "{\"n\":" + i + ",\"pad\":\"" + "x".repeat(80) + "\"}");
                if (withSnapshot && i == count - 2) {
                    test.flush(publisher);
                    test.settle();
                    test.broker.snapshot();
                    test.await(() -> test.broker.counter("snapshots") > 0);
                }
            }
            test.flush(publisher);
            test.settle();
        }
    }

    private List<Integer> replayed() {
        try (TestBroker test = start(JournalConfig.OnDamage.REFUSE)) {
            final RawClient client = test.logOn("reader");
            client.subscribeFrom(2, 7, ReplayRequest.topic("t").from(LogPlace.BEGINNING));
            test.settle();
            assertThat(client.errors).isEmpty();
            return client.deliveries.stream()
                    .map(delivery -> new String(delivery.payload(), UTF_8))
                    .map(text -> Integer.valueOf(text.substring(5, text.indexOf(','))))
                    .toList();
        }
    }

    private List<Path> logFiles() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("shard-0"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
        }
    }

    private TestBroker start(final JournalConfig.OnDamage onDamage) {
        return start(1, onDamage);
    }

    private TestBroker start(final int shardCount, final JournalConfig.OnDamage onDamage) {
        recoveries.damage.clear();
        return new TestBroker(
                "inproc",
                builder -> builder.shardCount(shardCount)
                        .epochClock(() -> epochNs++)
                        .journal(JournalConfig.in(directory.toString())
                                .withFileLength(FILE_LENGTH)
                                .withOnDamage(onDamage))
                        .topic(new TopicConfig("t", false, "json", 0)),
                recoveries);
    }
}
