package io.penstock.broker;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.HeldStorage.Gate;
import io.penstock.broker.journal.SyncPolicy;
import io.penstock.broker.storage.StorageProvider;
import io.penstock.client.Bookmark;
import io.penstock.client.SowProgress;
import io.penstock.client.SowRequest;
import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Queries of state as it was: what they find, and when they are refused or end. */
@Timeout(60)
class HistoryTest {
    private static final long ID = 7;
    private static final SowRequest S = SowRequest.topic("s");

    @TempDir
    Path directory;

    private final Gate gate = new Gate();
    private final List<SowProgress> reported = new ArrayList<>();
    private TestBroker broker;
    private StateClient client;

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void shouldFindWhatWasThereAfterABookmark() {
        start();
        final Bookmark first = publish("s", "{\"id\":1,\"v\":1}");
        final Bookmark second = publish("s", "{\"id\":2,\"v\":2}");
        client.delta("s", "{\"id\":1,\"w\":3}");
        final Bookmark third = bookmark("s");
        client.delete("s", "id = 2");

        assertThat(client.sow(S.asOf(first))).containsExactly("{\"id\":1,\"v\":1}");
        assertThat(client.sow(S.asOf(second))).containsExactlyInAnyOrder("{\"id\":1,\"v\":1}", "{\"id\":2,\"v\":2}");
        assertThat(client.sow(S.asOf(third)))
                .containsExactlyInAnyOrder("{\"id\":1,\"v\":1,\"w\":3}", "{\"id\":2,\"v\":2}");
        assertThat(client.sow(S.asOf(bookmark("s")))).containsExactly("{\"id\":1,\"v\":1,\"w\":3}");
        assertThat(client.sow(S.asOf(Bookmark.parse("0:0")))).isEmpty();
    }

    @Test
    void shouldSayAsOfWhichRecordItAnswers() {
        start();
        final Bookmark first = publish("s", "{\"id\":1}");
        publish("s", "{\"id\":2}");
        client.groups.clear();
        client.sow(S.asOf(first));

        assertThat(client.groups.get(0)).endsWith(" s " + first);
        assertThat(client.groups.get(1)).endsWith(" 1/1/1");
    }

    @Test
    void shouldFindWhatWasThereAtATime() {
        start();
        final Instant before = now();
        broker.advance(100);
        publish("s", "{\"id\":1,\"v\":1}");
        final Instant between = now();
        broker.advance(100);
        publish("s", "{\"id\":1,\"v\":2}");

        assertThat(client.sow(S.asOf(before))).isEmpty();
        assertThat(client.sow(S.asOf(between))).containsExactly("{\"id\":1,\"v\":1}");
        assertThat(client.sow(S.asOf(between.plusMillis(50)))).containsExactly("{\"id\":1,\"v\":1}");
        assertThat(client.sow(S.asOf(now()))).containsExactly("{\"id\":1,\"v\":2}");
    }

    @Test
    void shouldLeaveOutWhatHadExpiredWhileTheBrokerWasAway() {
        start();
        client.publish("p", "k", "{\"x\":1}", false, 1_000);
        final Bookmark bookmark = bookmark("p");
        final long nowNs = broker.clock.nanoTime();
        broker.close();
        start();
        broker.clock.update(nowNs + 5_000_000_000L);

        assertThat(client.sow(SowRequest.topic("p").asOf(Instant.ofEpochSecond(0, nowNs + 500_000_000L))))
                .hasSize(1);
        assertThat(client.sow(SowRequest.topic("p").asOf(Instant.ofEpochSecond(0, nowNs + 2_000_000_000L))))
                .isEmpty();
        assertThat(client.sow(SowRequest.topic("p").asOf(bookmark)))
                .as("the log as it was")
                .hasSize(1);
    }

    @Test
    void shouldDoAllThatAQueryDoes() {
        start();
        for (int i = 0; i < 3_000; i++) {
            client.publish("s", "{\"id\":" + i + ",\"g\":" + i % 2 + ",\"v\":" + i + "}");
        }
        final Bookmark then = bookmark("s");
        client.delete("s", "TRUE");

        assertThat(client.sow(
                        S.asOf(then).filter("v > 2990").orderBy("v DESC").top(2).skip(1)))
                .containsExactly("{\"id\":2998,\"g\":0,\"v\":2998}", "{\"id\":2997,\"g\":1,\"v\":2997}");
        assertThat(client.sow(
                        S.asOf(then).select("g, COUNT(*) AS n").groupBy("g").orderBy("g")))
                .containsExactly("{\"g\":0,\"n\":1500}", "{\"g\":1,\"n\":1500}");
        assertThat(client.sow(S.asOf(then).keys(List.of("{\"id\":17}", "{\"id\":-1}"))))
                .containsExactly("{\"id\":17,\"g\":1,\"v\":17}");
        assertThat(client.sow(S)).isEmpty();
    }

    @Test
    void shouldReadASnapshotAndTheLogAfterIt() {
        start();
        publish("s", "{\"id\":1,\"v\":1}");
        publish("s", "{\"id\":2,\"v\":1}");
        takeSnapshot();
        final Bookmark then = publish("s", "{\"id\":2,\"v\":2}");
        publish("s", "{\"id\":3,\"v\":3}");
        final Bookmark atSnapshot = Bookmark.of(0, then.sequence(0) - 1);

        assertThat(client.sow(S.asOf(then))).containsExactlyInAnyOrder("{\"id\":1,\"v\":1}", "{\"id\":2,\"v\":2}");
        assertThat(client.sow(S.asOf(atSnapshot)))
                .containsExactlyInAnyOrder("{\"id\":1,\"v\":1}", "{\"id\":2,\"v\":1}");
    }

    @Test
    void shouldFindTheRowsOfAView() {
        start(builder -> builder.view(new ViewConfig("sums", "s", "", "v, COUNT(*) AS n", "v")));
        publish("s", "{\"id\":1,\"v\":1}");
        publish("s", "{\"id\":2,\"v\":1}");
        final Bookmark then = bookmark("sums");
        takeSnapshot();
        publish("s", "{\"id\":3,\"v\":1}");
        final Bookmark later = bookmark("sums");
        client.delete("s", "TRUE");

        assertThat(client.sow(SowRequest.topic("sums").asOf(then))).containsExactly("{\"v\":1,\"n\":2}");
        assertThat(client.sow(SowRequest.topic("sums").asOf(later))).containsExactly("{\"v\":1,\"n\":3}");
        assertThat(client.sow(SowRequest.pattern("sums|s").asOf(later))).hasSize(4);
        assertThat(client.sow(SowRequest.topic("sums").asOf(bookmark("sums")))).isEmpty();
    }

    @Test
    void shouldPassOverADamagedSnapshot() throws IOException {
        start();
        publish("s", "{\"id\":1,\"v\":1}");
        takeSnapshot();
        final Bookmark then = publish("s", "{\"id\":2,\"v\":2}");
        final Path snapshot = files(".snap").get(0);
        final byte[] bytes = Files.readAllBytes(snapshot);
        bytes[bytes.length / 2] ^= 4;
        Files.write(snapshot, bytes);

        assertThat(client.sow(S.asOf(then))).containsExactlyInAnyOrder("{\"id\":1,\"v\":1}", "{\"id\":2,\"v\":2}");
        assertThat(broker.takeErrors()).singleElement().asString().contains(snapshot.toString());
    }

    @Test
    void shouldPassOverASnapshotOfAnotherBroker() throws IOException {
        final Path own = directory;
        directory = own.resolve("other");
        start(builder -> builder.epochClock(() -> 7));
        publish("s", "{\"id\":1,\"v\":\"foreign\"}");
        takeSnapshot();
        final Path foreign = files(".snap").get(0);
        broker.close();
        directory = own;
        start();
        publish("s", "{\"id\":1,\"v\":1}");
        takeSnapshot();
        final Instant thenTime = now();
        broker.advance(10);
        final Bookmark then = publish("s", "{\"id\":2,\"v\":2}");
        Files.copy(foreign, files(".snap").get(0), StandardCopyOption.REPLACE_EXISTING);

        assertThat(files(".snap")).extracting(Path::getFileName).containsExactly(foreign.getFileName());
        assertThat(client.sow(S.asOf(then))).containsExactlyInAnyOrder("{\"id\":1,\"v\":1}", "{\"id\":2,\"v\":2}");
        assertThat(client.sow(S.asOf(thenTime))).containsExactly("{\"id\":1,\"v\":1}");
        assertThat(broker.takeErrors())
                .hasSize(2)
                .allMatch(
                        error -> error.contains(files(".snap").get(0) + ": at byte 0: a snapshot of another broker's"));
    }

    @Test
    void shouldReadFilesThatAreInTheArchive() {
        start(builder -> builder.journal(journal()
                .withRetention(1, 0)
                .withArchive(directory.resolve("archive").toString())));
        final Bookmark first = publish("s", "{\"id\":1,\"v\":1}");
        final Instant then = now();
        broker.advance(10);
        final Bookmark later = publishAndForget();

        assertThat(client.sow(S.asOf(first))).containsExactly("{\"id\":1,\"v\":1}");
        assertThat(client.sow(S.asOf(then))).containsExactly("{\"id\":1,\"v\":1}");
        assertThat(client.sow(S.asOf(later))).hasSize(2);
    }

    /** Returns a bookmark before the last snapshot. */
    private Bookmark publishAndForget() {
        Bookmark last = Bookmark.NONE;
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 40; k++) {
                client.publish("s", "{\"id\":2,\"v\":\"" + "x".repeat(3_000) + "\"}");
            }
            last = bookmark("s");
            takeSnapshot();
        }
        broker.advance(3_000);
        assertThat(broker.broker.counter("filesReleased")).isPositive();
        return last;
    }

    @Test
    void shouldRefuseWhatIsTooLongAgo() {
        start(builder -> builder.journal(journal().withRetention(1, 0)));
        final Bookmark first = publish("s", "{\"id\":1,\"v\":1}");
        final Instant then = now();
        publishAndForget();

        client.sow(S.asOf(first));
        assertError(ErrorCode.BOOKMARK_NOT_FOUND, "too long ago: the log of shard 0 has ");
        client.sow(S.asOf(then));
        assertError(ErrorCode.BOOKMARK_NOT_FOUND, "no snapshot reaches further back");
        assertThat(client.sow(S.asOf(bookmark("s")))).hasSize(2);
    }

    @Test
    void shouldRefuseWhatIsNotThereYet() {
        start();
        publish("s", "{\"id\":1}");

        client.sow(S.asOf(Bookmark.of(0, 1_000)));
        assertError(ErrorCode.BOOKMARK_NOT_FOUND, "0:1000 is not in the log, whose newest record is 0:");
        client.sow(S.asOf(now().plusSeconds(1)));
        assertError(ErrorCode.BAD_QUERY, "a time in the future");
    }

    @Test
    void shouldRefuseTopicsWithoutAHistory() {
        start();
        final Bookmark bookmark = publish("s", "{\"id\":1}");
        client.publish("plain", "{}");

        client.sow(SowRequest.topic("plain").asOf(bookmark));
        assertError(ErrorCode.NO_STATE, "topic plain: keeps no state");
        client.sow(SowRequest.topic("nobody").asOf(bookmark));
        assertError(ErrorCode.NO_STATE, "topic nobody: keeps no state");
        client.sow(SowRequest.topic("m").asOf(bookmark));
        assertError(ErrorCode.NOT_SUPPORTED, "a topic in memory");
        client.sow(SowRequest.pattern("m|plain").asOf(bookmark));
        assertError(ErrorCode.NO_STATE, "no journaled topic with state");
    }

    @Test
    void shouldRefuseBookmarksThatMakeNoSense() {
        start(builder -> builder.shardCount(2)
                .topic(new TopicConfig("a", false, "json", 0, "id", 0))
                .topic(new TopicConfig("b", false, "json", 1, "id", 0)));
        final Bookmark a = publish("a", "{\"id\":1}");
        final Bookmark b = publish("b", "{\"id\":2}");

        client.sow(SowRequest.topic("b").asOf(a));
        assertError(ErrorCode.BAD_QUERY, "says nothing of shard 1, where b is");
        client.sow(SowRequest.topic("a").asOf(Bookmark.of(9, 1)));
        assertError(ErrorCode.BOOKMARK_NOT_FOUND, "the broker has ");
        client.sow(SowRequest.topic("a").asOf(Bookmark.NONE));
        assertError(ErrorCode.BAD_TEXT, "bookmark: empty");
        assertThat(client.sow(SowRequest.pattern("[ab]").asOf(a.with(1, b.sequence(1)))))
                .containsExactlyInAnyOrder("{\"id\":1}", "{\"id\":2}");
        assertThat(client.sow(SowRequest.pattern("[ab]").asOf(now()))).hasSize(2);
    }

    @Test
    void shouldRefuseWhatTakesTooMuchMemory() {
        start(builder -> builder.state(new StateConfig(1 << 28, 1 << 20, 1 << 20, 1, 60_000, 1 << 20)));
        final String text = "x".repeat(3_000);
        final Bookmark few = publish("s", "{\"id\":-1,\"v\":\"" + text + "\"}");
        for (int i = 0; i < 1_000; i++) {
            client.publish("s", "{\"id\":" + i + ",\"v\":\"" + text + "\"}");
        }
        final Bookmark many = bookmark("s");

        client.sow(S.asOf(many));
        assertError(ErrorCode.LIMIT_REACHED, "state.historyLengthMax, 1048576 bytes");
        assertThat(client.sow(S.asOf(few))).as("the memory is free again").hasSize(1);
    }

    @Test
    void shouldRefuseMoreThanMayWait() {
        start(builder -> builder.journal(journal().withSync(SyncPolicy.INTERVAL).withIntervalMs(1_000)));
        client.publish("s", "{\"id\":1}");
        final Bookmark unwritten = bookmark("s");
        for (int i = 0; i < 70; i++) {
            final long id = 100L + i;
            client.offer(() -> client.session.offerSow(id, S.asOf(unwritten)));
        }
        broker.settle();
        assertError(ErrorCode.LIMIT_REACHED, "too many queries of the state as it was");

        final int refused = client.errors.size();
        broker.advance(2_000);
        broker.settle();
        assertThat(client.deliveries).hasSize(70 - refused);
        assertThat(client.sow(S.asOf(unwritten))).hasSize(1);
    }

    @Test
    void shouldWaitUntilTheLogIsWritten() {
        start(builder -> builder.journal(journal().withSync(SyncPolicy.INTERVAL).withIntervalMs(1_000)));
        client.publish("s", "{\"id\":1}");
        final Bookmark unwritten = bookmark("s");
        ask(S.asOf(unwritten));
        broker.advance(500);
        assertThat(client.deliveries).isEmpty();

        broker.advance(1_000);
        assertThat(client.take()).containsExactly(ID + " STATE {\"id\":1}");
    }

    @Test
    void shouldEndWhenTheLogFailsBeforeItIsWritten() {
        start(builder -> builder.journal(journal().withSync(SyncPolicy.INTERVAL).withIntervalMs(1_000)));
        client.publish("s", "{\"id\":1}");
        final Bookmark unwritten = bookmark("s");
        ask(S.asOf(unwritten));
        gate.failWrites();
        broker.advance(2_000);

        assertError(ErrorCode.JOURNAL_FAILED, "the broker's disk has failed");
        assertThat(broker.takeErrors()).isNotEmpty();
    }

    @Test
    void shouldEndWhenItIsCancelledOrItsTimeIsUp() {
        start(builder -> builder.journal(journal().withSync(SyncPolicy.INTERVAL).withIntervalMs(1_000)));
        client.publish("s", "{\"id\":1}");
        final Bookmark unwritten = bookmark("s");
        ask(S.asOf(unwritten));
        broker.settle();
        client.offer(() -> client.session.offerUnsubscribe(ID));
        broker.settle();
        assertError(ErrorCode.QUERY_CANCELLED, "ended by its client");

        ask(S.asOf(unwritten).timeout(Duration.ofMillis(200)));
        broker.advance(500);
        assertError(ErrorCode.QUERY_CANCELLED, "took too long");

        ask(S.asOf(unwritten));
        broker.settle();
        client.close();
        client = new StateClient(broker);
        broker.advance(1_000);
        assertThat(client.sow(S.asOf(unwritten))).hasSize(1);
    }

    @Test
    void shouldEndWhileItReadsTheLog() {
        start();
        for (int i = 0; i < 20_000; i++) {
            client.publish("s", "{\"id\":" + i % 10 + "}");
        }
        final Bookmark then = bookmark("s");
        ask(S.asOf(then));
        for (int i = 0; i < 8; i++) {
            broker.cycle();
        }
        client.offer(() -> client.session.offerUnsubscribe(ID));
        broker.settle();

        assertError(ErrorCode.QUERY_CANCELLED, "ended by its client");
        assertThat(broker.broker.counter("histories")).as("none was made").isZero();
        assertThat(client.sow(S.asOf(then))).hasSize(10);
        assertThat(broker.broker.counter("histories")).isEqualTo(1);
    }

    @Test
    void shouldSayThatTheLogCannotBeRead() throws IOException {
        start();
        final Bookmark first = publish("s", "{\"id\":1,\"v\":1}");
        final Bookmark then = publish("s", "{\"id\":2,\"v\":\"damaged\"}");
        final Path log = files(".log").get(0);
        final byte[] bytes = Files.readAllBytes(log);
        bytes[new String(bytes, ISO_8859_1).indexOf("damaged")] ^= 1;
        Files.write(log, bytes);

        client.sow(S.asOf(then));
        assertError(ErrorCode.JOURNAL_FAILED, "the log cannot be read");
        assertThat(broker.takeErrors()).singleElement().asString().contains(log.toString());
        assertThat(client.sow(S.asOf(first))).hasSize(1);
    }

    @Test
    void shouldRefuseANumberThatIsInUse() {
        start(builder -> builder.journal(journal().withSync(SyncPolicy.INTERVAL).withIntervalMs(1_000)));
        client.publish("s", "{\"id\":1}");
        final Bookmark unwritten = bookmark("s");
        ask(S.asOf(unwritten));
        broker.settle();
        ask(S);
        broker.settle();

        assertError(ErrorCode.DUPLICATE_SUBSCRIPTION, "in use");
    }

    @Test
    void shouldReportItsProgress() {
        start();
        for (int i = 0; i < 10_000; i++) {
            client.publish("s", "{\"id\":" + i % 10 + "}");
        }
        final Bookmark then = bookmark("s");
        final long commandId = ask(S.asOf(then).progress(Duration.ofMillis(100)));
        for (int i = 0; i < 1_000 && !client.acks.containsKey(commandId); i++) {
            broker.clock.advance(60_000_000);
            broker.cycle();
        }

        assertThat(client.deliveries).hasSize(10);
        assertThat(reported).isNotEmpty();
        assertThat(reported.get(0).rows()).isGreaterThanOrEqualTo(10_000);
        assertThat(reported.get(0).scanned()).isBetween(1L, reported.get(0).rows());
    }

    @Test
    void shouldKeepWhatOneQueryReadsUntilItHasEnded() {
        start();
        for (int i = 0; i < 500; i++) {
            client.publish("s", "{\"id\":" + i + ",\"v\":\"" + "x".repeat(4_000) + "\"}");
        }
        final Bookmark then = bookmark("s");
        client.paused = true;
        ask(S.asOf(then));
        broker.settle();
        final StateClient other = new StateClient(broker);
        final long commandId = other.offer(() -> other.session.offerSow(ID, S.asOf(then)));
        broker.settle();
        assertThat(other.acks).as("its turn has not come").doesNotContainKey(commandId);
        other.publish("s", "{\"id\":1000}");
        assertThat(other.sow(S.keys(List.of("{\"id\":1000}"))))
                .as("others go on")
                .hasSize(1);

        client.paused = false;
        broker.await(() -> other.acks.containsKey(commandId));
        assertThat(client.take()).hasSize(500);
        assertThat(other.deliveries).hasSize(501);
    }

    @Test
    void shouldAnswerOnlyWhatIsDurableWhenAsked() {
        start();
        final Bookmark then = publish("s", "{\"id\":1}");

        assertThat(client.sow(S.asOf(then).durable())).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = ThreadingMode.class,
            names = {"SHARED", "DEDICATED"})
    void shouldWorkOnAThreadOfItsOwn(final ThreadingMode threading) {
        start(builder -> builder.threading(threading));
        for (int i = 0; i < 5_000; i++) {
            client.publish("s", "{\"id\":" + i % 100 + ",\"v\":" + i + "}");
        }
        final Bookmark then = bookmark("s");
        client.delete("s", "TRUE");

        for (int i = 0; i < 5; i++) {
            assertThat(client.sow(S.asOf(then).select("COUNT(*) AS n, MIN(v) AS v")))
                    .containsExactly("{\"n\":100,\"v\":4900}");
        }
    }

    private void start() {
        start(builder -> builder);
    }

    private void start(final UnaryOperator<BrokerConfig.Builder> configure) {
        broker = new TestBroker(builder -> configure.apply(builder.journal(journal())
                .topic(TopicConfig.keyed("s", "json", "id"))
                .topic(TopicConfig.keyed("p", "json", TopicConfig.PUBLISHER_KEY))
                .topic(TopicConfig.keyed("m", "json", "id").inMemory())
                .storage(path -> new HeldStorage(StorageProvider.DISK.open(path), gate))));
        client = new StateClient(broker) {
            @Override
            public void onProgress(final long commandId, final long queryId, final SowProgress progress) {
                reported.add(progress);
            }
        };
    }

    private JournalConfig journal() {
        return JournalConfig.in(directory.toString()).withFileLength(64 * 1024).withSnapshots(0, 0);
    }

    private Bookmark publish(final String topic, final String text) {
        client.publish(topic, text);
        return bookmark(topic);
    }

    /** The newest record of a topic's shard, as a query says it. */
    private Bookmark bookmark(final String topic) {
        client.flush();
        client.groups.clear();
        client.sow(SowRequest.topic(topic).top(0));
        final String begin = client.groups.get(0);
        return Bookmark.parse(begin.substring(begin.lastIndexOf(' ') + 1));
    }

    private long ask(final SowRequest request) {
        return client.offer(() -> client.session.offerSow(ID, request));
    }

    private void takeSnapshot() {
        client.flush();
        final long taken = broker.broker.counter("snapshots");
        broker.broker.snapshot();
        broker.await(() -> broker.broker.counter("snapshots") > taken);
    }

    private Instant now() {
        return Instant.ofEpochSecond(0, broker.clock.nanoTime());
    }

    private void assertError(final ErrorCode code, final String text) {
        assertThat(client.lastError()).isNotNull();
        assertThat(client.lastError().errorCode()).isEqualTo(code);
        assertThat(client.lastError().text()).contains(text);
        assertThat(client.deliveries).filteredOn(each -> each.id() == ID).isEmpty();
    }

    private List<Path> files(final String suffix) {
        try (Stream<Path> files = Files.list(directory.resolve("shard-0"))) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
