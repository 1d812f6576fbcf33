package io.penstock.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.AckType;
import io.penstock.client.BookmarkStore;
import io.penstock.client.PenstockClient;
import io.penstock.spring.ClientConfigSource;
import io.penstock.spring.Eventually;
import io.penstock.spring.LogCapture;
import io.penstock.spring.TestBroker;
import io.penstock.spring.TestContext;
import io.penstock.spring.annotation.PenstockListener;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A durable listener, its broker over TCP, and restarts of both. */
class DurableListenerTest {
    private static final List<Integer> SEEN = new CopyOnWriteArrayList<>();

    @TempDir
    Path directory;

    private TestBroker broker;

    /** A payload. */
    record Numbered(int n) {}

    static class Counting {
        @PenstockListener(id = "counting", topic = "orders", durable = "counting", from = "beginning", credit = "8192")
        void on(final Numbered numbered) {
            SEEN.add(numbered.n());
        }
    }

    static class Manual {
        @PenstockListener(id = "manual", topic = "orders", durable = "manual", from = "beginning", ackMode = "manual")
        void on(final Numbered numbered, final Acknowledgment acknowledgment) {
            SEEN.add(numbered.n());
            if (numbered.n() < 5) {
                acknowledgment.acknowledge();
            }
        }
    }

    @BeforeEach
    void start() {
        broker = TestBroker.journaled(directory.resolve("journal"));
    }

    @AfterEach
    void close() {
        broker.close();
        SEEN.clear();
    }

    private ClientConfigSource clients() {
        return purpose -> purpose.isEmpty()
                ? broker.builder()
                        .name("desk")
                        .bookmarkStore(BookmarkStore.inFile(directory.resolve("bookmarks"), 1))
                        .build()
                : broker.builder().build();
    }

    private void publish(final int from, final int to) throws Exception {
        try (PenstockClient client = broker.client()) {
            for (int i = from; i < to - 1; i++) {
                client.publish("orders", "{\"n\":" + i + "}");
            }
            client.publish("orders", "{\"n\":" + (to - 1) + "}", AckType.PERSISTED)
                    .get(30, TimeUnit.SECONDS);
        }
    }

    private static List<Integer> numbers(final int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    @Test
    void shouldWarnOnceWhenBookmarksEndWithTheProgram() {
        final BookmarkStore forgotten = BookmarkStore.inMemory();
        try (LogCapture log = new LogCapture(PenstockListenerContainer.class);
                TestContext context = TestContext.start(
                        purpose -> broker.builder()
                                .name("desk")
                                .bookmarkStore(forgotten)
                                .build(),
                        Counting.class)) {
            context.container("counting").stop();
            context.container("counting").start();
            assertThat(log.texts())
                    .filteredOn(text -> text.contains("penstock.bookmark-store.kind=file"))
                    .singleElement()
                    .asString()
                    .startsWith("listener counting of orders");
        }
    }

    @Test
    void shouldNotWarnWhenBookmarksAreInAFile() {
        try (LogCapture log = new LogCapture(PenstockListenerContainer.class);
                TestContext context = TestContext.start(clients(), Counting.class)) {
            assertThat(context.container("counting").isRunning()).isTrue();
            assertThat(log.has("bookmark-store")).isFalse();
        }
    }

    @Test
    void shouldLoseNothingAndRepeatNothingWhenTheBrokerRestarts() throws Exception {
        try (TestContext context = TestContext.start(clients(), Counting.class)) {
            publish(0, 2000);
            broker.stop();
            broker.start();
            publish(2000, 3000);
            broker.stop();
            broker.start();
            publish(3000, 4000);

            Eventually.await("all came, and there are " + SEEN.size(), () -> SEEN.size() >= 4000);
            assertThat(SEEN).isEqualTo(numbers(4000));
            assertThat(context.container("counting").getState()).isEqualTo(ContainerState.RUNNING);
        }
    }

    @Test
    void shouldGoOnWhereItWasWhenTheProgramRestarts() throws Exception {
        publish(0, 100);
        try (TestContext context = TestContext.start(clients(), Counting.class)) {
            Eventually.await("the first came", () -> SEEN.size() == 100);
            assertThat(context.connection().isConnected()).isTrue();
        }
        publish(100, 200);
        try (TestContext context = TestContext.start(clients(), Counting.class)) {
            Eventually.await("the others came", () -> SEEN.size() >= 200);
            assertThat(context.connection().isConnected()).isTrue();
        }
        assertThat(SEEN).isEqualTo(numbers(200));
    }

    @Test
    void shouldBringMessagesAgainThatWereNotAcknowledgedWhenTheProgramRestarts() throws Exception {
        publish(0, 10);
        try (TestContext context = TestContext.start(clients(), Manual.class)) {
            Eventually.await("all came", () -> SEEN.size() == 10);
            assertThat(context.connection().isConnected()).isTrue();
        }
        SEEN.clear();
        try (TestContext context = TestContext.start(clients(), Manual.class)) {
            Eventually.await("they came again", () -> SEEN.size() >= 5);
            assertThat(context.connection().isConnected()).isTrue();
        }
        assertThat(SEEN).containsExactly(5, 6, 7, 8, 9);
    }
}
