package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
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
}
