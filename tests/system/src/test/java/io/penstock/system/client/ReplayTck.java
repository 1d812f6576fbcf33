package io.penstock.system.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.SessionConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.WindowConfig;
import io.penstock.broker.journal.SyncPolicy;
import io.penstock.client.AckType;
import io.penstock.client.Bookmark;
import io.penstock.client.ClientConfig;
import io.penstock.client.DisconnectHandler;
import io.penstock.client.LogPlace;
import io.penstock.client.Message;
import io.penstock.client.MessageStream;
import io.penstock.client.PenstockClient;
import io.penstock.client.ReplayRate;
import io.penstock.client.ReplayRequest;
import io.penstock.client.Subscription;
import io.penstock.protocol.RecordDescriptor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a program may expect of subscriptions from the log, over each transport, whichever threads the broker has. The
 * window holds a few hundred messages, so that all other messages come from files; sockets hold more, so subscribers
 * that shall lag are sent long messages.
 */
@Timeout(60)
abstract class ReplayTck extends BrokerFixture {
    private static final int SHORT = 100;
    private static final int LONG_PAYLOAD = 4_000;

    @TempDir
    Path directory;

    private final String endpoint;
    private final ThreadingMode threading;
    private @Nullable Driver driver;

    ReplayTck(final String endpoint, final ThreadingMode threading) {
        super(BrokerConfig.builder());
        this.endpoint = endpoint;
        this.threading = threading;
    }

    @Override
    @BeforeEach
    void launch() {
        launch(config(endpoint));
    }

    @Override
    void launch(final BrokerConfig built) {
        super.launch(built);
        if (threading == ThreadingMode.INVOKER) {
            driver = new Driver(broker());
        }
    }

    @Override
    @AfterEach
    void close() {
        closeClients();
        closeBroker();
    }

    private void closeBroker() {
        final Driver running = driver;
        if (running != null) {
            running.stop();
            driver = null;
        }
        broker().close();
    }

    private BrokerConfig config(final String at) {
        return BrokerConfig.builder()
                .listen(at)
                .threading(threading)
                .shardCount(2)
                .window(new WindowConfig(WindowConfig.SEGMENT_LENGTH_MIN, WindowConfig.SEGMENT_COUNT_MIN))
                .sessions(new SessionConfig(
                        64,
                        64,
                        WindowConfig.SEGMENT_LENGTH_MIN / 2,
                        64,
                        64,
                        SessionConfig.DESCRIPTOR_RING_LENGTH_DEFAULT,
                        SessionConfig.PENDING_ACK_COUNT_MAX_DEFAULT,
                        SessionConfig.STAGING_LENGTH_MAX_DEFAULT,
                        SessionConfig.HEARTBEAT_INTERVAL_MS_DEFAULT,
                        SessionConfig.LOGON_TIMEOUT_MS_DEFAULT))
                .journal(JournalConfig.in(directory.toString())
                        .withSync(SyncPolicy.INTERVAL)
                        .withIntervalMs(5)
                        .withFileLength(256 * 1024)
                        .withReplayLengthMax(512 * 1024)
                        .withSnapshots(128 * 1024, 0))
                .topic(new TopicConfig("t", false, "json", 0))
                .topic(new TopicConfig("u", false, "json", 1))
                .topic(new TopicConfig("k", false, "json", 0, "n", 0))
                .build();
    }

    @Test
    void shouldReplayFromTheBeginningAndGoOnWhileOthersPublish() {
        publish("t", 0, 3_000, SHORT);
        try (Publishing publishing = new Publishing(3_000, 3_000, SHORT);
                MessageStream durable = connect().stream(ReplayRequest.topic("t"));
                MessageStream live = connect().stream(ReplayRequest.topic("t").live())) {
            expect(durable, 0, 6_000);
            expect(live, 0, 6_000);
            publishing.join();
            assertThat(broker().counter("fileBytesRead")).as("files were read").isPositive();
            publish("t", 6_000, 10, SHORT);
            expect(durable, 6_000, 6_010);
            expect(live, 6_000, 6_010);
        }
    }

    @Test
    void shouldGoOnAfterABookmark() {
        publish("t", 0, 3_000, SHORT);
        final Bookmark bookmark = bookmarks("t", 1_200).get(1_199);
        try (Publishing publishing = new Publishing(3_000, 2_000, SHORT);
                MessageStream stream = connect().stream(ReplayRequest.topic("t").from(LogPlace.bookmark(bookmark)))) {
            expect(stream, 1_200, 5_000);
            publishing.join();
        }
    }

    @Test
    void shouldFilterWhatItReplays() {
        publish("t", 0, 3_000, SHORT);
        try (Publishing publishing = new Publishing(3_000, 1_400, SHORT);
                MessageStream stream = connect().stream(ReplayRequest.topic("t").filter("n % 7 = 0"))) {
            for (int n = 0; n < 4_400; n += 7) {
                assertThat(number(taken(stream))).isEqualTo(n);
            }
            publishing.join();
        }
    }

    @Test
    void shouldReplayTopicsOfSeveralShards() {
        publish("t", 0, 1_000, LONG_PAYLOAD);
        publish("u", 0, 1_000, LONG_PAYLOAD);
        final int[] next = new int[2];
        try (MessageStream stream =
                connect().stream(ReplayRequest.pattern("[tu]").to(LogPlace.NOW))) {
            for (final Message message : stream) {
                assertThat(number(message)).isEqualTo(next[message.topic().equals("t") ? 0 : 1]++);
            }
        }
        assertThat(next).containsExactly(1_000, 1_000);
    }

    @Test
    void shouldGoOnFromFilesAndBackWhenASubscriberIsSlow() {
        final PenstockClient slow = connect(builder().streamLimit(4).streamLength(16 * 1024));
        try (MessageStream stream = slow.stream(ReplayRequest.topic("t").live())) {
            publish("t", 0, 10, SHORT);
            expect(stream, 0, 10);
            final long before = broker().counter("fileBytesRead");
            publish("t", 10, 4_000, LONG_PAYLOAD);
            expect(stream, 10, 4_010);
            assertThat(broker().counter("fileBytesRead")).isGreaterThan(before);
            publish("t", 4_010, 10, SHORT);
            expect(stream, 4_010, 4_020);
            // Counters change after what they count.
            final long startNs = System.nanoTime();
            while (broker().counter("fileCursors") > 0 && System.nanoTime() - startNs < LONG.toNanos()) {
                Thread.onSpinWait();
            }
            assertThat(broker().counter("fileCursors")).as("it is live again").isZero();
        }
    }

    @Test
    void shouldGoOnWhereItWasPaused() {
        publish("t", 0, 1_000, SHORT);
        try (MessageStream stream = connect().stream(ReplayRequest.topic("t"))) {
            final Subscription subscription = stream.subscription();
            expect(stream, 0, 100);
            subscription.pause();
            publish("t", 1_000, 2_000, SHORT);
            subscription.resume();
            expect(stream, 100, 3_000);
            subscription.pause();
            publish("t", 3_000, 100, SHORT);
            assertThat(stream.poll(Duration.ofMillis(50))).isNull();
            subscription.resume();
            expect(stream, 3_000, 3_100);
        }
    }

    @Test
    void shouldComeNoFurtherThanItsCredit() throws Exception {
        final long window = 10_000;
        publish("t", 0, 3_000, SHORT);
        final BlockingQueue<Message> received = new LinkedBlockingQueue<>();
        final AtomicLong given = new AtomicLong(window);
        final AtomicLong seen = new AtomicLong();
        final AtomicBoolean isTooMuch = new AtomicBoolean();
        final int each = RecordDescriptor.alignedLength(RecordDescriptor.HEADER_LENGTH + SHORT);
        try (Publishing publishing = new Publishing(3_000, 3_000, SHORT);
                Subscription subscription = connect()
                        .subscribe(ReplayRequest.topic("t").live().credit(window), message -> {
                            // One may take more than there was left.
                            if (seen.getAndAdd(message.creditLength()) >= given.get()) {
                                isTooMuch.set(true);
                            }
                            received.add(message.toMessage());
                        })) {
            for (int n = 0; n < 6_000; n++) {
                final Message message = received.poll(20, TimeUnit.SECONDS);
                assertThat(message).as("message %d", n).isNotNull();
                assertThat(number(message)).isEqualTo(n);
                given.addAndGet(each);
                subscription.credit(each);
            }
            publishing.join();
            assertThat(isTooMuch).isFalse();
        }
    }

    /** What one does not take keeps nothing from another one of the same client. */
    @Test
    void shouldNotHoldUpOthersWhenThereIsNoCredit() {
        publish("t", 0, 3_000, SHORT);
        final PenstockClient client = connect();
        final AtomicInteger standing = new AtomicInteger();
        try (Subscription none =
                        client.subscribe(ReplayRequest.topic("t").credit(1), message -> standing.incrementAndGet());
                MessageStream stream = client.stream(ReplayRequest.topic("t"))) {
            expect(stream, 0, 3_000);
            assertThat(standing.get()).isLessThanOrEqualTo(1);
            assertThat(none.isActive()).isTrue();
        }
    }

    @Test
    void shouldGoNoFasterThanItsRate() {
        publish("t", 0, 2_000, SHORT);
        // Before anything can come: what comes while this thread stands still is there at once later.
        final PenstockClient client = connect();
        final long startNs = System.nanoTime();
        try (MessageStream stream = client.stream(ReplayRequest.topic("t").rate(ReplayRate.messages(1_000)))) {
            expect(stream, 0, 300);
            // Ten milliseconds' worth may be saved up.
            assertThat(System.nanoTime() - startNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(270));
            stream.subscription().rate(ReplayRate.UNLIMITED);
            expect(stream, 300, 2_000);
            publish("t", 2_000, 10, SHORT);
            expect(stream, 2_000, 2_010);
        }
    }

    @Test
    void shouldEndWithItsRange() {
        publish("t", 0, 3_000, SHORT);
        final List<Bookmark> bookmarks = bookmarks("t", 2_000);
        final ReplayRequest request = ReplayRequest.topic("t")
                .from(LogPlace.including(bookmarks.get(500)))
                .to(LogPlace.bookmark(bookmarks.get(1_500)));
        try (MessageStream stream = connect().stream(request)) {
            int next = 500;
            for (final Message message : stream) {
                assertThat(number(message)).isEqualTo(next++);
            }
            assertThat(next).isEqualTo(1_500);
            assertThat(stream.subscription().completed()).succeedsWithin(LONG);
        }
    }

    @Test
    void shouldEndWhereTheLogEndedAtFirstWhenWhatComesIsPublishedAgainAndTheBrokerIsStartedAgain() {
        publish("t", 0, 1_000, LONG_PAYLOAD);
        publish("u", 0, 1_000, LONG_PAYLOAD);
        final PenstockClient client = connect(builder()
                .streamLimit(4)
                .streamLength(16 * 1024)
                .reconnectDelay(Duration.ofMillis(10), Duration.ofMillis(50))
                .onDisconnect(DisconnectHandler.RECONNECT));
        try (MessageStream stream = client.stream(ReplayRequest.pattern("[tu]").to(LogPlace.NOW))) {
            publishAgain(stream, 700);
            final BrokerConfig again = config(broker().endpoints().get(0).toString());
            closeBroker();
            launch(again);
            publishAgain(stream, 1_300);
            assertThat(stream.subscription().completed()).succeedsWithin(LONG);
            assertThat(stream.iterator().hasNext()).isFalse();
        }
    }

    private void publishAgain(final MessageStream stream, final int count) {
        try (PenstockClient publisher = PenstockClient.connect(builder().build())) {
            for (int i = 0; i < count; i++) {
                final Message message = taken(stream);
                publisher.publish(message.topic(), message.text());
            }
            publisher.flush(LONG);
        }
    }

    @Test
    void shouldGoOnWhereItWasWhenTheBrokerStartsAgainFromASnapshot() {
        publish("k", 0, 3_000, SHORT);
        broker().snapshot();
        while (broker().counter("snapshots") == 0) {
            Thread.onSpinWait();
        }
        final PenstockClient client = connect(builder()
                .streamLimit(4)
                .streamLength(16 * 1024)
                .reconnectDelay(Duration.ofMillis(10), Duration.ofMillis(50))
                .onDisconnect(DisconnectHandler.RECONNECT));
        try (MessageStream stream = client.stream(ReplayRequest.topic("k"))) {
            expect(stream, 0, 1_000);
            final BrokerConfig again = config(broker().endpoints().get(0).toString());
            closeBroker();
            launch(again);
            expect(stream, 1_000, 3_000);
            publish("k", 3_000, 500, SHORT);
            expect(stream, 3_000, 3_500);
        }
    }

    /** Takes messages, each once and in order. */
    private static void expect(final MessageStream stream, final int from, final int to) {
        for (int n = from; n < to; n++) {
            assertThat(number(taken(stream))).isEqualTo(n);
        }
    }

    private static int number(final Message message) {
        final String text = message.text();
        return Integer.parseInt(text, "{\"n\":".length(), text.indexOf(','), 10);
    }

    private List<Bookmark> bookmarks(final String topic, final int count) {
        try (MessageStream stream = connect().stream(ReplayRequest.topic(topic))) {
            return IntStream.range(0, count)
                    .mapToObj(n -> {
                        final Message message = taken(stream);
                        return Bookmark.of(message.shard(), message.sequence());
                    })
                    .toList();
        }
    }

    /** Publishes messages, and waits until they are on stable storage. */
    private void publish(final String topic, final int from, final int count, final int length) {
        final ClientConfig.Builder config = builder();
        try (PenstockClient publisher = PenstockClient.connect(config.build())) {
            publish(publisher, topic, from, count, length);
        }
    }

    private static void publish(
            final PenstockClient publisher, final String topic, final int from, final int count, final int length) {
        for (int n = from; n < from + count - 1; n++) {
            publisher.publish(topic, text(n, length));
        }
        assertThat(publisher.publish(topic, text(from + count - 1, length), AckType.PERSISTED))
                .succeedsWithin(LONG);
    }

    private static String text(final int number, final int length) {
        final String head = "{\"n\":" + number + ",\"pad\":\"";
        return head + "x".repeat(length - head.length() - 2) + "\"}";
    }

    /** A publisher to topic t with a thread of its own. */
    private final class Publishing implements AutoCloseable {
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final PenstockClient publisher =
                PenstockClient.connect(builder().build());
        private final Thread thread;

        Publishing(final int from, final int count, final int length) {
            thread = new Thread(() -> {
                try {
                    publish(publisher, "t", from, count, length);
                } catch (final RuntimeException | AssertionError e) {
                    failure.set(e);
                }
            });
            thread.start();
        }

        void join() {
            try {
                thread.join();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            assertThat(failure.get()).isNull();
        }

        @Override
        public void close() {
            publisher.close();
            join();
        }
    }

    /** Runs a broker that has no threads. */
    private static final class Driver {
        private final Thread thread;

        Driver(final Broker broker) {
            thread = new Thread(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    if (broker.invoke() == 0) {
                        LockSupport.parkNanos(20_000);
                    }
                }
            });
            thread.start();
        }

        void stop() {
            thread.interrupt();
            try {
                thread.join();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
