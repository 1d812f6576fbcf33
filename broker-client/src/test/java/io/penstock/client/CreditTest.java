package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.engine.EngineHooks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Subscriptions that the broker sends no more of than they have credit for. */
class CreditTest {
    private static final ReplayRequest ORDERS = ReplayRequest.topic("orders");

    /** Of messages of one character: 48 bytes, and then up to a multiple of 8. */
    private static final int EACH = 56;

    private static ClientFixture fixture(final String name) {
        return new ClientFixture(
                        name,
                        config -> config.reconnect().reconnectDelay(Duration.ofMillis(100), Duration.ofMillis(400)))
                .loggedOn();
    }

    private static Subscription subscribed(
            final ClientFixture fixture, final Function<PenstockClient, Subscription> subscriptions) {
        final Subscription subscription = subscriptions.apply(fixture.client);
        final CompletableFuture<Subscription> accepted = fixture.client.subscribeAsync(subscription);
        fixture.poll();
        fixture.broker.ack(AckType.PROCESSED, 2);
        fixture.broker.topic(0, 3, "orders");
        fixture.poll();
        assertThat(accepted).isCompleted();
        return subscription;
    }

    private static Subscription replay(final ClientFixture fixture, final long credit) {
        final ReplayRequest request = ORDERS.credit(credit);
        return subscribed(fixture, client -> client.newReplay(request, fixture.messages()));
    }

    @Test
    void shouldHaveItsFirstCreditWithoutBeingAsked() {
        try (ClientFixture fixture = fixture("credit-first")) {
            replay(fixture, 1000);
            assertThat(fixture.broker.commands()).containsExactly("subscribe_from 2 1 orders ", "pace 3 1 CREDIT 1000");
        }
    }

    @Test
    void shouldHaveCreditWhenItIsNotToTheLog() {
        try (ClientFixture fixture = fixture("credit-live")) {
            subscribed(
                    fixture,
                    client -> client.newSubscription(
                            SubscribeRequest.topic("orders").credit(70), fixture.messages()));
            assertThat(fixture.broker.commands()).last().isEqualTo("pace 3 1 CREDIT 70");
        }
    }

    @Test
    void shouldSendAtOnceWhatWasGrantedMeanwhile() {
        try (ClientFixture fixture = fixture("credit-more")) {
            final Subscription subscription = replay(fixture, 1000);
            fixture.broker.commands();
            fixture.broker.deliver(1, 3, 9, "a", "b");
            fixture.poll();
            assertThat(fixture.broker.commands())
                    .as("what was seen is not given back")
                    .isEmpty();
            subscription.credit(EACH);
            subscription.credit(EACH);
            fixture.poll();
            assertThat(fixture.broker.commands()).containsExactly("pace 4 1 CREDIT " + 2 * EACH);
            subscription.credit(1);
            fixture.poll();
            assertThat(fixture.broker.commands()).containsExactly("pace 5 1 CREDIT 1");
        }
    }

    @Test
    void shouldHaveOnANewConnectionWhatIsLeft() {
        try (ClientFixture fixture = fixture("credit-reconnect")) {
            final Subscription subscription = replay(fixture, 1000);
            fixture.broker.deliver(1, 3, 9, "a", "b", "c");
            fixture.poll();
            subscription.credit(EACH);
            fixture.poll();
            fixture.reconnect(5);
            assertThat(fixture.broker.commands())
                    .containsExactly("subscribe_from 6 1 orders 0:11", "pace 7 1 CREDIT " + (1000 - 2 * EACH));
        }
    }

    @Test
    void shouldSendOnANewConnectionWhatWasGrantedWithoutOne() {
        try (ClientFixture fixture = fixture("credit-disconnected")) {
            final Subscription subscription = replay(fixture, 1000);
            fixture.broker.disconnect();
            fixture.poll();
            subscription.credit(500);
            fixture.poll();
            fixture.clock.advanceMillis(100);
            fixture.poll();
            fixture.broker.commands();
            fixture.broker.logonAck(4);
            fixture.poll();
            assertThat(fixture.broker.commands()).containsExactly("subscribe_from 5 1 orders ", "pace 6 1 CREDIT 1500");
        }
    }

    @Test
    void shouldGiveBackWhatTheProgramDoesNotSee() {
        try (ClientFixture fixture = fixture("credit-repeated")) {
            replay(fixture, 1000);
            fixture.broker.deliver(1, 3, 9, "a");
            fixture.poll();
            fixture.reconnect(4);
            fixture.broker.commands();
            fixture.broker.ack(AckType.PROCESSED, 5);
            fixture.broker.topic(0, 3, "orders");
            fixture.broker.deliver(1, 3, 9, "repeated", "b");
            fixture.poll();
            assertThat(fixture.broker.commands()).containsExactly("pace 7 1 CREDIT " + EACH);
        }
    }

    @Test
    void shouldSayNothingWhenItHasEnded() {
        try (ClientFixture fixture = fixture("credit-ended")) {
            final Subscription subscription = replay(fixture, 1000);
            fixture.broker.error(0, 1, io.penstock.protocol.ErrorCode.JOURNAL_FAILED, "gone");
            fixture.poll();
            fixture.broker.commands();
            subscription.credit(5);
            fixture.poll();
            assertThat(fixture.broker.commands()).isEmpty();
        }
    }

    @Test
    void shouldNeedNoneWhenItWasReplaced() {
        try (ClientFixture fixture = fixture("credit-replaced")) {
            final Subscription subscription = replay(fixture, 1000);
            EngineHooks.replaced(subscription.active(), SubscribeRequest.topic("quotes"));
            subscription.credit(1);
            fixture.reconnect(4);
            assertThat(fixture.broker.commands()).containsExactly("subscribe 5 1 quotes ");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void shouldRefuseToTakeCreditBack(final long length) {
        try (ClientFixture fixture = fixture("credit-wrong")) {
            final Subscription subscription = replay(fixture, 1000);
            assertThatThrownBy(() -> subscription.credit(length))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("too small: " + length);
        }
    }

    @Test
    void shouldRefuseCreditWhenItWasMadeWithout() {
        try (ClientFixture fixture = fixture("credit-without")) {
            final Subscription subscription = replay(fixture, 0);
            assertThatThrownBy(() -> subscription.credit(1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("made without credit");
            assertThatThrownBy(() -> ORDERS.credit(-1)).hasMessageContaining("credit is negative: -1");
            assertThatThrownBy(() -> SubscribeRequest.topic("t").credit(-1)).hasMessageContaining("negative: -1");
        }
    }

    @Test
    void shouldRefuseAStreamThatNobodyWouldGiveCredit() {
        try (ClientFixture fixture = fixture("credit-stream")) {
            assertThatThrownBy(() -> fixture.client.stream(ORDERS.credit(5)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("stream: credit of 5");
            assertThat(fixture.broker.commands()).isEmpty();
        }
    }
}
