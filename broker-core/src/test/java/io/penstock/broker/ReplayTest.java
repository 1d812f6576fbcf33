package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.RawInbox.Delivery;
import io.penstock.client.Bookmark;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRate;
import io.penstock.client.ReplayRequest;
import io.penstock.client.ReplayRequest.Missing;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.PaceAction;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Subscriptions that begin somewhere in the log. */
@Timeout(60)
@ParameterizedClass
@EnumSource(JournalConfig.Writes.class)
class ReplayTest {
    private final JournalConfig.Writes writes;

    @TempDir
    Path directory;

    ReplayTest(final JournalConfig.Writes writes) {
        this.writes = writes;
    }

    @Test
    void shouldReplayFromTheBeginningAndGoOn() {
        try (TestBroker test = start()) {
            publish(test, 0, 3_000);
            final RawClient client = replay(test, ReplayRequest.topic("t"));

            assertThat(numbers(client)).isEqualTo(range(0, 3_000));
            assertThat(client.events).startsWith("logonAck", "begin 7 0:0", "ack 2 PROCESSED");
            assertThat(client.events).endsWith("ack 2 COMPLETED");
            publish(test, 3_000, 10);
            test.settle();
            assertThat(numbers(client)).isEqualTo(range(0, 3_010));
        }
    }

    @Test
    void shouldReplayWhatAnEarlierRunHasWritten() {
        try (TestBroker test = start()) {
            publish(test, 0, 500);
        }
        try (TestBroker test = start()) {
            publish(test, 500, 500);
            assertThat(numbers(replay(test, ReplayRequest.topic("t")))).isEqualTo(range(0, 1_000));
        }
    }

    @Test
    void shouldGoLiveOrStayACursor() {
        try (TestBroker test = start()) {
            publish(test, 0, 100);
            final RawClient live = replay(test, ReplayRequest.topic("t").live());

            assertThat(numbers(live)).isEqualTo(range(0, 100));
            assertThat(test.broker.counter("cursors")).isZero();
            assertThat(test.broker.counter("fileCursors")).isZero();
            replay(test, ReplayRequest.topic("t"));
            assertThat(test.broker.counter("cursors")).isEqualTo(1);
            publish(test, 100, 10);
            test.settle();
            assertThat(numbers(live)).isEqualTo(range(0, 110));
        }
    }

    @Test
    void shouldBeginAfterABookmarkOrWithIt() {
        try (TestBroker test = start()) {
            publish(test, 0, 1_000);
            final List<Delivery> all = replay(test, ReplayRequest.topic("t")).deliveries;
            final Bookmark at = Bookmark.of(all.get(600).shard(), all.get(600).sequence());

            assertThat(numbers(replay(test, ReplayRequest.topic("t").from(LogPlace.bookmark(at)))))
                    .isEqualTo(range(601, 1_000));
            assertThat(numbers(replay(test, ReplayRequest.topic("t").from(LogPlace.including(at)))))
                    .isEqualTo(range(600, 1_000));
            assertThat(numbers(replay(test, ReplayRequest.topic("t").from(LogPlace.NOW))))
                    .isEmpty();
        }
    }

    @Test
    void shouldEndARange() {
        try (TestBroker test = start()) {
            publish(test, 0, 1_000);
            final List<Delivery> all = replay(test, ReplayRequest.topic("t")).deliveries;
            final Bookmark from = Bookmark.of(0, all.get(200).sequence());
            final Bookmark to = Bookmark.of(0, all.get(300).sequence());
            final ReplayRequest request = ReplayRequest.topic("t").from(LogPlace.including(from));

            assertThat(numbers(replay(test, request.to(LogPlace.bookmark(to))))).isEqualTo(range(200, 300));
            assertThat(numbers(replay(test, request.to(LogPlace.including(to)))))
                    .isEqualTo(range(200, 301));
            final RawClient now = replay(test, request.to(LogPlace.NOW));
            assertThat(numbers(now)).isEqualTo(range(200, 1_000));
            final RawClient empty = replay(
                    test, ReplayRequest.topic("t").from(LogPlace.bookmark(to)).to(LogPlace.bookmark(to)));
            assertThat(empty.deliveries).isEmpty();
            assertThat(empty.events).endsWith("ack 2 COMPLETED");
            publish(test, 1_000, 10);
            test.settle();
            assertThat(numbers(now)).isEqualTo(range(200, 1_000));
            assertThat(now.events).contains("begin 7 0:201 to 1001");
            final RawClient atMost = replay(test, request.to(nowAtMost(to)));
            assertThat(numbers(atMost)).isEqualTo(range(200, 301));
            assertThat(atMost.events).endsWith("ack 2 COMPLETED");
            assertThat(numbers(replay(test, request.to(nowAtMost(Bookmark.of(0, 9_999))))))
                    .as("what it does not go beyond need not be there")
                    .isEqualTo(range(200, 1_010));
            // The id is free again.
            now.subscribeFrom(3, 7, request.to(LogPlace.NOW));
            test.settle();
            assertThat(now.errors).isEmpty();
        }
    }

    @Test
    void shouldBeginAndEndAtTimes() {
        try (TestBroker test = start()) {
            final Instant[] times = new Instant[10];
            for (int i = 0; i < times.length; i++) {
                test.advance(1_000);
                times[i] = Instant.ofEpochSecond(0, test.clock.nanoTime());
                publish(test, i * 300, 300);
            }
            final ReplayRequest request = ReplayRequest.topic("t").from(LogPlace.time(times[4]));

            assertThat(numbers(replay(test, request))).isEqualTo(range(1_200, 3_000));
            assertThat(numbers(replay(test, request.to(LogPlace.time(times[6])))))
                    .isEqualTo(range(1_200, 1_800));
            assertThat(numbers(replay(test, request.from(LogPlace.time(Instant.EPOCH)))))
                    .isEqualTo(range(0, 3_000));
            final RawClient future = replay(test, request.to(LogPlace.time(times[9].plusSeconds(60))));
            assertThat(future.errors).containsExactly(ErrorCode.BAD_QUERY);
        }
    }

    @Test
    void shouldRefuseARangeWhoseEndIsBeforeItsStart() {
        try (TestBroker test = start()) {
            publish(test, 0, 10);
            test.advance(1_000);
            final Instant middle = Instant.ofEpochSecond(0, test.clock.nanoTime());
            test.advance(1_000);
            final LogPlace third = LogPlace.bookmark(Bookmark.of(0, 3));
            final LogPlace fourth = LogPlace.bookmark(Bookmark.of(0, 4));
            final ReplayRequest whole = ReplayRequest.topic("t");

            for (final ReplayRequest reversed : List.of(
                    whole.from(fourth).to(third),
                    whole.from(LogPlace.including(Bookmark.of(0, 4))).to(LogPlace.including(Bookmark.of(0, 3))),
                    whole.from(LogPlace.NOW).to(third),
                    whole.from(LogPlace.bookmark(Bookmark.of(0, 999)))
                            .ifMissing(Missing.NOW)
                            .to(third),
                    whole.from(LogPlace.time(middle)).to(LogPlace.time(middle.minusNanos(1))),
                    whole.from(LogPlace.NOW).to(LogPlace.time(middle)),
                    whole.from(LogPlace.time(middle.plusSeconds(60))).to(LogPlace.NOW))) {
                final RawClient client = replay(test, reversed);
                assertThat(client.errors).as("%s", reversed).containsExactly(ErrorCode.BAD_QUERY);
                assertThat(client.errorTexts.get(0)).contains("its end is before its start in shard 0");
                assertThat(client.events).doesNotContain("ack 2 COMPLETED");
            }
            for (final ReplayRequest empty : List.of(
                    whole.from(third).to(third),
                    whole.from(third).to(fourth),
                    whole.from(fourth).to(LogPlace.including(Bookmark.of(0, 4))),
                    whole.from(LogPlace.NOW).to(LogPlace.NOW),
                    whole.from(LogPlace.time(middle)).to(LogPlace.time(middle)))) {
                final RawClient client = replay(test, empty);
                assertThat(client.errors).as("%s", empty).isEmpty();
                assertThat(client.deliveries).as("%s", empty).isEmpty();
                assertThat(client.events).endsWith("ack 2 COMPLETED");
            }
        }
    }

    @Test
    void shouldSayThatRetentionHasRemovedWhatASubscriberWasToGet() {
        try (TestBroker test = start(builder -> builder.journal(journal().withRetention(1, 0)))) {
            publish(test, 0, 100);
            final RawClient paused = replay(test, ReplayRequest.topic("t"));
            final RawClient slow = patient(test, "slow");
            slow.subscribeFrom(2, 7, ReplayRequest.topic("t").rate(ReplayRate.messages(1)));
            paused.pace(3, 7, PaceAction.PAUSE, ReplayRate.UNLIMITED);
            test.settle();
            for (int i = 0; i < 3; i++) {
                publish(test, 100 + 3_000 * i, 3_000);
                final long before = test.broker.counter("snapshots");
                test.broker.snapshot();
                test.await(() -> test.broker.counter("snapshots") > before);
            }
            test.advance(1_200);
            assertThat(test.broker.counter("filesReleased")).isGreaterThan(2);

            paused.pace(4, 7, PaceAction.RESUME, ReplayRate.UNLIMITED);
            slow.pace(4, 7, PaceAction.RATE, ReplayRate.UNLIMITED);
            test.settle();
            for (final RawClient client : List.of(paused, slow)) {
                assertThat(client.errors).containsExactly(ErrorCode.BOOKMARK_NOT_FOUND);
                assertThat(client.errorTexts.get(0))
                        .contains("record 0:")
                        .contains("was removed from the log before it was read");
            }
            assertThat(replay(test, ReplayRequest.topic("t").to(LogPlace.bookmark(Bookmark.of(0, 5)))).errors)
                    .as("an end that is gone")
                    .containsExactly(ErrorCode.BOOKMARK_NOT_FOUND);
            // The connection goes on.
            paused.subscribeFrom(5, 7, ReplayRequest.topic("t").to(LogPlace.NOW));
            test.settle();
            assertThat(numbers(paused)).endsWith(9_099);
            assertThat(test.broker.counter("errors")).isZero();
        }
    }

    @Test
    void shouldNameAFileThatIsMissing() throws IOException {
        try (TestBroker test = start()) {
            publish(test, 0, 3_000);
            test.advance(200);
            final Path second = logFiles().get(1);
            Files.delete(second);
            final RawClient client = replay(test, ReplayRequest.topic("t"));

            assertThat(client.errors).containsExactly(ErrorCode.JOURNAL_FAILED);
            assertThat(numbers(client)).startsWith(0).doesNotContain(2_999);
            assertThat(test.takeErrors().get(0)).contains(second.toString()).contains("the file is missing");
        }
    }

    @Test
    void shouldDoAsAskedWhenABookmarkIsNotFound() {
        try (TestBroker test = start()) {
            publish(test, 0, 100);
            final ReplayRequest ahead = ReplayRequest.topic("t").from(LogPlace.bookmark(Bookmark.of(0, 5_000)));

            final RawClient refused = replay(test, ahead);
            assertThat(refused.errors).containsExactly(ErrorCode.BOOKMARK_NOT_FOUND);
            assertThat(refused.errorTexts.get(0)).contains("0:5000").contains("1 to 101");
            assertThat(replay(test, ahead.from(LogPlace.bookmark(Bookmark.of(9, 1)))).errors)
                    .containsExactly(ErrorCode.BOOKMARK_NOT_FOUND);
            assertThat(replay(test, ahead.from(LogPlace.BEGINNING).to(LogPlace.bookmark(Bookmark.of(0, 5_000)))).errors)
                    .containsExactly(ErrorCode.BOOKMARK_NOT_FOUND);
            assertThat(numbers(replay(test, ahead.ifMissing(Missing.BEGINNING))))
                    .isEqualTo(range(0, 100));
            assertThat(numbers(replay(test, ahead.ifMissing(Missing.NOW)))).isEmpty();
            for (final RawClient client : test.clients) {
                client.close();
            }
            test.settle();
            assertThat(test.broker.counter("subscriptions")).isZero();
        }
    }

    @Test
    void shouldReachAsFarAsTheWindowWhenInMemoryOnly() {
        try (TestBroker test = new TestBroker()) {
            publish(test, 0, 5_000);
            final RawClient client = replay(test, ReplayRequest.topic("t"));

            final List<Integer> numbers = numbers(client);
            assertThat(numbers).isNotEmpty().hasSizeLessThan(5_000).endsWith(4_999);
            assertThat(client.events).endsWith("ack 2 COMPLETED");
            final RawClient lost = replay(test, ReplayRequest.topic("t").from(LogPlace.bookmark(Bookmark.of(0, 1))));
            assertThat(lost.errors).containsExactly(ErrorCode.BOOKMARK_NOT_FOUND);
            publish(test, 5_000, 1);
            test.settle();
            assertThat(numbers(client)).endsWith(4_999, 5_000);
        }
    }

    @Test
    void shouldGoOnFromFilesWhenASubscriberFallsOutOfTheWindow() {
        try (TestBroker test = start()) {
            final RawClient slow = test.logOn("slow");
            slow.subscribe(2, 7, "t", "");
            test.awaitAck(slow, 2);
            slow.reading = false;
            publish(test, 0, 8_000);
            assertThat(test.broker.counter("fellBehind")).isPositive();
            slow.reading = true;
            test.settle();

            assertThat(slow.errors).isEmpty();
            assertThat(numbers(slow)).isEqualTo(range(0, 8_000));
            publish(test, 8_000, 10);
            test.settle();
            assertThat(numbers(slow)).isEqualTo(range(0, 8_010));
            assertThat(test.broker.counter("cursors")).isZero();
            assertThat(test.broker.counter("fileCursors")).isZero();
        }
    }

    @Test
    void shouldLetOthersGoOnWhenClientsHoldAllPages() {
        try (TestBroker test = start()) {
            publish(test, 0, 8_000);
            for (int i = 0; i < 5; i++) {
                final RawClient stalled = patient(test, "stalled-" + i);
                stalled.subscribeFrom(2, 7, ReplayRequest.topic("t"));
                test.awaitAck(stalled, 2);
                stalled.reading = false;
            }
            test.advance(50);
            final RawClient client = patient(test, "client");
            client.subscribeFrom(2, 7, ReplayRequest.topic("t"));
            for (int i = 0; i < 100; i++) {
                test.advance(50);
            }
            assertThat(numbers(client)).isEqualTo(range(0, 8_000));
            assertThat(test.broker.counter("pagesRecalled")).isPositive();
            for (final RawClient stalled : test.clients) {
                stalled.reading = true;
            }
            for (int i = 0; i < 100; i++) {
                test.advance(50);
            }
            for (final RawClient stalled : test.clients.subList(1, test.clients.size())) {
                assertThat(numbers(stalled)).isEqualTo(range(0, 8_000));
            }
        }
    }

    @Test
    void shouldEndTheSubscriptionThatMeetsADamagedRecordAndNoOther() throws IOException {
        try (TestBroker test = start()) {
            publish(test, 0, 3_000);
            test.advance(200);
            damage(100);
            final RawClient client = replay(test, ReplayRequest.topic("t"));
            final RawClient after =
                    replay(test, ReplayRequest.topic("t").from(LogPlace.bookmark(Bookmark.of(0, 2_000))));

            assertThat(client.errors).containsExactly(ErrorCode.JOURNAL_FAILED);
            assertThat(client.errorTexts.get(0)).contains("record 0:100 cannot be read");
            assertThat(numbers(client)).isEqualTo(range(0, 98));
            assertThat(numbers(after)).endsWith(2_999);
            assertThat(test.takeErrors().get(0)).contains("record 100 at byte").contains("checksum");
        }
    }

    @Test
    void shouldKeepToARateOfMessages() {
        try (TestBroker test = start()) {
            publish(test, 0, 1_000);
            final RawClient client = patient(test, "client");
            client.subscribeFrom(2, 7, ReplayRequest.topic("t").rate(ReplayRate.messages(100)));
            test.advance(1_000);
            assertThat(client.deliveries.size()).isBetween(95, 105);
            client.pace(3, 7, PaceAction.RATE, ReplayRate.messages(1_000));
            test.advance(500);
            assertThat(client.deliveries.size()).isBetween(560, 640);
            client.pace(4, 7, PaceAction.RATE, ReplayRate.UNLIMITED);
            test.settle();
            assertThat(numbers(client)).isEqualTo(range(0, 1_000));
        }
    }

    @Test
    void shouldKeepToARateOfBytes() {
        try (TestBroker test = start()) {
            publish(test, 0, 1_000);
            final RawClient client = patient(test, "client");
            client.subscribeFrom(2, 7, ReplayRequest.topic("t").rate(ReplayRate.bytes(12_000)));
            test.advance(1_000);

            assertThat(client.deliveries.stream()
                            .mapToInt(d -> d.payload().length)
                            .sum())
                    .isBetween(11_000, 13_000);
        }
    }

    @Test
    void shouldReplayAtAMultipleOfTheOriginalSpeed() {
        try (TestBroker test = start()) {
            for (int i = 0; i < 10; i++) {
                publish(test, i, 1);
                test.advance(i == 5 ? 10_000 : 1_000);
            }
            final RawClient client = patient(test, "client");
            client.subscribeFrom(2, 7, ReplayRequest.topic("t").rate(ReplayRate.speed(2, Duration.ofSeconds(1))));
            test.advance(100);
            assertThat(client.deliveries).hasSize(1);
            test.advance(1_000);
            assertThat(client.deliveries).hasSize(3);
            test.advance(1_500);
            assertThat(client.deliveries).hasSize(6);
            // 10 s at double speed would be 5 s: no gap is longer than one.
            test.advance(1_000);
            assertThat(client.deliveries).hasSize(7);
            test.advance(1_500);
            assertThat(numbers(client)).isEqualTo(range(0, 10));
        }
    }

    @Test
    void shouldPauseAndResume() {
        try (TestBroker test = start()) {
            final RawClient replaying = test.logOn("replaying");
            final RawClient live = test.logOn("live");
            live.subscribe(2, 7, "t", "");
            publish(test, 0, 2_000);
            test.settle();
            replaying.subscribeFrom(2, 7, ReplayRequest.topic("t"));
            for (final RawClient client : List.of(replaying, live)) {
                client.pace(3, 7, PaceAction.PAUSE, ReplayRate.UNLIMITED);
            }
            test.settle();
            publish(test, 2_000, 6_000);
            test.settle();
            assertThat(numbers(live)).isEqualTo(range(0, 2_000));
            final int held = replaying.deliveries.size();
            assertThat(held).isLessThanOrEqualTo(2_000);
            for (final RawClient client : List.of(replaying, live)) {
                client.pace(4, 7, PaceAction.RESUME, ReplayRate.UNLIMITED);
            }
            test.settle();
            assertThat(numbers(live)).isEqualTo(range(0, 8_000));
            assertThat(numbers(replaying)).isEqualTo(range(0, 8_000));
            assertThat(live.errors).isEmpty();
        }
    }

    @Test
    void shouldDeliverNothingBeforeItIsDurableUnlessLive() {
        try (TestBroker test =
                start(builder -> builder.journal(journal().withSync(io.penstock.broker.journal.SyncPolicy.INTERVAL)))) {
            final RawClient durable = replay(test, ReplayRequest.topic("t"));
            final RawClient live = replay(test, ReplayRequest.topic("t").live());
            final RawClient publisher = test.logOn("publisher");
            test.publish(publisher, "t", "{\"n\":0}");
            test.settle();
            assertThat(numbers(live)).isEqualTo(range(0, 1));
            assertThat(durable.deliveries).isEmpty();
            test.advance(20);
            assertThat(numbers(durable)).isEqualTo(range(0, 1));
        }
    }

    @Test
    void shouldReplayLongMessagesAndFilterThem() {
        try (TestBroker test = start(builder -> builder.window(new WindowConfig(1024 * 1024, 4))
                .sessions(TestBroker.sessions(1024, 400_000))
                .journal(journal().withFileLength(1024 * 1024)))) {
            final RawClient publisher = test.logOn("publisher");
            for (int i = 0; i < 12; i++) {
                final String text = "{\"n\":" + i + ",\"pad\":\"" + "x".repeat(i % 3 == 0 ? 300_000 : 10) + "\"}";
                publish(test, publisher, text);
            }
            final RawClient client = replay(test, ReplayRequest.topic("t"));
            assertThat(numbers(client)).isEqualTo(range(0, 12));
            assertThat(client.deliveries.get(3).payload()).hasSizeGreaterThan(300_000);
            assertThat(numbers(replay(test, ReplayRequest.topic("t").filter("n > 8"))))
                    .isEqualTo(range(9, 12));
        }
    }

    private static LogPlace nowAtMost(final Bookmark bookmark) {
        return new LogPlace(LogPlace.Kind.NOW, bookmark, false, 0);
    }

    private void damage(final long sequence) throws IOException {
        final Path file = logFiles().get(0);
        final byte[] bytes = Files.readAllBytes(file);
        for (int at = 4096; at + 16 < bytes.length; at += 8) {
            if (java.nio.ByteBuffer.wrap(bytes)
                                    .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                                    .getLong(at + 8)
                            == sequence
                    && bytes[at + 4] == 1) {
                try (RandomAccessFile damaged = new RandomAccessFile(file.toFile(), "rw")) {
                    damaged.seek(at + 50);
                    damaged.write(bytes[at + 50] ^ 1);
                }
                return;
            }
        }
        throw new AssertionError("no record " + sequence);
    }

    /** A client that need not be heard of while the clock moves. */
    private static RawClient patient(final TestBroker test, final String name) {
        final RawClient client = test.connect();
        client.logon(name, "", 600_000);
        test.await(() -> client.events.contains("logonAck"));
        return client;
    }

    private static RawClient replay(final TestBroker test, final ReplayRequest request) {
        final RawClient client = test.logOn("client-" + test.clients.size());
        client.subscribeFrom(2, 7, request);
        test.settle();
        return client;
    }

    private static void publish(final TestBroker test, final int from, final int count) {
        final RawClient publisher = test.logOn("publisher-" + test.clients.size());
        for (int i = 0; i < count; i++) {
            publish(test, publisher, "{\"n\":" + (from + i) + ",\"pad\":\"" + "x".repeat(80) + "\"}");
        }
        test.flush(publisher);
        for (int i = 0; i < 20; i++) {
            test.cycle();
        }
    }

    private static void publish(final TestBroker test, final RawClient publisher, final String text) {
        while (!publisher.publish(0, 0, 0, "t", text.getBytes(UTF_8))) {
            test.cycle();
        }
    }

    private static List<Integer> numbers(final RawClient client) {
        return client.deliveries.stream()
                .map(delivery -> {
                    final String text = delivery.text();
                    int end = 5;
                    while (Character.isDigit(text.charAt(end))) {
                        end++;
                    }
                    return Integer.valueOf(text.substring(5, end));
                })
                .toList();
    }

    private static List<Integer> range(final int from, final int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    private TestBroker start() {
        return start(UnaryOperator.identity());
    }

    private TestBroker start(final UnaryOperator<BrokerConfig.Builder> configure) {
        return new TestBroker(builder -> configure.apply(builder.journal(journal())));
    }

    private JournalConfig journal() {
        return JournalConfig.in(directory.toString())
                .withFileLength(128 * 1024)
                .withReplayLengthMax(2 * 256 * 1024)
                .withWrites(writes);
    }

    private List<Path> logFiles() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("shard-0"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
        }
    }
}
