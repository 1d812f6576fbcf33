package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.engine.EngineHooks;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.DeliveryKind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Subscriptions to the log that have no name. */
class ReplaySubscriptionTest {
    private static final ReplayRequest ORDERS = ReplayRequest.topic("orders");

    @Test
    void shouldEndWithoutAReasonWhenARangeIsCompleted() {
        try (ClientFixture fixture = fixture("range-completed")) {
            final Subscription range = subscribed(fixture, ORDERS.to(LogPlace.NOW));
            fixture.broker.deliver(1, 3, 9, "a", "b");
            fixture.poll();
            assertThat(range.completed()).isNotDone();
            fixture.broker.ack(AckType.COMPLETED, 2);
            fixture.poll();
            assertThat(range.completed()).isCompleted();
            assertThat(range.isActive()).isFalse();
            range.close();
            fixture.poll();
            assertThat(fixture.broker.commands())
                    .as("its id is free at the broker")
                    .isEmpty();
            assertThat(fixture.events()).containsExactly("message orders 9 a", "message orders 10 b", "completed 1");
        }
    }

    @Test
    void shouldGoOnAfterCompletedWhenThereIsNoEnd() {
        try (ClientFixture fixture = fixture("open-completed")) {
            final Subscription open = subscribed(fixture, ORDERS);
            fixture.broker.ack(AckType.COMPLETED, 2);
            fixture.broker.deliver(1, 3, 9, "a");
            fixture.poll();
            assertThat(open.completed()).isCompleted();
            assertThat(open.isActive()).isTrue();

            fixture.reconnect(3);
            assertThat(fixture.broker.commands()).containsExactly("subscribe_from 4 1 orders 0:9");
            fixture.broker.ack(AckType.PROCESSED, 4);
            fixture.broker.ack(AckType.COMPLETED, 4);
            fixture.broker.topic(0, 3, "orders");
            fixture.broker.deliver(1, 3, 9, "repeated", "b");
            fixture.poll();
            assertThat(fixture.events())
                    .as("completed is reported once")
                    .containsExactly("completed 1", "message orders 9 a", "message orders 10 b");
        }
    }

    @Test
    void shouldEndOnANewConnectionWhereItWasToEndAtFirst() {
        try (ClientFixture fixture = fixture("end-reconnect")) {
            final ReplayRequest request = ORDERS.to(LogPlace.NOW);
            final Subscription range = fixture.client.newReplay(request, handler(fixture));
            assertThat(fixture.client.subscribeAsync(range)).isNotDone();
            fixture.poll();
            fixture.broker.replayBegin(2, 0, 5, 20);
            fixture.broker.replayBegin(2, 1, 0, 0);
            fixture.broker.ack(AckType.PROCESSED, 2);
            fixture.broker.topic(0, 3, "orders");
            fixture.broker.deliver(1, 3, 9, "a");
            fixture.poll();

            fixture.reconnect(3);
            assertThat(fixture.broker.commands()).containsExactly("subscribe_from 4 1 orders 0:9,1:0 to NOW 0:20,1:0");
            fixture.broker.replayBegin(4, 0, 9, 30);
            fixture.reconnect(5);
            assertThat(fixture.broker.commands())
                    .as("the first end is the one")
                    .containsExactly("subscribe_from 6 1 orders 0:9,1:0 to NOW 0:20,1:0");
        }
    }

    @Test
    void shouldNotCountAsTheAnswerToAPublishBeforeIt() {
        try (ClientFixture fixture = fixture("completed-beside-publish")) {
            final byte[] payload = {1};
            fixture.client.tryPublish(
                    Publication.to("orders").bytes(payload), AckType.COMPLETED.mask(), fixture.acks(), 77);
            final Subscription range = subscribed(fixture, ORDERS.to(LogPlace.NOW), 3);
            fixture.broker.ack(AckType.COMPLETED, 3);
            fixture.poll();
            assertThat(range.completed()).isCompleted();
            assertThat(fixture.events()).containsExactly("completed 1");
            fixture.broker.ack(AckType.COMPLETED, 2);
            fixture.poll();
            assertThat(fixture.events()).containsExactly("ack 77 COMPLETED 0");
        }
    }

    @Test
    void shouldFailCompletedWhenTheSubscriptionEndsBefore() {
        try (ClientFixture fixture = fixture("ends-before-completed")) {
            final Subscription range = subscribed(fixture, ORDERS.to(LogPlace.NOW));
            final CompletableFuture<@Nullable Void> completed = range.completed();
            fixture.broker.error(0, 1, ErrorCode.JOURNAL_FAILED, "sequence 7 cannot be read");
            fixture.poll();
            assertThat(completed).isCompletedExceptionally();
            assertThat(fixture.events()).hasSize(1).first().asString().contains("sequence 7 cannot be read");
        }
    }

    @Test
    void shouldHaveItsPaceOnANewConnection() {
        try (ClientFixture fixture = fixture("pace-reconnect")) {
            final Subscription open = subscribed(fixture, ORDERS);
            EngineHooks.pacedAndPaused(open.active(), ReplayRate.messages(5));
            fixture.reconnect(3);
            assertThat(fixture.broker.commands())
                    .containsExactly("subscribe_from 4 1 orders ", "pace 5 1 RATE 5", "pace 6 1 PAUSE 0");
        }
    }

    @Test
    void shouldBeWhatItWasReplacedWithOnANewConnection() {
        try (ClientFixture fixture = fixture("replaced-reconnect")) {
            final Subscription open = subscribed(fixture, ORDERS);
            EngineHooks.pacedAndPaused(open.active(), ReplayRate.messages(5));
            EngineHooks.replaced(open.active(), SubscribeRequest.topic("quotes").filter("price > 5"));
            fixture.reconnect(3);
            assertThat(fixture.broker.commands()).containsExactly("subscribe 4 1 quotes price > 5");
        }
    }

    @Test
    void shouldHandOverWhatItWasReplacedWithWhateverItsSequencesAre() {
        try (ClientFixture fixture = fixture("replaced-sequences")) {
            final Subscription open = subscribed(fixture, ORDERS);
            fixture.broker.deliver(1, 3, 9, "a");
            fixture.poll();
            EngineHooks.replaced(open.active(), SubscribeRequest.topic("orders").sow());
            fixture.broker.deliverRecord(DeliveryKind.SOW, 1, 3, 4, "", "record");
            fixture.poll();
            assertThat(fixture.events()).containsExactly("message orders 9 a", "message orders 4 record");

            fixture.reconnect(3);
            fixture.broker.ack(AckType.PROCESSED, 4);
            fixture.broker.topic(0, 3, "orders");
            fixture.broker.deliver(1, 3, 1, "of a new log");
            fixture.poll();
            assertThat(fixture.events()).containsExactly("message orders 1 of a new log");
        }
    }

    @Test
    void shouldNotEndWithTheRangeThatItWasReplacedIn() {
        try (ClientFixture fixture = fixture("replaced-range")) {
            final Subscription range = subscribed(fixture, ORDERS.to(LogPlace.NOW));
            EngineHooks.replaced(range.active(), SubscribeRequest.topic("quotes"));
            fixture.broker.ack(AckType.COMPLETED, 2);
            fixture.poll();
            assertThat(range.completed()).isCompleted();
            assertThat(range.isActive()).isTrue();
        }
    }

    @Test
    void shouldRefuseWhatOnlyNamedOnesOrThoseToTheLogCan() {
        try (ClientFixture fixture = fixture("not-named")) {
            final Subscription open = subscribed(fixture, ORDERS);
            assertThatThrownBy(() -> open.acknowledge(0, 1)).hasMessageContaining("has no name");
            final Subscription plain = fixture.client.newSubscription(SubscribeRequest.topic("orders"), message -> {});
            assertThatThrownBy(plain::completed)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is not to the log");
        }
    }

    private static ClientFixture fixture(final String name) {
        return new ClientFixture(
                        name,
                        config -> config.reconnect().reconnectDelay(Duration.ofMillis(100), Duration.ofMillis(400)))
                .loggedOn();
    }

    private static Subscription subscribed(final ClientFixture fixture, final ReplayRequest request) {
        return subscribed(fixture, request, 2);
    }

    private static Subscription subscribed(
            final ClientFixture fixture, final ReplayRequest request, final long commandId) {
        final Subscription subscription = fixture.client.newReplay(request, handler(fixture));
        final CompletableFuture<Subscription> accepted = fixture.client.subscribeAsync(subscription);
        fixture.poll();
        assertThat(fixture.broker.commands()).last().asString().startsWith("subscribe_from " + commandId + " 1 orders");
        fixture.broker.ack(AckType.PROCESSED, commandId);
        fixture.broker.topic(0, 3, "orders");
        fixture.poll();
        assertThat(accepted).isCompleted();
        return subscription;
    }

    private static MessageHandler handler(final ClientFixture fixture) {
        final MessageHandler messages = fixture.messages();
        return new MessageHandler() {
            @Override
            public void onMessage(final MessageView message) {
                messages.onMessage(message);
            }

            @Override
            public void onCompleted(final Subscription subscription) {
                fixture.events.add("completed " + subscription.id());
            }

            @Override
            public void onEnd(final Subscription subscription, final PenstockException reason) {
                messages.onEnd(subscription, reason);
            }
        };
    }
}
