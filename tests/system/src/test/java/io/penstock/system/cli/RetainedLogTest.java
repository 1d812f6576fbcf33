package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.SessionConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.WindowConfig;
import io.penstock.broker.journal.JournalCatalog;
import io.penstock.broker.journal.ShardLog;
import io.penstock.broker.journal.snapshot.SnapshotEntry;
import io.penstock.broker.journal.snapshot.SnapshotReader;
import io.penstock.broker.journal.snapshot.SnapshotWriter;
import io.penstock.broker.storage.DiskStorage;
import io.penstock.client.AckType;
import io.penstock.client.PenstockClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tools on the log of a broker that runs and whose retention has removed the beginning, and on what it left. */
@Timeout(240)
class RetainedLogTest {
    private static final int ROUNDS = 3;
    private static final int KEYS = 10;
    private static final int ATTEMPT_COUNT = 10;

    @TempDir
    private static Path folder;

    @TempDir
    private Path copies;

    private static Broker broker;
    private static String log;

    @BeforeAll
    static void publish() {
        log = folder.resolve("log").toString();
        broker = launch(log);
        try (PenstockClient client = PenstockClient.connect(endpoint(broker))) {
            client.publish("early", "{\"n\":0}", AckType.PERSISTED).join();
            for (int round = 1; round <= ROUNDS; round++) {
                for (int i = 0; i < 3 * KEYS; i++) {
                    client.publish("orders", order(i % KEYS, round), AckType.PERSISTED)
                            .join();
                }
                final long before = broker.counter("snapshots");
                broker.snapshot();
                await(client, "snapshots", before + 1);
            }
            client.publish("early", "{\"n\":1}", AckType.PERSISTED).join();
            client.publish("orders", "{\"id\":7,\"round\":9}", AckType.PERSISTED)
                    .join();
            await(client, "filesReleased", 2);
        }
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void shouldNameTopicsWhoseRecordsAreGone() throws Exception {
        final Penstock.Result verify = Penstock.run("log", "verify", log);
        assertThat(verify.exitCode()).as(verify.out() + verify.err()).isZero();
        assertThat(verify.out())
                .containsPattern("shard 0: [0-9]+ records, [0-9]{2,}")
                .contains("good snapshots at ");
        assertThat(Penstock.run("log", "verify", log, "--json").out()).contains("\"snapshots\":2}");

        assertThat(Penstock.run("log", "cat", log, "--topic", "early").out())
                .hasLineCount(1)
                .endsWith("\tmessage\tearly\t{\"n\":1}");
        final Penstock.Result grep = Penstock.run("log", "grep", log, "id = 7 AND round = 9");
        assertThat(grep.out()).hasLineCount(1).endsWith("\tmessage\torders\t{\"id\":7,\"round\":9}");
        assertThat(grep.err()).startsWith("found 1 of ");
    }

    @Test
    void shouldPublishAgainWhatIsLeft() throws Exception {
        try (Broker other = launch(folder.resolve("other").toString())) {
            final Penstock.Result replay = Penstock.run("replay", log, "--to", endpoint(other));
            assertThat(replay.exitCode()).as(replay.err()).isZero();
            assertThat(Penstock.run("sow", "orders", "round = 9", "-b", endpoint(other))
                            .out())
                    .isEqualTo("{\"id\":7,\"round\":9}");
        }
    }

    @Test
    void shouldMakeTheStateOfASnapshotAndTheLog() throws Exception {
        assertThat(Penstock.run("state", "ls", log, "--json").out())
                .contains("\"topic\":\"orders\",\"key\":\"id\",\"records\":10,");
        assertThat(sorted(Penstock.run("state", "cat", log)))
                .isEqualTo(sorted(Penstock.run("sow", "orders", "-b", endpoint(broker))));
        final Penstock.Result verify = Penstock.run("state", "verify", log);
        assertThat(verify.exitCode()).as(verify.out() + verify.err()).isZero();
        assertThat(verify.out().lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .matches("shard 0: snapshot at [0-9]+: good; not compared: the beginning of the log is"
                                        + " gone"),
                        line -> assertThat(line).matches("shard 0: snapshot at [0-9]+: good, and what the log makes"),
                        line -> assertThat(line).matches("shard 0: 1 topics with state, 10 records, as of [0-9]+"));
    }

    @Test
    void shouldNameADamagedSnapshotAndUseTheOneBefore() throws Exception {
        final Path copy = copy();
        final List<Path> snapshots = files(copy, ".snap");
        damage(snapshots.get(1));

        final Penstock.Result cat = Penstock.run("state", "cat", copy.toString());
        assertThat(cat.exitCode()).isZero();
        assertThat(sorted(cat)).isEqualTo(sorted(Penstock.run("state", "cat", log)));
        final String named = "snapshot: corrupt: " + snapshots.get(1) + ": at byte 0: ";
        assertThat(cat.err()).startsWith("penstock state cat: " + named).contains("an older one is used");
        assertThat(Penstock.run("log", "cat", copy.toString(), "--topic", "early"))
                .satisfies(result -> {
                    assertThat(result.exitCode()).isZero();
                    assertThat(result.out()).hasLineCount(1);
                    assertThat(result.err()).startsWith("penstock log cat: " + named);
                });
        for (final String[] command : List.of(new String[] {"log", "verify"}, new String[] {"state", "verify"})) {
            final Penstock.Result verify = Penstock.run(command[0], command[1], copy.toString());
            assertThat(verify.exitCode()).isEqualTo(1);
            assertThat(verify.out()).contains("shard 0: " + named).doesNotContain("usable");
        }

        damage(snapshots.get(0));
        for (final String[] command : List.of(new String[] {"log", "verify"}, new String[] {"state", "verify"})) {
            final Penstock.Result verify = Penstock.run(command[0], command[1], copy.toString());
            assertThat(verify.exitCode()).isEqualTo(1);
            assertThat(verify.out()).contains("and no snapshot of the state up to there is usable");
        }
        final Penstock.Result list = Penstock.run("state", "ls", copy.toString());
        assertThat(list.exitCode()).isEqualTo(1);
        assertThat(list.err()).contains("and no snapshot of the state up to there is usable");
        assertThat(Penstock.run("log", "cat", copy.toString()).out()).contains("\tmessage\t#");
        assertThat(Penstock.run("replay", copy.toString(), "-b", endpoint(broker))
                        .err())
                .contains("neither its log nor a snapshot names topic ");
    }

    @Test
    void shouldNameTheRecordsInWhichASnapshotDiffers() throws Exception {
        final Path copy = copy();
        final ShardLog shard = JournalCatalog.open(copy.toString()).shards().get(0);
        falsify(shard, shard.snapshots().get(0));

        final Penstock.Result verify = Penstock.run("state", "verify", copy.toString());

        assertThat(verify.exitCode()).isEqualTo(1);
        assertThat(verify.out())
                .contains("differs from what the log makes in 2 places:")
                .containsPattern(
                        "  topic orders, key 0: the snapshot has it of record 1, the log makes it by record [0-9]+")
                .containsPattern("  topic orders, key 1: its message is not that of record [0-9]+");
        assertThat(Penstock.run("log", "verify", copy.toString()).exitCode())
                .as("it is whole")
                .isZero();
    }

    @Test
    void shouldCheckIndexesAndMakeThemRightWhenNoBrokerUsesThem() throws Exception {
        final Penstock.Result live = Penstock.run("log", "index", log);
        assertThat(live.exitCode()).as(live.out() + live.err()).isZero();
        assertThat(live.out().lines()).isNotEmpty().allMatch(line -> line.endsWith(" entries, ok"));
        final Penstock.Result refused = Penstock.run("log", "index", log, "--rebuild");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err())
                .isEqualTo("penstock log index: " + log
                        + " is in use by another broker (stop it, or use another directory)");

        final Path copy = copy();
        final Path index = files(copy, ".idx").get(0);
        final byte[] bytes = Files.readAllBytes(index);
        damage(index);
        final Penstock.Result damaged = Penstock.run("log", "index", copy.toString());
        assertThat(damaged.exitCode()).isEqualTo(1);
        assertThat(damaged.out()).contains("journal: index: corrupt: " + index + ": its checksum is wrong");
        Files.delete(index);
        assertThat(Penstock.run("log", "index", copy.toString(), "--json").out())
                .contains("\"state\":\"missing\"}");
        assertThat(Penstock.run("log", "index", copy.resolve("shard-0").toString(), "--rebuild")
                        .err())
                .contains("is the directory of one shard", "(give the journal.directory)");
        final Penstock.Result mended = Penstock.run("log", "index", copy.toString(), "--rebuild");
        assertThat(mended.exitCode()).isZero();
        assertThat(mended.out()).contains(" entries, mended; was: missing");
        assertThat(Files.readAllBytes(index)).isEqualTo(bytes);
        assertThat(Penstock.run("log", "index", copy.toString()).exitCode()).isZero();
    }

    /** Writes a snapshot that is whole, and is not what the log makes. */
    private static void falsify(final ShardLog shard, final long sequence) throws IOException {
        final DiskStorage aside = DiskStorage.open(shard.path() + "-aside");
        final SnapshotWriter to = new SnapshotWriter(aside, shard.shard(), 0, sequence, 1, 1);
        int records = 0;
        try (SnapshotReader from = shard.snapshot(sequence)) {
            while (from.next()) {
                final int at = to.claim(from.type(), from.length());
                to.buffer().putBytes(at, from.buffer(), from.offset(), from.length());
                if (from.type() == SnapshotEntry.TYPE_RECORD) {
                    if (records == 0) {
                        to.buffer().putLong(at, 1);
                    } else if (records == 1) {
                        to.buffer().putByte(at + from.length() - 3, (byte) '!');
                    }
                    records++;
                }
            }
        }
        to.finish();
        to.publish();
        final Path present = Path.of(shard.snapshotPath(sequence));
        Files.move(
                Path.of(aside.path(String.valueOf(present.getFileName()))),
                present,
                StandardCopyOption.REPLACE_EXISTING);
        Files.delete(Path.of(aside.path("")));
    }

    private static void damage(final Path file) throws IOException {
        final byte[] bytes = Files.readAllBytes(file);
        bytes[40] ^= 1;
        Files.write(file, bytes);
    }

    /** Of a log to which nothing is written meanwhile; its broker may still remove files of it, then it is copied anew. */
    private Path copy() throws IOException {
        for (int attempt = 0; ; attempt++) {
            try {
                return copyTo(copies.resolve("copy-" + attempt));
            } catch (final NoSuchFileException | UncheckedIOException removed) {
                assertThat(attempt).as(removed.toString()).isLessThan(ATTEMPT_COUNT);
            }
        }
    }

    private Path copyTo(final Path copy) throws IOException {
        final List<Path> files;
        try (Stream<Path> walk = Files.walk(Path.of(log))) {
            files = walk.filter(file -> !file.toString().endsWith(".tmp")).toList();
        }
        for (final Path file : files) {
            Files.copy(file, copy.resolve(Path.of(log).relativize(file)));
        }
        return copy;
    }

    private static List<Path> files(final Path directory, final String suffix) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("shard-0"))) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> sorted(final Penstock.Result result) {
        return result.out().lines().sorted().toList();
    }

    private static String order(final int id, final int round) {
        return "{\"id\":" + id + ",\"round\":" + round + ",\"x\":\"" + "x".repeat(9_000) + "\"}";
    }

    private static void await(final PenstockClient client, final String counter, final long value) {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (broker.counter(counter) < value) {
            assertThat(System.nanoTime()).as(counter).isLessThan(deadlineNs);
            client.flush();
        }
    }

    private static Broker launch(final String directory) {
        return Broker.launch(BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .window(new WindowConfig(64 * 1024, 4))
                .sessions(new SessionConfig(64, 64, 16 * 1024, 64, 64, 1024, 64, 1 << 24, 1_000_000, 1_000_000))
                .journal(JournalConfig.in(directory).withFileLength(64 * 1024).withRetention(1, 0))
                .topic(TopicConfig.keyed("orders", "json", "id"))
                .build());
    }

    private static String endpoint(final Broker of) {
        return of.endpoints().get(0).toString();
    }
}
