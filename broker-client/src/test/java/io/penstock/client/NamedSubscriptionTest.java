package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** How far named subscriptions have come. */
class NamedSubscriptionTest {
    private final BookmarkStore store = BookmarkStore.inMemory();
    private final List<String> wakeups = new ArrayList<>();

    @Test
    void shouldNoteWhatItsHandlerHasSeenAndGoOnBehindIt() {
        final Replay replay = replay(Processing.RETURNED);
        replay.onBegin(0, 4, -1);
        replay.onBegin(1, 0, -1);
        assertThat(store.last("mine")).hasToString("0:4,1:0");
        take(replay, 0, 7);
        take(replay, 1, 2);
        assertThat(store.last("mine")).hasToString("0:7,1:2");
        assertThat(replay.isRepeated(0, 7)).isTrue();
        assertThat(replay.isRepeated(0, 8)).isFalse();
        assertThat(bookmarkOf(replay)).contains("0:7,1:2");
        assertThat(bookmarkOf(replay(Processing.RETURNED))).contains("0:7,1:2");
    }

    @Test
    void shouldNoteUpToTheFirstThatIsNotAcknowledged() {
        final Replay replay = replay(Processing.ACKNOWLEDGED);
        replay.onBegin(0, 0, -1);
        take(replay, 0, 1);
        take(replay, 0, 3);
        assertThat(replay.hasRoom()).isTrue();
        take(replay, 0, 5);
        assertThat(replay.hasRoom()).isFalse();
        replay.onProcessed(0, 3);
        assertThat(store.last("mine")).hasToString("0:0");
        assertThat(wakeups).isEmpty();
        replay.onProcessed(0, 1);
        assertThat(store.last("mine")).hasToString("0:3");
        assertThat(wakeups).containsExactly("wakeup");
        replay.onProcessed(0, 99);
        assertThat(store.last("mine")).hasToString("0:3");
        assertThat(bookmarkOf(replay)).as("on a new connection").contains("0:5");
        assertThat(bookmarkOf(replay(Processing.ACKNOWLEDGED)))
                .as("in a new run")
                .contains("0:3");
    }

    @Test
    void shouldSubscribeFromItsBookmarkOnEachConnection() {
        store.note("mine", 0, 9);
        try (ClientFixture fixture = new ClientFixture(
                "named-subscription-test",
                config -> config.bookmarkStore(store)
                        .reconnect()
                        .reconnectDelay(Duration.ofMillis(100), Duration.ofMillis(400)))) {
            fixture.loggedOn();
            final Subscription subscription = fixture.client.newReplay(
                    "mine", ReplayRequest.topic("orders"), new HandlerSink(fixture.messages()), Processing.RETURNED);
            assertThat(fixture.client.subscribeAsync(subscription)).isNotDone();
            fixture.poll();
            assertThat(fixture.broker.commands()).containsExactly("subscribe_from 2 1 orders 0:9");
            fixture.broker.ack(AckType.PROCESSED, 2);
            fixture.broker.topic(0, 3, "orders");
            fixture.broker.deliver(1, 3, 9, "repeated", "a", "b");
            fixture.poll();
            assertThat(fixture.events()).containsExactly("message orders 10 a", "message orders 11 b");
            assertThat(store.last("mine")).hasToString("0:11");

            fixture.broker.disconnect();
            fixture.poll();
            fixture.clock.advanceMillis(100);
            fixture.poll();
            fixture.broker.commands();
            fixture.broker.logonAck(3);
            fixture.poll();
            assertThat(fixture.broker.commands()).containsExactly("subscribe_from 4 1 orders 0:11");
        }
    }

    @Test
    void shouldAskForAStoreAndAName() {
        try (ClientFixture fixture = new ClientFixture("named-without-store", config -> config)) {
            assertThatThrownBy(() -> fixture.client.stream("mine", ReplayRequest.topic("orders")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no bookmark store");
        }
    }

    private Replay replay(final Processing processing) {
        return new Replay("mine", ReplayRequest.topic("orders"), store, processing, 3, () -> wakeups.add("wakeup"));
    }

    private static void take(final Replay replay, final int shard, final long sequence) {
        replay.onOffered(shard, sequence);
        replay.onTaken(shard, sequence);
    }

    private static String bookmarkOf(final Replay replay) {
        final CommandFrame frame = replay.frame(1);
        final byte[] bytes = new byte[frame.length()];
        new UnsafeBuffer(frame.buffer(), 0, frame.length()).getBytes(0, bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
