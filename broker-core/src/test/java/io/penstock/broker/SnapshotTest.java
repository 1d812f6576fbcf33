package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.journal.RecoveryListener;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Brokers that write their state to files, and start from them. */
@Timeout(120)
class SnapshotTest {
    private static final int FILE_LENGTH = 64 * 1024;
    private static final int ACK_PERSISTED = 4;

    @TempDir
    Path directory;

    @Test
    void shouldStartFromTheSnapshotAndTheLogAfterIt() throws IOException {
        try (TestBroker test = start(UnaryOperator.identity())) {
            final StateClient client = new StateClient(test);
            for (int i = 0; i < 100; i++) {
                client.publish("s", record(i, 1));
            }
            client.delete("s", "id = 7");
            client.publish("p", "a key", "{\"x\":1}", false, 1_000);
            client.flush();
            takeSnapshot(test);
            client.publish("s", record(3, 2));
            client.delete("s", "id = 8");
            client.flush();
        }
        final Recoveries found = new Recoveries();
        try (TestBroker test = start(UnaryOperator.identity(), found)) {
            final StateClient client = new StateClient(test);
            final List<String> records = client.sow(SowRequest.topic("s"));
            assertThat(records).hasSize(98).contains(record(3, 2), record(9, 1));
            assertThat(client.sow(SowRequest.topic("p"))).containsExactly("{\"x\":1}");
            assertThat(found.recovered.get(0).snapshotRecordCount()).isEqualTo(100);
            assertThat(found.recovered.get(0).recordCount()).isEqualTo(2);
            test.advance(1_100);
            assertThat(client.sow(SowRequest.topic("p"))).isEmpty();
        }
    }

    /** Every cycle that writes a piece of the file is followed by publishes, so that much changes meanwhile. */
    @Test
    void shouldWriteOneMomentWhilePublishingGoesOn() throws IOException {
        final int count = 6_000;
        final List<String> atSnapshot;
        try (TestBroker test = start(UnaryOperator.identity())) {
            final StateClient client = new StateClient(test);
            for (int i = 0; i < count; i++) {
                client.publish("s", record(i, 0));
            }
            client.flush();
            test.broker.snapshot();
            int published = 0;
            while (test.broker.counter("snapshots") == 0) {
                client.publish("s", record(count - 1 - published % count, 1));
                if (published % 3 == 0) {
                    client.publish("s", record(count + published, 1));
                }
                test.cycle();
                published++;
            }
            client.flush();
            assertThat(published).isGreaterThan(5);
            atSnapshot = client.sow(SowRequest.topic("s"));
        }
        final Recoveries found = new Recoveries();
        try (TestBroker test = start(UnaryOperator.identity(), found)) {
            final StateClient client = new StateClient(test);
            assertThat(client.sow(SowRequest.topic("s"))).containsExactlyInAnyOrderElementsOf(atSnapshot);
            assertThat(found.recovered.get(0).snapshotRecordCount()).isBetween((long) count, count + 3L);
        }
    }

    @Test
    void shouldRememberPublishersOfASnapshot() throws IOException {
        try (TestBroker test = start(UnaryOperator.identity())) {
            final RawClient client = test.logOn("publisher");
            client.publish(10, 1, ACK_PERSISTED, "t", "{}".getBytes(UTF_8));
            client.publish(11, 2, ACK_PERSISTED, "t", "{}".getBytes(UTF_8));
            test.awaitAck(client, 11);
            takeSnapshot(test);
        }
        final Recoveries found = new Recoveries();
        try (TestBroker test = start(UnaryOperator.identity(), found)) {
            assertThat(found.recovered.get(0).recordCount()).isZero();
            final RawClient client = test.logOn("publisher");
            client.publish(10, 2, ACK_PERSISTED, "t", "{}".getBytes(UTF_8));
            client.publish(11, 3, ACK_PERSISTED, "t", "{}".getBytes(UTF_8));
            test.awaitAck(client, 11);
            assertThat(test.broker.counter("duplicates")).isEqualTo(1);
        }
    }

    @Test
    void shouldTakeOneByItselfAfterSoManyBytes() throws IOException {
        try (TestBroker test = start(builder -> builder.journal(journal().withSnapshots(100_000, 0)))) {
            final StateClient client = new StateClient(test);
            for (int i = 0; i < 5; i++) {
                publishFiles(client, 1);
                test.settle();
            }
            assertThat(test.broker.counter("snapshots")).isBetween(2L, 4L);
        }
        assertThat(snapshots()).hasSize(2);
    }

    @Test
    void shouldTakeOneByItselfAfterSomeTimeIfSomethingHasChanged() throws IOException {
        try (TestBroker test = start(builder -> builder.journal(journal().withSnapshots(0, 1_000)))) {
            final StateClient client = new StateClient(test);
            test.advance(1_500);
            assertThat(test.broker.counter("snapshots")).isEqualTo(1);
            test.advance(1_500);
            assertThat(test.broker.counter("snapshots")).isEqualTo(1);
            client.publish("s", record(1, 1));
            client.flush();
            test.advance(1_500);
            assertThat(test.broker.counter("snapshots")).isEqualTo(2);
        }
    }

    @Test
    void shouldUseTheOlderSnapshotWhenTheNewestIsDamaged() throws IOException {
        twoSnapshots();
        flip(snapshots().get(1), 100);
        final Recoveries found = new Recoveries();
        try (TestBroker test = start(UnaryOperator.identity(), found)) {
            assertThat(test.takeErrors().toString())
                    .contains("snapshot: corrupt")
                    .contains(".damaged");
            assertThat(found.damage).hasSize(1);
            assertThat(found.recovered.get(0).snapshotRecordCount()).isEqualTo(10);
            assertThat(new StateClient(test).sow(SowRequest.topic("s"))).hasSize(30);
        }
    }

    @Test
    void shouldUseTheWholeLogWhenNoSnapshotIsGood() throws IOException {
        twoSnapshots();
        flip(snapshots().get(0), 100);
        flip(snapshots().get(1), 100);
        final Recoveries found = new Recoveries();
        try (TestBroker test = start(UnaryOperator.identity(), found)) {
            assertThat(test.takeErrors()).isNotEmpty();
            assertThat(found.damage).hasSize(2);
            assertThat(found.recovered.get(0).snapshotSequence()).isZero();
            assertThat(new StateClient(test).sow(SowRequest.topic("s"))).hasSize(30);
        }
    }

    @Test
    void shouldRefuseADamagedSnapshotWhenConfiguredSo() throws IOException {
        twoSnapshots();
        flip(snapshots().get(1), 100);
        assertThatThrownBy(() -> start(builder ->
                        builder.journal(journal().withOnSnapshotDamage(JournalConfig.OnSnapshotDamage.REFUSE))))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(snapshots().get(1).toString());
    }

    @Test
    void shouldRefuseToStartWhenTheSnapshotIsAheadOfTheLog() throws IOException {
        twoSnapshots();
        for (final Path file : files(".log")) {
            Files.delete(file);
        }
        assertThatThrownBy(() -> start(UnaryOperator.identity()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("no file of the log is there");
    }

    @Test
    void shouldKeepTheFilesThatAStartNeedsAndNoMore() throws IOException {
        final JournalConfig bounded = journal().withRetention(1, 0);
        try (TestBroker test = start(builder -> builder.journal(bounded))) {
            final StateClient client = new StateClient(test);
            publishFiles(client, 4);
            assertThat(files(".log").size()).isGreaterThan(3);
            final int before = files(".log").size();
            takeSnapshot(test);
            test.advance(1_200);
            // One alone is not enough to do without the beginning.
            assertThat(files(".log")).hasSize(before);
            publishFiles(client, 2);
            final long first = test.broker.counter("snapshotSequence");
            takeSnapshot(test);
            test.advance(1_200);
            assertThat(firstSequence(files(".log").get(0))).isLessThanOrEqualTo(first + 1);
            assertThat(firstSequence(files(".log").get(1))).isGreaterThan(first + 1);
            publishFiles(client, 1);
            client.flush();
        }
        for (int run = 0; run < 2; run++) {
            try (TestBroker test = start(builder -> builder.journal(bounded))) {
                final StateClient client = new StateClient(test);
                assertThat(client.sow(SowRequest.topic("s"))).hasSize(10);
            }
        }
        flip(snapshots().get(1), 30);
        try (TestBroker test = start(builder -> builder.journal(bounded))) {
            assertThat(test.takeErrors()).hasSize(1);
            assertThat(new StateClient(test).sow(SowRequest.topic("s"))).hasSize(10);
        }
    }

    @Test
    void shouldRefuseToStartWithoutTheBeginningAndWithoutASnapshot() throws IOException {
        try (TestBroker test = start(builder -> builder.journal(journal().withRetention(1, 0)))) {
            final StateClient client = new StateClient(test);
            for (int i = 0; i < 3; i++) {
                publishFiles(client, 2);
                takeSnapshot(test);
            }
            test.advance(1_200);
            assertThat(test.broker.counter("filesReleased")).isPositive();
        }
        for (final Path snapshot : snapshots()) {
            flip(snapshot, 40);
        }
        assertThatThrownBy(() -> start(UnaryOperator.identity())).hasMessageContaining("no snapshot of the state");
    }

    @Test
    void shouldKeepFilesForTheirTimeAndMoveThemIntoTheArchive() throws IOException {
        final Path archive = directory.resolve("archive");
        final JournalConfig bounded = journal().withRetention(0, 60_000).withArchive(archive.toString());
        try (TestBroker test = start(builder -> builder.journal(bounded))) {
            final StateClient client = new StateClient(test);
            publishFiles(client, 3);
            takeSnapshot(test);
            publishFiles(client, 1);
            takeSnapshot(test);
            test.advance(2_000);
            assertThat(test.broker.counter("filesReleased")).isZero();
            test.advance(60_000);
            assertThat(test.broker.counter("filesReleased")).isGreaterThan(1);
        }
        try (Stream<Path> moved = Files.list(archive.resolve("shard-0"))) {
            assertThat(moved.filter(file -> file.toString().endsWith(".log")).count())
                    .isGreaterThan(1);
        }
    }

    @Test
    void shouldSendTheStateAgainWhenRetentionHasOvertakenASubscriber() throws IOException {
        try (TestBroker test = start(builder -> builder.journal(journal().withRetention(1, 0)))) {
            final StateClient client = new StateClient(test);
            final StateClient slow = new StateClient(test);
            slow.subscribe(1, SubscribeRequest.topic("s").sow());
            slow.paused = true;
            for (int i = 0; i < 3; i++) {
                publishFiles(client, 20);
                takeSnapshot(test);
            }
            test.advance(1_200);
            assertThat(test.broker.counter("filesReleased")).isGreaterThan(20);
            slow.paused = false;
            slow.take();

            assertThat(slow.errors).isEmpty();
            assertThat(test.broker.counter("resyncs")).isEqualTo(1);
            assertThat(slow.groups).hasSize(4).last().asString().isEqualTo("end 1 10/10/10");
            client.publish("s", record(3, 2));
            client.flush();
            assertThat(slow.take()).containsExactly("1 MESSAGE " + record(3, 2));
        }
    }

    @Test
    void shouldUseAFileAgainThatNobodyReads() throws IOException {
        final JournalConfig bounded = journal().withRetention(4 * FILE_LENGTH, 0);
        for (int run = 0; run < 3; run++) {
            try (TestBroker test = start(builder -> builder.journal(bounded))) {
                final StateClient client = new StateClient(test);
                for (int i = 0; i < 6; i++) {
                    publishFiles(client, 1);
                    takeSnapshot(test);
                }
                client.flush();
                assertThat(client.sow(SowRequest.topic("s"))).hasSize(7);
            }
        }
        boolean isRecycled = false;
        for (final Path file : files(".log")) {
            isRecycled |= Files.readAllBytes(file)[44] == 1;
        }
        assertThat(isRecycled).isTrue();
    }

    @Test
    void shouldPutADamagedLogAsideAndSayWhatIsLost() throws IOException {
        final JournalConfig quarantining = journal().withOnDamage(JournalConfig.OnDamage.QUARANTINE);
        final long last;
        try (TestBroker test = start(UnaryOperator.identity())) {
            final StateClient client = new StateClient(test);
            publishFiles(client, 3);
            client.flush();
            last = test.broker.counter("lastSequence");
        }
        final Path damaged = files(".log").get(1);
        final long first = firstSequence(damaged);
        flip(damaged, 4096 + 48);
        final Recoveries found = new Recoveries();
        try (TestBroker test = start(builder -> builder.journal(quarantining), found)) {
            assertThat(test.takeErrors()).hasSize(1);
            assertThat(found.damage.get(0))
                    .contains(damaged.toString())
                    .contains("quarantine-1")
                    .contains("records " + first + " to " + last);
            assertThat(test.broker.counter("lastSequence")).isGreaterThan(last);
            final StateClient client = new StateClient(test);
            client.publish("s", record(1_000, 1));
            client.flush();
        }
        try (Stream<Path> aside = Files.list(directory.resolve("shard-0/quarantine-1"))) {
            assertThat(aside).hasSizeGreaterThan(1);
        }
        try (TestBroker test = start(UnaryOperator.identity())) {
            assertThat(new StateClient(test).sow(SowRequest.topic("s"))).contains(record(1_000, 1));
        }
    }

    @Test
    void shouldKeepTheGoodRecordsOfADamagedFile() throws IOException {
        final JournalConfig quarantining = journal().withOnDamage(JournalConfig.OnDamage.QUARANTINE);
        try (TestBroker test = start(UnaryOperator.identity())) {
            final StateClient client = new StateClient(test);
            publishFiles(client, 2);
        }
        flip(files(".log").get(0), 40_000);
        final long kept;
        try (TestBroker test = start(builder -> builder.journal(quarantining))) {
            assertThat(test.takeErrors()).hasSize(1);
            kept = test.broker.counter("lastSequence");
            assertThat(kept).isGreaterThan(4);
        }
        try (TestBroker test = start(UnaryOperator.identity())) {
            assertThat(test.broker.counter("lastSequence")).isEqualTo(kept);
        }
    }

    @Test
    void shouldGoOnFromTheSnapshotWhenTheLogUpToItIsDamaged() throws IOException {
        final JournalConfig quarantining = journal().withOnDamage(JournalConfig.OnDamage.QUARANTINE);
        twoSnapshots();
        final Path log = files(".log").get(0);
        flip(log, 4096 + 60);
        assertThatThrownBy(() -> start(UnaryOperator.identity())).hasMessageContaining(log.toString());
        try (TestBroker test = start(builder -> builder.journal(quarantining))) {
            assertThat(test.takeErrors()).hasSize(1);
            final StateClient client = new StateClient(test);
            assertThat(client.sow(SowRequest.topic("s"))).hasSize(20);
            client.publish("s", record(50, 1));
            client.flush();
        }
        try (TestBroker test = start(UnaryOperator.identity())) {
            assertThat(new StateClient(test).sow(SowRequest.topic("s"))).hasSize(21);
        }
    }

    @Test
    void shouldStoreIndexesOfFullFilesAndMakeThemAgain() throws IOException {
        try (TestBroker test = start(UnaryOperator.identity())) {
            final StateClient client = new StateClient(test);
            publishFiles(client, 3);
            takeSnapshot(test);
            test.settle();
        }
        assertThat(files(".idx")).hasSize(files(".log").size() - 1);
        Files.delete(files(".idx").get(0));
        try (TestBroker test = start(UnaryOperator.identity())) {
            test.settle();
            assertThat(test.broker.counter("indexesRebuilt")).isEqualTo(1);
        }
        assertThat(files(".idx")).hasSize(files(".log").size() - 1);
    }

    @Test
    void shouldReportATornTail() throws IOException {
        try (TestBroker test = start(UnaryOperator.identity())) {
            final StateClient client = new StateClient(test);
            client.publish("s", record(1, 1));
            client.flush();
        }
        final Path file = files(".log").get(0);
        final byte[] bytes = Files.readAllBytes(file);
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        end = (end + 7) & -8;
        bytes[end] = 96;
        bytes[end + 8] = 5;
        Files.write(file, bytes);
        final Recoveries found = new Recoveries();
        start(UnaryOperator.identity(), found).close();
        start(UnaryOperator.identity(), found).close();

        assertThat(found.recovered.get(0).torn()).isEqualTo(new RecoveryListener.TornTail(file.toString(), end, 9));
        assertThat(found.recovered.get(1).torn()).isNull();
    }

    private void twoSnapshots() throws IOException {
        try (TestBroker test = start(UnaryOperator.identity())) {
            final StateClient client = new StateClient(test);
            for (int i = 0; i < 30; i++) {
                client.publish("s", record(i, 1));
                client.flush();
                if (i == 9 || i == 19) {
                    takeSnapshot(test);
                }
            }
        }
        assertThat(snapshots()).hasSize(2);
    }

    private static void takeSnapshot(final TestBroker test) {
        final long before = test.broker.counter("snapshots");
        test.broker.snapshot();
        test.await(() -> test.broker.counter("snapshots") > before);
    }

    /** Changes ten records until about as many files are full. */
    private static void publishFiles(final StateClient client, final int count) {
        for (int i = 0; i < count * 7; i++) {
            client.publish("s", "{\"id\":" + i % 10 + ",\"v\":\"" + "x".repeat(9_500) + "\"}");
            client.flush();
        }
    }

    private static String record(final int id, final int value) {
        return "{\"id\":" + id + ",\"v\":" + value + "}";
    }

    private static void flip(final Path file, final int at) throws IOException {
        final byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= 1;
        Files.write(file, bytes);
    }

    private static long firstSequence(final Path file) {
        return Long.parseLong(String.valueOf(file.getFileName()).substring(0, 19));
    }

    private TestBroker start(final UnaryOperator<BrokerConfig.Builder> configure) {
        return new TestBroker(builder -> configure.apply(configured(builder)));
    }

    private TestBroker start(final UnaryOperator<BrokerConfig.Builder> configure, final Recoveries found) {
        return new TestBroker("inproc", builder -> configure.apply(configured(builder)), found);
    }

    private BrokerConfig.Builder configured(final BrokerConfig.Builder builder) {
        return builder.journal(journal())
                .topic(TopicConfig.keyed("s", "json", "id"))
                .topic(TopicConfig.keyed("p", "json", TopicConfig.PUBLISHER_KEY));
    }

    private JournalConfig journal() {
        return JournalConfig.in(directory.toString()).withFileLength(FILE_LENGTH);
    }

    private List<Path> snapshots() throws IOException {
        return files(".snap");
    }

    private List<Path> files(final String suffix) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("shard-0"))) {
            final List<Path> found = new ArrayList<>(
                    files.filter(file -> file.toString().endsWith(suffix)).toList());
            Collections.sort(found);
            return found;
        }
    }
}
