package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.journal.JournalCatalog;
import io.penstock.broker.journal.LogScan;
import io.penstock.client.AckType;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.SowRequest;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a broker in a process of its own, while programs publish to it. */
@Timeout(120)
class BackupCommandTest {
    private static final int FILE_LENGTH = 1 << 20;
    private static final int KEYS = 100;

    /** So many messages are persisted before and between backups: more than a file of the log has. */
    private static final int STEP = 5_000;

    /** Published and not acknowledged yet: the log does not grow faster than the machine of the test can read it. */
    private static final int UNDER_WAY_MAX = 64;

    private static final String TEXT = "x".repeat(200);

    @TempDir
    private Path folder;

    private final Semaphore persisted = new Semaphore(0);
    private final AtomicBoolean isOver = new AtomicBoolean();

    @Test
    void shouldRestoreWhatABrokerHadThatWasBackedUpUnderLoadAndKilled() throws Exception {
        final Path journal = folder.resolve("journal");
        final Path backups = folder.resolve("backups");
        final Path config = Files.writeString(
                folder.resolve("penstock.yaml"), """
                topics:
                  - name: orders
                    format: json
                    key: id
                sessions:
                  messageLengthMax: 64KiB
                journal:
                  directory: %s
                  fileLength: %d
                  snapshotLength: %d
                """.formatted(journal, FILE_LENGTH, 3 * FILE_LENGTH));
        final List<String> made = new ArrayList<>();
        final Penstock broker = Penstock.start("serve", config.toString(), "--listen", "tcp://127.0.0.1:0");
        try {
            final String endpoint = broker.awaitLine("listening on ").replaceFirst(".*listening on (\\S+).*", "$1");
            final Thread publisher = new Thread(() -> publish(endpoint));
            publisher.start();
            for (int i = 0; i < 2; i++) {
                assertThat(persisted.tryAcquire(STEP, Penstock.TIMEOUT_S, TimeUnit.SECONDS))
                        .isTrue();
                final Penstock.Result backup =
                        Penstock.run("backup", journal.toString(), "--to", backups.toString(), "--json");
                assertThat(backup.exitCode()).as(backup.err()).isZero();
                made.add(backup.out());
            }
            assertThat(persisted.tryAcquire(STEP / 4, Penstock.TIMEOUT_S, TimeUnit.SECONDS))
                    .isTrue();
            // Killed while it is written to.
            broker.close();
            broker.await();
            isOver.set(true);
            publisher.join();
        } finally {
            broker.close();
        }
        assertThat(number(made.get(1), "copiedFiles")).isLessThan(number(made.get(1), "files"));
        final long last = number(made.get(1), "last");
        assertThat(last).isGreaterThan(STEP);

        final List<Path> folders;
        try (Stream<Path> found = Files.list(backups)) {
            folders = found.filter(Files::isDirectory).sorted().toList();
        }
        assertThat(folders).hasSize(2);
        final String backup = folders.get(1).toString();
        assertThat(Penstock.run("restore", backup, "--check").out())
                .contains("shard 0: records 1 to " + last, "all as they were backed up");
        assertThat(Penstock.run("log", "verify", backup).exitCode()).isZero();
        assertThat(Penstock.run("state", "verify", backup).exitCode()).isZero();

        final Path restored = folder.resolve("restored");
        assertThat(Penstock.run("restore", backup, restored.toString()).exitCode())
                .isZero();
        final Penstock.Result again = Penstock.run("restore", backup, restored.toString());
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.err()).contains("not empty");
        assertThat(records(restored)).isEqualTo(upTo(records(journal), last));
        assertThat(state(restored)).isEqualTo(stateOf(upTo(records(journal), last)));
    }

    /** A limit of the length of files stands for a disk that is full: a write is refused in the middle of a file. */
    @Test
    void shouldLeaveNoBackupWhenTheDiskTakesNoMore() throws Exception {
        final Path journal = folder.resolve("journal");
        try (Broker broker = launch(journal);
                PenstockClient client =
                        PenstockClient.connect(broker.endpoints().get(0).toString())) {
            client.publish("orders", "{\"id\":1}", AckType.PERSISTED).join();
            final List<String> command = new ArrayList<>(List.of("bash", "-c", "ulimit -f 300; exec \"$@\"", "bash"));
            command.addAll(Penstock.java());
            command.addAll(List.of(
                    "-XX:-UsePerfData",
                    "-jar",
                    Penstock.jar().toString(),
                    "backup",
                    journal.toString(),
                    "--to",
                    folder.resolve("backups").toString()));
            try (Penstock full = Penstock.start(Penstock.processOf(command))) {
                final Penstock.Result result = full.await();
                assertThat(result.exitCode()).isEqualTo(1);
                assertThat(result.err())
                        .startsWith("penstock backup: " + folder.resolve("backups"))
                        .contains(".log: ", "(raise the limit of this program's file sizes");
            }
            try (Stream<Path> left = Files.list(folder.resolve("backups"))) {
                assertThat(left.filter(Files::isDirectory)).isEmpty();
            }
            client.publish("orders", "{\"id\":2}", AckType.PERSISTED).join();
        }
    }

    @Test
    void shouldSayWhatIsWrongWithWhatItIsGiven() throws Exception {
        final Path empty = Files.createDirectory(folder.resolve("empty"));
        final String to = folder.resolve("backups").toString();
        assertThat(Penstock.run("backup", folder.resolve("none").toString(), "--to", to))
                .isEqualTo(new Penstock.Result(
                        2,
                        "",
                        "penstock backup: " + folder.resolve("none")
                                + ": no such directory (give the journal.directory of a broker)"));
        assertThat(Penstock.run("backup", empty.toString(), "--to", to).err())
                .isEqualTo(
                        "penstock backup: " + empty + ": has no manifest, so that nobody knows which files belong to it"
                                + " (give the journal.directory of a broker)");
        assertThat(Penstock.run(
                                "backup",
                                empty.toString(),
                                "--to",
                                empty.resolve("b").toString())
                        .err())
                .contains("--to: in the broker's own directory");
        assertThat(Penstock.run("restore", empty.toString(), to).err())
                .contains("backup.list: not there: this is no backup, or one that was not finished");
        assertThat(Penstock.run("restore", empty.toString()).err()).contains("where to?");
        assertThat(Penstock.run("backup", empty.toString(), "--to", to, "--rate", "10/s")
                        .err())
                .contains("--rate: not a rate: 10/s (use for example 10MiB/s)");
    }

    private void publish(final String endpoint) {
        final Semaphore room = new Semaphore(UNDER_WAY_MAX);
        try (PenstockClient client = PenstockClient.connect(endpoint)) {
            for (int i = 0; !isOver.get(); i++) {
                room.acquireUninterruptibly();
                final String message = "{\"id\":" + i % KEYS + ",\"n\":" + i + ",\"text\":\"" + TEXT + "\"}";
                final CompletableFuture<?> acknowledged = client.publish("orders", message, AckType.PERSISTED)
                        .whenComplete((done, failure) -> {
                            room.release();
                            if (failure == null) {
                                persisted.release();
                            }
                        });
                assertThat(acknowledged).isNotNull();
            }
        } catch (final PenstockException e) {
            // The broker was killed.
            assertThat(e).isNotNull();
        }
    }

    private static long number(final String json, final String field) {
        return Long.parseLong(json.replaceFirst("(?s).*\"" + field + "\":([0-9]+).*", "$1"));
    }

    /** All records by their sequences, each byte as a character. */
    private static NavigableMap<Long, String> records(final Path journal) throws IOException {
        final NavigableMap<Long, String> records = new TreeMap<>();
        try (LogScan scan =
                JournalCatalog.open(journal.toString()).shards().get(0).scan()) {
            while (scan.next()) {
                final byte[] record = new byte[RecordDescriptor.length(scan.buffer(), scan.offset())];
                scan.buffer().getBytes(scan.offset(), record);
                records.put(scan.sequence(), new String(record, StandardCharsets.ISO_8859_1));
            }
        }
        return records;
    }

    private static Map<Long, String> upTo(final NavigableMap<Long, String> records, final long last) {
        return records.headMap(last, true);
    }

    private static Map<String, String> stateOf(final Map<Long, String> records) {
        final Map<String, String> state = new HashMap<>();
        for (final String text : records.values()) {
            final int at = text.indexOf("{\"id\":");
            if (at >= 0) {
                put(state, text.substring(at));
            }
        }
        return state;
    }

    private static Map<String, String> state(final Path journal) {
        final Map<String, String> state = new HashMap<>();
        try (Broker broker = launch(journal);
                PenstockClient client =
                        PenstockClient.connect(broker.endpoints().get(0).toString())) {
            client.sow(SowRequest.topic("orders")).messages().forEach(message -> put(state, message.text()));
        }
        return state;
    }

    private static void put(final Map<String, String> state, final String message) {
        state.put(message.substring(0, message.indexOf(',')), message);
    }

    private static Broker launch(final Path journal) {
        return Broker.launch(BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .topic(TopicConfig.keyed("orders", "json", "id"))
                .journal(JournalConfig.in(journal.toString()).withFileLength(32 * FILE_LENGTH))
                .build());
    }
}
