package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.journal.JournalCatalog;
import io.penstock.broker.journal.LogScan;
import io.penstock.broker.journal.ShardLog;
import io.penstock.broker.journal.backup.BackupList;
import io.penstock.broker.journal.backup.CopyListener;
import io.penstock.broker.journal.backup.JournalBackup;
import io.penstock.broker.journal.backup.JournalRestore;
import io.penstock.client.Bookmark;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SowRequest;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a broker that goes on writing, of one that is stopped, and what is made of them again. */
@Timeout(120)
class BackupTest {
    private static final int FILE_LENGTH = 64 * 1024;

    /** So many publishes fill more than a file. */
    private static final int FILE_COUNT = 900;

    private static final Instant NOW = Instant.parse("2026-05-01T09:30:00Z");

    @TempDir
    Path directory;

    private int published;
    private long pieceCount;

    /** While each piece is copied, the broker fills files, takes snapshots and lets files go, some of which it uses again. */
    @Test
    void shouldCopyOneMomentWhileTheBrokerWritesAndLetsFilesGo() throws IOException {
        final JournalBackup.Result made;
        final List<String> original;
        final Map<Long, byte[]> records = new LinkedHashMap<>();
        try (TestBroker test = start(journal().withRetention(3L * FILE_LENGTH, 0))) {
            final StateClient client = new StateClient(test);
            publishFiles(test, client, 4);
            final long released = test.broker.counter("filesReleased");
            made = backup(NOW, length -> {
                if (pieceCount++ < 8) {
                    publishFiles(test, client, 1);
                } else {
                    publish(client, 50);
                }
            });
            assertThat(test.broker.counter("filesReleased")).isGreaterThan(released + 4);
            original = client.sow(SowRequest.topic("s"));
        }
        final BackupList.Shard part = made.list().shards().get(0);
        assertThat(new JournalRestoreCheck(made.path()).problem()).isEmpty();
        readInto(records, Path.of(made.path()), 1);
        assertThat(records.keySet()).contains(part.last()).allMatch(sequence -> sequence <= part.last());

        final Path restored = directory.resolve("restored");
        JournalRestore.open(made.path()).restore(restored.toString(), true, CopyListener.NONE);
        try (TestBroker test = start(JournalConfig.in(restored.toString()).withFileLength(FILE_LENGTH))) {
            final StateClient client = new StateClient(test);
            final List<String> state = client.sow(SowRequest.topic("s"));
            assertThat(state).containsExactlyInAnyOrderElementsOf(stateAsOf(records, part.last()));
            assertThat(original).doesNotContainAnyElementsOf(state);
            client.publish("s", record(1));
            client.flush();
            assertThat(test.broker.counter("lastSequence"))
                    .as("behind a gap, so that no sequence is given twice")
                    .isGreaterThan(part.last() + (1L << 40));
            final RawClient reader = test.logOn("reader");
            reader.subscribeFrom(
                    2, 7, ReplayRequest.topic("s").from(LogPlace.bookmark(Bookmark.of(0, part.last() + 20))));
            test.settle();
            assertThat(reader.deliveries).as("what comes after a lost record").hasSize(1);
        }
        assertThat(lease()).isEmpty();
    }

    @Test
    void shouldHaveTheRecordsOfTheOriginalByteForByte() throws IOException {
        final JournalBackup.Result made;
        try (TestBroker test = start(journal())) {
            final StateClient client = new StateClient(test);
            publishFiles(test, client, 3);
            made = backup(NOW, length -> publish(client, 10));
        }
        final long last = made.list().shards().get(0).last();
        final Path restored = directory.resolve("restored");
        JournalRestore.open(made.path()).restore(restored.toString(), false, CopyListener.NONE);
        final Map<Long, byte[]> expected = new LinkedHashMap<>();
        readInto(expected, log(), 1);
        assertThat(expected).hasSizeGreaterThan((int) last);
        expected.keySet().removeIf(sequence -> sequence > last);
        for (final Path copy : List.of(Path.of(made.path()), restored)) {
            final Map<Long, byte[]> actual = new LinkedHashMap<>();
            readInto(actual, copy, 1);
            assertThat(actual.keySet()).isEqualTo(expected.keySet());
            actual.forEach((sequence, record) -> assertThat(Arrays.equals(record, expected.get(sequence)))
                    .as("record %d", sequence)
                    .isTrue());
        }
    }

    @Test
    void shouldCopyOnlyWhatIsNewWhenThereIsABackupBefore() throws IOException {
        try (TestBroker test = start(journal())) {
            final StateClient client = new StateClient(test);
            publishFiles(test, client, 4);
            final JournalBackup.Result first = backup(NOW, CopyListener.NONE);
            publishFiles(test, client, 2);
            final JournalBackup.Result second = backup(NOW.plusSeconds(1), CopyListener.NONE);
            assertThat(first.copiedCount()).isEqualTo(first.list().files().size());
            final List<BackupList.Entry> same = new ArrayList<>(second.list().files());
            same.retainAll(first.list().files());
            assertThat(same).hasSizeGreaterThan(2);
            assertThat(second.copiedCount())
                    .isEqualTo(second.list().files().size() - same.size())
                    .isLessThan(second.list().files().size());
            for (final BackupList.Entry each : same) {
                final String path = "shard-0/" + each.name();
                assertThat(Files.isSameFile(Path.of(first.path(), path), Path.of(second.path(), path)))
                        .isTrue();
                assertThat(Files.isSameFile(log().resolve(path), Path.of(second.path(), path)))
                        .isFalse();
            }
            assertThat(new JournalRestoreCheck(second.path()).problem()).isEmpty();
        }
    }

    @Test
    void shouldKeepTheNewestAndWhatIsNoBackupOfThisLog() throws IOException {
        final Path backups = directory.resolve("backups");
        try (TestBroker test = start(journal())) {
            final StateClient client = new StateClient(test);
            for (int i = 0; i < 4; i++) {
                publishFiles(test, client, 2);
                backup(NOW.plusSeconds(i), CopyListener.NONE);
            }
            // Not whole, with something of somebody else, and no backups at all.
            Files.delete(firstFile(backups.resolve("20260501T093001.000Z")));
            final Path noted = backups.resolve("20260501T093002.000Z/shard-0/why.txt");
            Files.writeString(noted, "before the release");
            Files.createDirectories(backups.resolve("20200101T000000.000Z/shard-0"));
            Files.writeString(backups.resolve("20200101T000000.000Z/backup.list"), "penstock backup 1\n");
            Files.createDirectories(backups.resolve("keep-me"));
            Files.writeString(backups.resolve("notes.txt"), "");
            final JournalBackup.Result elsewhere = JournalBackup.make(
                    log().toString(), directory.resolve("elsewhere").toString(), NOW, CopyListener.NONE);
            Files.createSymbolicLink(backups.resolve("20190101T000000.000Z"), Path.of(elsewhere.path()));
            final List<String> before = folders(backups);
            publishFiles(test, client, 1);

            assertThat(backup(NOW.plusSeconds(4), 3).removed()).isEmpty();
            final JournalBackup.Result second = backup(NOW.plusSeconds(5), 2);
            assertThat(second.removed())
                    .containsExactly(
                            backups.resolve("20260501T093003.000Z").toString(),
                            backups.resolve("20260501T093000.000Z").toString());
            final List<String> after = new ArrayList<>(before);
            after.removeAll(List.of("20260501T093003.000Z", "20260501T093000.000Z"));
            after.addAll(List.of("20260501T093004.000Z", "20260501T093005.000Z"));
            assertThat(folders(backups)).containsExactlyInAnyOrderElementsOf(after);
            assertThat(noted).hasContent("before the release");
            assertThat(new JournalRestoreCheck(elsewhere.path()).problem()).isEmpty();
            // Those that stay have all that they shared with those that went.
            assertThat(new JournalRestoreCheck(second.path()).problem()).isEmpty();
            assertThat(new JournalRestoreCheck(
                                    backups.resolve("20260501T093004.000Z").toString())
                            .problem())
                    .isEmpty();
        }
    }

    @Test
    void shouldKeepTheOneThatWasMadeWhenClocksGoBack() throws IOException {
        try (TestBroker test = start(journal())) {
            publishFiles(test, new StateClient(test), 1);
            backup(NOW, CopyListener.NONE);
            final JournalBackup.Result made = backup(NOW.minusSeconds(60), 1);

            assertThat(made.removed()).hasSize(1);
            assertThat(folders(directory.resolve("backups"))).containsExactly("20260501T092900.000Z");
        }
    }

    @Test
    void shouldRemoveNothingWhenThereIsNoNewBackup() throws IOException {
        try (TestBroker test = start(journal())) {
            publishFiles(test, new StateClient(test), 1);
            backup(NOW, CopyListener.NONE);
            backup(NOW.plusSeconds(1), CopyListener.NONE);

            assertThatThrownBy(() -> backup(NOW.plusSeconds(2), 0)).hasMessageContaining("keep: 0 (use 1 or more)");
            assertThatThrownBy(() -> JournalBackup.make(
                            log().toString(),
                            directory.resolve("backups").toString(),
                            NOW.plusSeconds(3),
                            length -> {
                                throw new IllegalStateException("interrupted");
                            },
                            1))
                    .hasMessage("interrupted");
            assertThat(folders(directory.resolve("backups")))
                    .containsExactly("20260501T093000.000Z", "20260501T093001.000Z");
        }
    }

    @Test
    void shouldRemoveNothingOfAnotherLog() throws IOException {
        try (TestBroker test = start(journal())) {
            publishFiles(test, new StateClient(test), 1);
        }
        final Path backups = directory.resolve("backups");
        final Path other = directory.resolve("other");
        try (TestBroker test = new TestBroker(
                builder -> builder.journal(JournalConfig.in(other.toString()).withFileLength(FILE_LENGTH))
                        .topic(TopicConfig.keyed("s", "json", "id"))
                        .epochClock(SystemEpochNanoClock.INSTANCE))) {
            publishFiles(test, new StateClient(test), 1);
        }
        JournalBackup.make(other.toString(), backups.toString(), NOW, CopyListener.NONE);
        backup(NOW.plusSeconds(1), 1);
        backup(NOW.plusSeconds(2), 1);

        assertThat(folders(backups)).containsExactly("20260501T093000.000Z", "20260501T093002.000Z");
    }

    @Test
    void shouldLeaveNothingThatLooksLikeABackupWhenInterrupted() throws IOException {
        final Path backups = directory.resolve("backups");
        try (TestBroker test = start(journal())) {
            publishFiles(test, new StateClient(test), 3);
            for (int at = 0; at < 5; at++) {
                final int pieces = at;
                pieceCount = 0;
                assertThatThrownBy(() -> backup(NOW, length -> {
                            if (pieceCount++ == pieces) {
                                throw new IllegalStateException("interrupted");
                            }
                        }))
                        .hasMessage("interrupted");
                assertThat(folders(backups)).isEmpty();
                assertThat(lease()).isEmpty();
            }
            // As a process leaves it that is killed.
            final JournalBackup.Result made = backup(NOW, CopyListener.NONE);
            final Path unfinished = backups.resolve("20260501T093001.000Z.tmp");
            Files.move(Path.of(made.path()), unfinished);
            Files.delete(unfinished.resolve("backup.list"));
            final Path held = Files.createDirectories(log().resolve("backup-lease/shard-0"));
            Files.createLink(held.resolve("0000000000000000001.log"), firstFile(log()));
            assertThatThrownBy(() -> JournalRestore.open(unfinished.toString()))
                    .hasMessageContaining("backup.list: not there: this is no backup, or one that was not finished");

            backup(NOW, CopyListener.NONE);
            assertThat(folders(backups)).containsExactly("20260501T093000.000Z");
            assertThat(lease()).isEmpty();
        }
    }

    @Test
    void shouldFindEveryFileThatWasChanged() throws IOException {
        final JournalBackup.Result made;
        try (TestBroker test = start(journal())) {
            publishFiles(test, new StateClient(test), 3);
            made = backup(NOW, CopyListener.NONE);
        }
        final List<Path> files = new ArrayList<>(List.of(Path.of(made.path(), BackupList.NAME)));
        made.list().files().forEach(each -> files.add(Path.of(made.path(), "shard-0", each.name())));
        for (final Path file : files) {
            for (final long at : new long[] {0, Files.size(file) / 2, Files.size(file) - 1}) {
                flip(file, at);
                assertThatThrownBy(() -> JournalRestore.open(made.path()).check(CopyListener.NONE))
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith(file + ": damaged: ");
                assertThatThrownBy(() -> JournalRestore.open(made.path())
                                .restore(
                                        directory
                                                .resolve("never-" + at + file.getFileName())
                                                .toString(),
                                        true,
                                        CopyListener.NONE))
                        .hasMessageStartingWith(file + ": damaged: ");
                flip(file, at);
            }
        }
        JournalRestore.open(made.path()).check(CopyListener.NONE);
        final Path gone = files.get(1);
        Files.move(gone, directory.resolve("aside"));
        assertThatThrownBy(() -> JournalRestore.open(made.path()).check(CopyListener.NONE))
                .hasMessage(gone + ": missing (use another backup)");
    }

    /** Somebody's list, whole by its checksum: it leads nowhere but into the backup. */
    @Test
    void shouldReadNoListThatItDoesNotUnderstand() throws IOException {
        final String before = "penstock backup 1\nlog 00000000000000aa\nmade 2026-05-01T09:30:00Z\nshards 1\n";
        final String checksum = "0".repeat(64);
        final Map<String, String> lists = Map.of(
                "penstock backup 2\n",
                "of another version: penstock backup 2, this program knows 1",
                "penstock backup 1\n",
                "not a list of files",
                before + "shard 1 1 2\n",
                "a shard that the broker does not have: 1",
                before + "FULL " + checksum + " 5 shard-0/../../etc/passwd\n",
                "not the name of a file of a log",
                before + "FULL " + checksum + " 5 /etc/passwd\n",
                "not the name of a file of a log",
                before + "OTHER " + checksum + " 5 shard-0/0000000000000000001.log\n",
                "not a list of files",
                before + "FULL " + checksum + "\n",
                "not a list of files");
        for (final Map.Entry<String, String> each : lists.entrySet()) {
            final CRC32C crc = new CRC32C();
            crc.update(each.getKey().getBytes(UTF_8));
            Files.writeString(
                    directory.resolve(BackupList.NAME), each.getKey() + String.format("end %08x%n", crc.getValue()));
            assertThatThrownBy(() -> JournalRestore.open(directory.toString()))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(directory.resolve(BackupList.NAME).toString())
                    .hasMessageContaining(each.getValue());
        }
    }

    @Test
    void shouldRefuseToBackUpALogThatIsDamaged() throws IOException {
        try (TestBroker test = start(journal())) {
            publishFiles(test, new StateClient(test), 3);
        }
        final Path file = firstFile(log());
        flip(file, 5_000);
        assertThatThrownBy(() -> backup(NOW, CopyListener.NONE))
                .hasMessageContaining(file.getFileName().toString());
        assertThat(folders(directory.resolve("backups"))).isEmpty();
    }

    @Test
    void shouldNotStartWithWhatAnInterruptedRestoreHasLeft() throws IOException {
        final JournalBackup.Result made;
        try (TestBroker test = start(journal())) {
            publishFiles(test, new StateClient(test), 3);
            made = backup(NOW, CopyListener.NONE);
        }
        final String restored = directory.resolve("restored").toString();
        pieceCount = 0;
        assertThatThrownBy(() -> JournalRestore.open(made.path()).restore(restored, true, length -> {
                    if (pieceCount++ == 2) {
                        throw new IllegalStateException("interrupted");
                    }
                }))
                .hasMessage("interrupted");
        assertThatThrownBy(() -> start(JournalConfig.in(restored)).close())
                .hasMessageContaining("a restore into it has not ended (empty it, and restore again)");
        // Nor is it taken for damage.
        assertThatThrownBy(() -> start(JournalConfig.in(restored).withOnDamage(JournalConfig.OnDamage.QUARANTINE))
                        .close())
                .hasMessageContaining("a restore into it has not ended");
        assertThatThrownBy(() -> JournalRestore.open(made.path()).restore(restored, true, CopyListener.NONE))
                .hasMessageContaining("not empty");
    }

    /** Its files are those of other backups, too. */
    @Test
    void shouldNotStartInABackup() throws IOException {
        final JournalBackup.Result made;
        try (TestBroker test = start(journal())) {
            publishFiles(test, new StateClient(test), 3);
            made = backup(NOW, CopyListener.NONE);
        }
        assertThatThrownBy(() -> start(JournalConfig.in(made.path())).close())
                .hasMessageContaining("is a backup, which a broker would change");
        JournalRestore.open(made.path()).check(CopyListener.NONE);
    }

    @Test
    void shouldLeaveTheAuditWhenItIsInTheDirectoryThatIsRestoredInto() throws IOException {
        final JournalBackup.Result made;
        try (TestBroker test = start(journal())) {
            publishFiles(test, new StateClient(test), 3);
            made = backup(NOW, CopyListener.NONE);
        }
        final Path restored = directory.resolve("restored");
        final Path entry = Files.createDirectories(restored.resolve("audit")).resolve("audit-0000000001.jsonl");
        Files.writeString(entry, "{}\n");
        Files.createFile(restored.resolve("audit/penstock.lock"));
        JournalRestore.open(made.path()).restore(restored.toString(), true, CopyListener.NONE);
        start(JournalConfig.in(restored.toString())).close();
        assertThat(entry).hasContent("{}");

        final Path other = directory.resolve("other");
        Files.createDirectories(other.resolve("audit"));
        Files.createFile(other.resolve("audit/photos"));
        assertThatThrownBy(() ->
                        JournalRestore.open(made.path()).restore(other.toString(), true, CopyListener.NONE))
                .hasMessageContaining("not empty: audit");
    }

    @Test
    void shouldRefuseASecondBackupMeanwhile() throws IOException {
        try (TestBroker test = start(journal())) {
            publishFiles(test, new StateClient(test), 2);
            final List<String> refusals = new ArrayList<>();
            backup(NOW, length -> {
                for (final String to : List.of("backups", "others")) {
                    try {
                        JournalBackup.make(
                                log().toString(), directory.resolve(to).toString(), NOW, CopyListener.NONE);
                    } catch (final IOException e) {
                        refusals.add(e.getMessage());
                    }
                }
            });
            assertThat(refusals).isNotEmpty().allMatch(text -> text.contains("another backup uses it"));
        }
    }

    /** Nothing is written between the second restore and the first. */
    @Test
    void shouldRestoreABackupOfARestoredBroker() throws IOException {
        try (TestBroker test = start(journal())) {
            publishFiles(test, new StateClient(test), 2);
        }
        Path from = log();
        for (int i = 0; i < 3; i++) {
            final JournalBackup.Result made = JournalBackup.make(
                    from.toString(), directory.resolve("backups").toString(), NOW.plusSeconds(i), CopyListener.NONE);
            from = directory.resolve("restored-" + i);
            JournalRestore.open(made.path()).restore(from.toString(), true, CopyListener.NONE);
        }
        final JournalConfig restored = JournalConfig.in(from.toString()).withFileLength(FILE_LENGTH);
        for (int i = 0; i < 2; i++) {
            try (TestBroker test = start(restored)) {
                final StateClient client = new StateClient(test);
                publish(client, 1);
                assertThat(client.sow(SowRequest.topic("s"))).hasSize(50);
            }
        }
        final Map<Long, byte[]> records = new LinkedHashMap<>();
        readInto(records, from, 1);
        assertThat(records).hasSizeGreaterThan(2 * FILE_COUNT + 2);
    }

    /** That a backup is whole, as text. */
    private record JournalRestoreCheck(String path) {
        String problem() throws IOException {
            JournalRestore.open(path).check(CopyListener.NONE);
            return String.join("; ", JournalCatalog.open(path).missing());
        }
    }

    private JournalBackup.Result backup(final Instant now, final CopyListener listener) throws IOException {
        return JournalBackup.make(log().toString(), directory.resolve("backups").toString(), now, listener);
    }

    private JournalBackup.Result backup(final Instant now, final int keep) throws IOException {
        return JournalBackup.make(
                log().toString(), directory.resolve("backups").toString(), now, CopyListener.NONE, keep);
    }

    private void publishFiles(final TestBroker test, final StateClient client, final int count) {
        for (int i = 0; i < count; i++) {
            publish(client, FILE_COUNT);
            final long before = test.broker.counter("snapshots");
            test.broker.snapshot();
            test.await(() -> test.broker.counter("snapshots") > before);
            test.advance(100);
        }
    }

    private void publish(final StateClient client, final int count) {
        for (int i = 0; i < count; i++) {
            client.publish("s", record(published++));
        }
        client.flush();
    }

    private static String record(final int number) {
        return "{\"id\":" + number % 50 + ",\"number\":" + number + "}";
    }

    /** What the newest message of each key is, by the order of keys. */
    private static List<String> stateAsOf(final Map<Long, byte[]> records, final long last) {
        final Map<String, String> state = new LinkedHashMap<>();
        records.forEach((sequence, record) -> {
            final String text = new String(record, UTF_8);
            final int at = text.indexOf("{\"id\":");
            if (at >= 0 && sequence <= last) {
                final String message = text.substring(at, text.indexOf('}', at) + 1);
                state.put(message.substring(0, message.indexOf(',')), message);
            }
        });
        return new ArrayList<>(state.values());
    }

    private static void readInto(final Map<Long, byte[]> records, final Path journal, final long from)
            throws IOException {
        for (final ShardLog log : JournalCatalog.open(journal.toString()).shards()) {
            try (LogScan scan = log.scan(from)) {
                while (scan.next()) {
                    final byte[] record = new byte[RecordDescriptor.length(scan.buffer(), scan.offset())];
                    scan.buffer().getBytes(scan.offset(), record);
                    records.put(scan.sequence(), record);
                }
            }
        }
    }

    private static void flip(final Path file, final long at) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
            opened.seek(at);
            final int value = opened.read();
            opened.seek(at);
            opened.write(value ^ 1);
        }
    }

    private static Path firstFile(final Path journal) throws IOException {
        try (Stream<Path> files = Files.list(journal.resolve("shard-0"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList()
                    .get(0);
        }
    }

    private static List<String> folders(final Path in) throws IOException {
        try (Stream<Path> files = Files.list(in)) {
            return files.filter(Files::isDirectory)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    private List<String> lease() throws IOException {
        return folders(log().resolve("backup-lease"));
    }

    private Path log() {
        return directory.resolve("log");
    }

    private JournalConfig journal() {
        return JournalConfig.in(log().toString()).withFileLength(FILE_LENGTH).withSnapshots(0, 0);
    }

    private static TestBroker start(final JournalConfig journal) {
        return new TestBroker(builder -> builder.journal(journal).topic(TopicConfig.keyed("s", "json", "id")));
    }
}
