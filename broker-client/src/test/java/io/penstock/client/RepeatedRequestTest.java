package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.engine.CommandPoster;
import io.penstock.client.engine.EngineHooks;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.DeliveryKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of commands that were sent and not answered when the connection is lost. */
class RepeatedRequestTest {
    private static final int IN_FLIGHT_LIMIT = 8;

    private boolean isToReconnect = true;
    private final ClientFixture fixture = new ClientFixture(
            "repeated-request-test",
            config -> config.onDisconnect(disconnect -> isToReconnect)
                    .inFlightLimit(IN_FLIGHT_LIMIT)
                    .reconnectDelay(Duration.ofMillis(100), Duration.ofMillis(100)));
    private final PenstockClient client = fixture.client;
    private final ScriptedBroker broker = fixture.broker;
    private final CommandPoster poster = client.engine().poster();

    @BeforeEach
    void logOn() {
        fixture.loggedOn();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldSubscribeAgainWhenItWasNotAnswered() {
        final CompletableFuture<Subscription> created =
                client.subscribeAsync(SubscribeRequest.topic("orders"), fixture.messages());
        fixture.poll();
        assertThat(broker.commands()).containsExactly("subscribe 2 1 orders ");
        reconnect();
        assertThat(broker.commands()).containsExactly("logon 3 0 desk//", "subscribe 4 1 orders ");
        assertThat(created).isNotDone();
        broker.ack(AckType.PROCESSED, 4);
        broker.topic(0, 3, "orders");
        broker.deliver(1, 3, 7, "x");
        fixture.poll();
        assertThat(created.join().isActive()).isTrue();
        assertThat(fixture.events()).containsExactly("message orders 7 x");
    }

    @Test
    void shouldFailOnceWhenItIsRefusedAfterwards() {
        final CompletableFuture<Subscription> created =
                client.subscribeAsync(SubscribeRequest.topic("orders"), fixture.messages());
        fixture.poll();
        reconnect();
        broker.error(4, 0, ErrorCode.NOT_AUTHORIZED, "subscribe: not allowed: orders");
        fixture.poll();
        assertThat(failureOf(created)).hasMessage("subscribe: not allowed: orders");
        reconnect();
        assertThat(broker.commands()).last().isEqualTo("logon 5 0 desk//");
    }

    @Test
    void shouldFailAtOnceWhenTheClientDoesNotReconnect() {
        isToReconnect = false;
        final CompletableFuture<Subscription> created =
                client.subscribeAsync(SubscribeRequest.topic("orders"), fixture.messages());
        final CompletableFuture<SowStats> query = client.sowAsync(SowRequest.topic("prices"), fixture.messages());
        fixture.poll();
        broker.disconnect();
        fixture.poll();
        assertThat(failureOf(created))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("inproc:repeated-request-test: ");
        assertThat(failureOf(query)).isInstanceOf(ConnectionException.class);
    }

    @Test
    void shouldFailWhatWaitsWhenTheClientIsClosedBeforeItIsBack() {
        final CompletableFuture<SowStats> query = client.sowAsync(SowRequest.topic("prices"), fixture.messages());
        fixture.poll();
        broker.disconnect();
        fixture.poll();
        assertThat(query).isNotDone();
        client.close();
        fixture.poll();
        assertThat(failureOf(query)).isInstanceOf(ConnectionException.class);
    }

    @Test
    void shouldAskAgainWhenNothingOfTheAnswerWasHandedOver() {
        final CompletableFuture<SowStats> query = client.sowAsync(SowRequest.topic("prices"), fixture.messages());
        fixture.poll();
        reconnect();
        reconnect();
        assertThat(broker.commands())
                .containsExactly(
                        "sow 2 1 prices ",
                        "logon 3 0 desk//",
                        "sow 4 1 prices ",
                        "logon 5 0 desk//",
                        "sow 6 1 prices ");
        broker.topic(0, 7, "prices");
        broker.groupBegin(1, 9);
        broker.deliverRecord(DeliveryKind.SOW, 1, 7, 1, "", "{}");
        broker.groupEnd(1, 1, 1, 1);
        broker.ack(AckType.COMPLETED, 6);
        fixture.poll();
        assertThat(query.join().returned()).isEqualTo(1);
        assertThat(fixture.events()).containsExactly("message prices 1 {}");
    }

    @Test
    void shouldFailWhatLosesOneConnectionAfterTheOther() {
        final CompletableFuture<SowStats> query = client.sowAsync(SowRequest.topic("prices"), fixture.messages());
        fixture.poll();
        for (int i = 0; i < EngineHooks.REPETITION_COUNT_MAX; i++) {
            reconnect();
            assertThat(query).isNotDone();
        }
        reconnect();
        assertThat(failureOf(query)).isInstanceOf(ConnectionException.class);
    }

    @Test
    void shouldFailTheQueryWhenAHandlerHasHadAPart() {
        final CompletableFuture<SowStats> query = client.sowAsync(SowRequest.topic("prices"), fixture.messages());
        answerPart();
        reconnect();
        assertThat(failureOf(query)).isInstanceOf(ConnectionException.class);
        assertThat(broker.commands()).last().isEqualTo("logon 3 0 desk//");
    }

    @Test
    void shouldForgetAPartThatNobodyHasSeen() {
        final MessageList list = new MessageList("prices", 10_000);
        final CompletableFuture<SowStats> query = client.engine().sowAsync(SowRequest.topic("prices"), list);
        fixture.poll();
        deliverPart();
        reconnect();
        deliverPart();
        broker.groupEnd(1, 1, 1, 1);
        broker.ack(AckType.COMPLETED, 4);
        fixture.poll();
        assertThat(query).isCompleted();
        assertThat(list.messages()).hasSize(1);
    }

    @Test
    void shouldRepeatWhatDoesNoHarmAfterTheSubscriptionsAndInItsOrder() {
        final Subscription subscription = subscribed();
        final CompletableFuture<List<Stat>> stats = EngineHooks.stat(poster, "s");
        assertThat(EngineHooks.topics(poster, "t")).isNotDone();
        assertThat(EngineHooks.pause(poster, subscription.active())).isNotDone();
        final CompletableFuture<?> flush = EngineHooks.flush(poster);
        final CompletableFuture<Long> delete = EngineHooks.sowDelete(poster, "orders", "TRUE");
        fixture.poll();
        broker.stat(3, "sent", 1);
        fixture.poll();
        broker.commands();
        reconnect();
        assertThat(broker.commands())
                .containsExactly(
                        "logon 8 0 desk//", "subscribe 9 1 orders ", "stat 10 s", "topics 11 t", "pace 12 1 PAUSE 0");
        assertThat(failureOf(flush)).isInstanceOf(ConnectionException.class);
        assertThat(failureOf(delete)).isInstanceOf(ConnectionException.class);
        broker.stat(10, "sent", 2);
        broker.ack(AckType.COMPLETED, 10);
        fixture.poll();
        assertThat(stats.join()).as("without what came before").containsExactly(new Stat("sent", 2));
    }

    @Test
    void shouldNotRepeatWhatNobodyWaitsForAnyMore() {
        final CompletableFuture<SowStats> query = client.sowAsync(SowRequest.topic("prices"), fixture.messages());
        final CompletableFuture<Subscription> created =
                client.subscribeAsync(SubscribeRequest.topic("orders"), fixture.messages());
        final CompletableFuture<List<TopicInfo>> topics = EngineHooks.topics(poster, "t");
        fixture.poll();
        broker.disconnect();
        fixture.poll();
        broker.commands();
        query.cancel(false);
        created.cancel(false);
        topics.cancel(false);
        fixture.clock.advanceMillis(100);
        fixture.poll();
        broker.logonAck(5);
        fixture.poll();
        assertThat(broker.commands())
                .as("an unsubscribe of what the broker does not know does no harm")
                .containsExactly("logon 5 0 desk//", "unsubscribe 6 1");
    }

    @Test
    void shouldNotHoldRoomForCommandsThatHaveEnded() {
        for (int i = 0; i < 5; i++) {
            final CompletableFuture<SowStats> query = client.sowAsync(SowRequest.topic("prices"), fixture.messages());
            fixture.poll();
            broker.disconnect();
            fixture.poll();
            query.cancel(false);
            fixture.clock.advanceMillis(100);
            fixture.poll();
            broker.logonAck(1);
            fixture.poll();
        }
        assertThat(client.isConnected()).isTrue();
    }

    @Test
    void shouldNotRenewWhatIsClosedWhileThereIsNoConnection() {
        final Subscription subscription = subscribed();
        broker.disconnect();
        fixture.poll();
        subscription.close();
        fixture.clock.advanceMillis(100);
        fixture.poll();
        broker.logonAck(3);
        fixture.poll();
        assertThat(broker.commands()).containsExactly("logon 3 0 desk//");
    }

    private Subscription subscribed() {
        final CompletableFuture<Subscription> created =
                client.subscribeAsync(SubscribeRequest.topic("orders"), fixture.messages());
        fixture.poll();
        broker.ack(AckType.PROCESSED, 2);
        fixture.poll();
        broker.commands();
        return created.join();
    }

    private void answerPart() {
        fixture.poll();
        deliverPart();
        assertThat(fixture.events()).containsExactly("message prices 1 {}");
    }

    private void deliverPart() {
        broker.topic(0, 7, "prices");
        broker.groupBegin(1, 9);
        broker.deliverRecord(DeliveryKind.SOW, 1, 7, 1, "", "{}");
        fixture.poll();
    }

    private void reconnect() {
        broker.disconnect();
        fixture.poll();
        fixture.clock.advanceMillis(100);
        fixture.poll();
        broker.logonAck(1);
        fixture.poll();
        assertThat(client.isConnected()).isTrue();
    }

    private static Throwable failureOf(final CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        return future.handle((value, failure) -> failure).join();
    }
}
