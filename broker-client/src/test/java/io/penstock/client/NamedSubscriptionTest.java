package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.ErrorCode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How far named subscriptions have come. */
class NamedSubscriptionTest {
    private final BookmarkStore store = BookmarkStore.inMemory();

    @Test
    void shouldSubscribeFromItsBookmarkOnEachConnection() {
        store.note("mine", 0, 9);
        try (ClientFixture fixture = new ClientFixture(
                "named-subscription-test",
                config -> config.bookmarkStore(store)
                        .reconnect()
                        .reconnectDelay(Duration.ofMillis(100), Duration.ofMillis(400)))) {
            fixture.loggedOn();
            final Subscription subscription =
                    fixture.client.newReplay("mine", ReplayRequest.topic("orders"), fixture.messages(), AckMode.AUTO);
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

    @Test
    void shouldRefuseASecondSubscriptionOfItsNameWhileTheFirstStands() {
        try (ClientFixture fixture = fixture("named-twice")) {
            final Subscription first = newReplay(fixture, "mine");
            assertThat(fixture.client.subscribeAsync(first)).isNotDone();
            fixture.poll();
            fixture.broker.ack(AckType.PROCESSED, 2);
            fixture.poll();
            assertThatThrownBy(() -> newReplay(fixture, "mine"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("subscribe: its name is in use by another subscription of this client: mine (close that"
                            + " one first, or give this one a name of its own)");
            assertThat(newReplay(fixture, "other").isActive()).isTrue();
            assertThat(first.isActive()).isTrue();
            fixture.broker.topic(0, 3, "orders");
            fixture.broker.deliver(1, 3, 1, "a");
            fixture.poll();
            assertThat(fixture.events()).containsExactly("message orders 1 a");
            assertThat(store.last("mine")).hasToString("0:1");
        }
    }

    @Test
    void shouldFreeItsNameWhenItIsClosedAndKeepThatOfItsSuccessor() {
        try (ClientFixture fixture = fixture("named-closed")) {
            final Subscription first = newReplay(fixture, "mine");
            assertThat(fixture.client.subscribeAsync(first)).isNotDone();
            fixture.poll();
            fixture.broker.ack(AckType.PROCESSED, 2);
            fixture.poll();
            first.close();
            newReplay(fixture, "mine");
            fixture.poll();
            first.close();
            assertThatThrownBy(() -> newReplay(fixture, "mine")).hasMessageContaining("in use");
        }
    }

    @Test
    void shouldFreeItsNameWhenTheBrokerRefusesOrEndsIt() {
        try (ClientFixture fixture = fixture("named-refused")) {
            final CompletableFuture<Subscription> refused = fixture.client.subscribeAsync(newReplay(fixture, "mine"));
            fixture.poll();
            fixture.broker.error(2, 0, ErrorCode.BOOKMARK_NOT_FOUND, "gone");
            fixture.poll();
            assertThat(refused).isCompletedExceptionally();
            assertThat(fixture.client.subscribeAsync(newReplay(fixture, "mine")))
                    .isNotDone();
            fixture.poll();
            fixture.broker.ack(AckType.PROCESSED, 3);
            fixture.broker.error(0, 2, ErrorCode.FELL_BEHIND, "too slow");
            fixture.poll();
            assertThat(fixture.events()).containsExactly("end 2 too slow");
            newReplay(fixture, "mine");
        }
    }

    @Test
    void shouldFreeItsNameWhenItCannotBeMade() throws Exception {
        try (BrokerThread broker = new BrokerThread("tcp://127.0.0.1:0");
                PenstockClient client = PenstockClient.connect(ClientConfig.builder(broker.endpoint())
                        .requestTimeout(Duration.ofMillis(50))
                        .closeTimeout(Duration.ofMillis(50))
                        .bookmarkStore(store)
                        .build())) {
            final ReplayRequest request = ReplayRequest.topic("orders");
            broker.ignore("subscribe_from");
            assertThatThrownBy(() -> client.stream("mine", request)).isInstanceOf(NoReplyException.class);
            assertThatThrownBy(() -> client.stream("mine", request)).isInstanceOf(NoReplyException.class);
        }
    }

    private ClientFixture fixture(final String name) {
        return new ClientFixture(name, config -> config.bookmarkStore(store)).loggedOn();
    }

    private static Subscription newReplay(final ClientFixture fixture, final String name) {
        return fixture.client.newReplay(name, ReplayRequest.topic("orders"), fixture.messages(), AckMode.AUTO);
    }
}
