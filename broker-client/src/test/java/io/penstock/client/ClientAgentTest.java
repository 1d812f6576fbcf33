package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClientAgentTest {
    private final List<Disconnect> disconnects = new ArrayList<>();
    private boolean isToReconnect;
    private int reconnectCount;
    private final ClientFixture fixture = new ClientFixture(
            "client-agent-test",
            config -> config.ringLength(ClientConfig.RING_LENGTH_MIN)
                    .inFlightLimit(4)
                    .publishTimeout(Duration.ZERO)
                    .reconnectDelay(Duration.ofMillis(100), Duration.ofMillis(400))
                    .onDisconnect(new DisconnectHandler() {
                        @Override
                        public boolean onDisconnect(final Disconnect disconnect) {
                            disconnects.add(disconnect);
                            return isToReconnect;
                        }

                        @Override
                        public void onReconnect(final int attempt) {
                            reconnectCount = attempt;
                        }
                    }));
    private final PenstockClient client = fixture.client;
    private final ScriptedBroker broker = fixture.broker;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldPublishInOrder() {
        fixture.loggedOn();
        client.publish("orders", "a");
        client.publish("trädes", "b".getBytes(StandardCharsets.UTF_8));
        client.publish("orders", new UnsafeBuffer("xcx".getBytes(StandardCharsets.UTF_8)), 1, 1);
        fixture.poll();
        assertThat(broker.commands())
                .containsExactly("publish 2 0 0 orders a", "publish 3 0 0 trädes b", "publish 4 0 0 orders c");
    }

    @Test
    void shouldFindEachCommandAtOnceWhereItsRingWraps() {
        fixture.loggedOn();
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[1_000]);
        for (int i = 0; i < 3 * ClientConfig.RING_LENGTH_MIN / payload.capacity(); i++) {
            client.publish("orders", payload, 0, payload.capacity());
            // An agent that finds no work waits for the next wake-up.
            assertThat(fixture.agent.doWork()).as("work at message %d", i).isPositive();
            fixture.poll();
        }
    }

    @Test
    void shouldFailAllThatWaitsWhenClosedWhereItsRingWraps() {
        fixture.loggedOn();
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[50_000]);
        final int fits = ClientConfig.RING_LENGTH_MIN / payload.capacity();
        for (int i = 0; i < fits - 2; i++) {
            client.publish("orders", payload, 0, payload.capacity());
            fixture.poll();
        }
        final List<CompletableFuture<Ack>> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiting.add(
                    client.publish(Publication.to("orders").bytes(payload, 0, payload.capacity()), AckType.PROCESSED));
        }
        fixture.agent.end(new ConnectionException("test is over", null));
        assertThat(waiting).allSatisfy(each -> assertThat(each).isCompletedExceptionally());
    }

    @Test
    void shouldCompleteFuturesByConflatedAcks() {
        fixture.loggedOn();
        final CompletableFuture<Ack> first = client.publish("orders", "a", AckType.PERSISTED);
        final CompletableFuture<Ack> second =
                client.publish(Publication.to("orders").bytes(new byte[1]).publisherSequence(17), AckType.PERSISTED);
        final CompletableFuture<Ack> third = client.publish("orders", "c", AckType.PERSISTED);
        fixture.poll();
        broker.error(3, 0, ErrorCode.BAD_MESSAGE, "payload: not JSON");
        broker.ack(AckType.PERSISTED, 4);
        fixture.poll();
        assertThat(first).isCompletedWithValue(new Ack(AckType.PERSISTED, 0, false));
        assertThat(third).isCompleted();
        assertThat(failureOf(second))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        reason -> assertThat(reason.errorCode()).isEqualTo(ErrorCode.BAD_MESSAGE))
                .hasMessage("payload: not JSON");
    }

    @Test
    void shouldNotifyHandlersOfEachAckType() {
        fixture.loggedOn();
        assertThat(tryPublish(100, AckType.PROCESSED.mask() | AckType.PERSISTED.mask()))
                .isTrue();
        fixture.poll();
        assertThat(broker.commands()).containsExactly("publish 2 5 6 orders x");
        broker.ack(AckType.PROCESSED, 2, 5);
        broker.ack(AckType.PERSISTED, 2, 5);
        fixture.poll();
        assertThat(fixture.events()).containsExactly("ack 100 PROCESSED 5", "ack 100 PERSISTED 5");
    }

    @Test
    void shouldGoOnWhenAckHandlersThrow() {
        fixture.loggedOn();
        client.tryPublish(
                Publication.to("orders").bytes(new byte[1]), AckType.PROCESSED.mask(), new ThrowingAckHandler(), 0);
        assertThat(tryPublish(2, AckType.PROCESSED.mask())).isTrue();
        fixture.poll();
        broker.ack(AckType.PROCESSED, 3);
        fixture.poll();
        assertThat(fixture.events()).containsExactly("ack 2 PROCESSED 5");
    }

    @Test
    void shouldReportRefusedPublishesThatNobodyWaitsFor() {
        fixture.loggedOn();
        client.publish("orders", "a");
        fixture.poll();
        broker.error(2, 0, ErrorCode.NOT_AUTHORIZED, "publish: not allowed: orders");
        fixture.poll();
        assertThat(fixture.events()).containsExactly("publish error publish: not allowed: orders");
    }

    @Test
    void shouldRefuseMoreThanMayBeInFlight() {
        fixture.loggedOn();
        for (int i = 0; i < 4; i++) {
            assertThat(tryPublish(i, AckType.PROCESSED.mask())).isTrue();
        }
        assertThat(tryPublish(4, AckType.PROCESSED.mask())).isFalse();
        fixture.poll();
        assertThat(tryPublish(4, AckType.PROCESSED.mask())).isFalse();
        broker.ack(AckType.PROCESSED, 2);
        fixture.poll();
        assertThat(tryPublish(4, AckType.PROCESSED.mask())).isTrue();
    }

    @Test
    void shouldPushBackAtTheRingAndLoseNothing() {
        fixture.loggedOn();
        broker.isRefusing(true);
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[10_000]);
        int acceptedCount = 0;
        while (client.tryPublish("orders", payload, 0, payload.capacity())) {
            acceptedCount++;
            fixture.poll();
        }
        assertThat(acceptedCount).isLessThan(200);
        broker.isRefusing(false);
        fixture.poll();
        assertThat(broker.commands()).hasSize(acceptedCount);
        assertThat(client.tryPublish("orders", payload, 0, payload.capacity())).isTrue();
    }

    @Test
    void shouldSendLongMessagesFromTheirSlotsInOrder() {
        fixture.loggedOn();
        final byte[] payload = new byte[5_000_000];
        new Random(1).nextBytes(payload);
        client.publish("orders", "a");
        client.publish("orders", payload);
        client.publish("orders", "b");
        client.publish("orders", new byte[65_536]);
        fixture.poll();
        assertThat(broker.commands())
                .containsExactly(
                        "publish 2 0 0 orders a",
                        "publish 3 0 0 orders " + ScriptedBroker.brief(payload),
                        "publish 4 0 0 orders b",
                        "publish 5 0 0 orders " + ScriptedBroker.brief(new byte[65_536]));
    }

    @Test
    void shouldBoundLongMessagesAndUseTheirSlotsAgain() {
        fixture.loggedOn();
        broker.isRefusing(true);
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[2_000_000]);
        int acceptedCount = 0;
        while (client.tryPublish("orders", payload, 0, payload.capacity())) {
            acceptedCount++;
        }
        final int slotLength = (2 * 1024 + 4) * 1024;
        assertThat(acceptedCount).isEqualTo((int) (ClientConfig.STAGING_LENGTH_DEFAULT / slotLength));
        broker.isRefusing(false);
        for (int i = 0; i < 10; i++) {
            fixture.poll();
            assertThat(client.tryPublish("orders", payload, 0, payload.capacity()))
                    .isTrue();
        }
        fixture.poll();
        assertThat(broker.commands()).hasSize(acceptedCount + 10);
    }

    @Test
    void shouldGiveSlotsBackWhenConnectionIsLostInTheMiddle() {
        isToReconnect = true;
        fixture.loggedOn();
        broker.isRefusing(true);
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[2_000_000]);
        for (int i = 0; i < 3; i++) {
            client.publish("orders", payload, 0, payload.capacity());
        }
        fixture.poll();
        broker.disconnect();
        broker.isRefusing(false);
        fixture.poll();
        assertThat(client.tryPublish("orders", payload, 0, payload.capacity())).isTrue();
    }

    @Test
    void shouldDeliverToTheHandlerOfTheSubscription() {
        fixture.loggedOn();
        final CompletableFuture<Subscription> created =
                client.subscribeAsync(SubscribeRequest.topic("orders").filter("a = 1"), fixture.messages());
        fixture.poll();
        assertThat(broker.commands()).containsExactly("subscribe 2 1 orders a = 1");
        assertThat(created).isNotDone();
        broker.ack(AckType.PROCESSED, 2);
        broker.topic(0, 3, "orders");
        broker.deliver(1, 3, 10, "a", "b");
        broker.deliver(99, 3, 12, "of a subscription that is not known any more");
        fixture.poll();
        assertThat(created).isCompleted();
        assertThat(fixture.events()).containsExactly("message orders 10 a", "message orders 11 b");
    }

    @Test
    void shouldFailSubscribeWhenRefused() {
        fixture.loggedOn();
        final CompletableFuture<Subscription> created =
                client.subscribeAsync(SubscribeRequest.topic("orders").filter("a ="), fixture.messages());
        fixture.poll();
        broker.error(2, 1, ErrorCode.BAD_FILTER, "filter: expected a value at 3: a =");
        fixture.poll();
        assertThat(failureOf(created)).hasMessage("filter: expected a value at 3: a =");
        assertThat(fixture.events()).isEmpty();
    }

    @Test
    void shouldNotifyTheHandlerWhenBrokerEndsTheSubscription() {
        final Subscription subscription = subscribed();
        broker.error(0, 1, ErrorCode.FELL_BEHIND, "subscription: fell behind");
        broker.deliver(1, 3, 10, "late");
        fixture.poll();
        assertThat(fixture.events()).containsExactly("end 1 subscription: fell behind");
        assertThat(subscription.isActive()).isFalse();
    }

    @Test
    void shouldEndTheSubscriptionWhenItsHandlerThrows() {
        fixture.loggedOn();
        final CompletableFuture<Subscription> created =
                client.subscribeAsync(SubscribeRequest.topic("orders"), new MessageHandler() {
                    @Override
                    public void onMessage(final MessageView message) {
                        throw new IllegalStateException("no idea what " + message.text() + " is");
                    }

                    @Override
                    public void onEnd(final Subscription subscription, final PenstockException reason) {
                        fixture.events.add("end " + reason.getMessage());
                    }
                });
        fixture.poll();
        broker.ack(AckType.PROCESSED, 2);
        broker.topic(0, 3, "orders");
        broker.deliver(1, 3, 10, "a", "b");
        fixture.poll();
        assertThat(created).isCompleted();
        assertThat(fixture.events())
                .containsExactly("end subscription to orders: its handler threw: "
                        + "java.lang.IllegalStateException (the cause says more)");
        assertThat(broker.commands()).containsExactly("subscribe 2 1 orders ", "unsubscribe 3 1");
        assertThat(client.isConnected()).isTrue();
    }

    @Test
    void shouldUnsubscribeFromWithinAHandlerWithoutWaiting() {
        fixture.loggedOn();
        final List<Subscription> holder = new ArrayList<>();
        final CompletableFuture<Subscription> created =
                client.subscribeAsync(SubscribeRequest.topic("orders"), message -> {
                    fixture.events.add(message.text());
                    holder.get(0).close();
                });
        fixture.poll();
        broker.ack(AckType.PROCESSED, 2);
        fixture.poll();
        holder.add(created.join());
        broker.topic(0, 3, "orders");
        broker.deliver(1, 3, 10, "a", "b");
        fixture.poll();
        assertThat(fixture.events()).containsExactly("a");
        assertThat(broker.commands()).contains("unsubscribe 3 1");
    }

    @Test
    void shouldPublishFromWithinAHandlerEvenWhenTheRingIsFull() {
        final byte[] payload = new byte[30_000];
        subscribed(message -> {
            for (int i = 0; i < 100; i++) {
                client.publish("copies", payload);
                broker.poll();
            }
        });
        broker.deliver(1, 3, 10, "a");
        fixture.poll();
        assertThat(broker.commands()).hasSize(100);
    }

    @Test
    void shouldSayThatHandlersMayNotWait() {
        subscribed(message -> {
            try {
                client.flush();
            } catch (final IllegalStateException e) {
                fixture.events.add(String.valueOf(e.getMessage()));
            }
        });
        broker.deliver(1, 3, 10, "a");
        fixture.poll();
        assertThat(fixture.events())
                .singleElement()
                .asString()
                .startsWith("flush: would wait on the client's own thread, which calls the handlers");
    }

    @Test
    void shouldCloseTheClientWhenConnectionIsLost() {
        final Subscription subscription = subscribed();
        final CompletableFuture<Ack> future = client.publish("orders", "a", AckType.PROCESSED);
        fixture.poll();
        broker.disconnect();
        fixture.poll();
        assertThat(disconnects).hasSize(1);
        assertThat(disconnects.get(0).unacknowledgedCount()).isEqualTo(1);
        assertThat(disconnects.get(0).attempt()).isZero();
        assertThat(failureOf(future))
                .isInstanceOf(ConnectionException.class)
                .hasMessage("inproc:client-agent-test: connection lost: closed by peer");
        assertThat(fixture.events()).containsExactly("end 1 inproc:client-agent-test: connection lost: closed by peer");
        assertThat(subscription.isActive()).isFalse();
        assertThat(client.isClosed()).isTrue();
        assertThatThrownBy(() -> client.publish("orders", "b"))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("connection lost");
    }

    @Test
    void shouldReconnectAndSubscribeAgain() {
        isToReconnect = true;
        final Subscription subscription = subscribed();
        final CompletableFuture<Ack> inFlight = client.publish("orders", "a", AckType.PROCESSED);
        fixture.poll();
        broker.commands();
        broker.disconnect();
        fixture.poll();
        assertThat(inFlight).isCompletedExceptionally();
        final CompletableFuture<Ack> meanwhile = client.publish("orders", "b", AckType.PROCESSED);
        assertThat(client.isConnected()).isFalse();

        fixture.clock.advanceMillis(100);
        fixture.poll();
        assertThat(broker.commands()).containsExactly("logon 4 0 desk//");
        broker.logonAck(4);
        fixture.poll();
        assertThat(reconnectCount).isEqualTo(1);
        assertThat(broker.commands()).containsExactly("subscribe 5 1 orders ", "publish 6 0 2 orders b");
        broker.ack(AckType.PROCESSED, 5);
        broker.ack(AckType.PROCESSED, 6);
        broker.topic(0, 3, "orders");
        broker.deliver(1, 3, 50, "x");
        fixture.poll();
        assertThat(meanwhile).isCompleted();
        assertThat(subscription.isActive()).isTrue();
        assertThat(fixture.events()).containsExactly("message orders 50 x");
    }

    @Test
    void shouldWaitLongerWithEachAttemptAndAskEachTime() {
        isToReconnect = true;
        fixture.loggedOn();
        broker.close();
        fixture.poll();
        assertThat(disconnects).hasSize(1);
        for (int attempt = 1; attempt <= 5; attempt++) {
            fixture.clock.advanceMillis(Math.min(400, 50L << (attempt - 1)) / 2 - 1);
            fixture.poll();
            assertThat(disconnects).as("before attempt %d", attempt).hasSize(attempt);
            fixture.clock.advanceMillis(400);
            fixture.poll();
            assertThat(disconnects).as("after attempt %d", attempt).hasSize(attempt + 1);
            assertThat(disconnects.get(attempt).attempt()).isEqualTo(attempt);
        }
        isToReconnect = false;
        fixture.clock.advanceMillis(400);
        fixture.poll();
        assertThat(client.isClosed()).isTrue();
    }

    @Test
    void shouldEndTheSubscriptionThatIsRefusedAfterReconnect() {
        isToReconnect = true;
        final Subscription subscription = subscribed();
        broker.disconnect();
        fixture.poll();
        fixture.clock.advanceMillis(100);
        fixture.poll();
        broker.logonAck(3);
        fixture.poll();
        broker.error(4, 1, ErrorCode.NOT_AUTHORIZED, "subscribe: not allowed: orders");
        fixture.poll();
        assertThat(fixture.events()).containsExactly("end 1 subscribe: not allowed: orders");
        assertThat(subscription.isActive()).isFalse();
    }

    @Test
    void shouldKeepSubscriptionsWhenConnectionIsLostAgainBeforeTheyAreBack() {
        isToReconnect = true;
        final Subscription subscription = subscribed();
        for (int round = 0; round < 2; round++) {
            broker.commands();
            broker.disconnect();
            fixture.poll();
            fixture.clock.advanceMillis(100);
            fixture.poll();
            broker.logonAck(3 + round);
            fixture.poll();
            assertThat(broker.commands()).hasSize(2).last().asString().endsWith(" 1 orders ");
        }
        assertThat(subscription.isActive()).isTrue();
        assertThat(fixture.events()).isEmpty();
    }

    @Test
    void shouldNotReconnectByDefaultRuleWhenReplaced() {
        assertThat(DisconnectHandler.RECONNECT.onDisconnect(new Disconnect("x", ErrorCode.REPLACED, 0, 0)))
                .isFalse();
        assertThat(DisconnectHandler.RECONNECT.onDisconnect(new Disconnect("x", null, 7, 0)))
                .isTrue();
        assertThat(DisconnectHandler.RECONNECT.onDisconnect(new Disconnect("x", ErrorCode.SHUTTING_DOWN, 0, 0)))
                .isTrue();
    }

    @Test
    void shouldFlushBeforeItCloses() {
        fixture.loggedOn();
        final CompletableFuture<Ack> future = client.publish("orders", "a", AckType.PERSISTED);
        client.publish("orders", "b");
        client.close();
        fixture.poll();
        assertThat(broker.commands()).containsExactly("publish 2 0 4 orders a", "publish 3 0 0 orders b", "flush 4");
        broker.ack(AckType.COMPLETED, 4);
        fixture.poll();
        assertThat(fixture.agent.isEnded()).as("an ack is outstanding").isFalse();
        broker.ack(AckType.PERSISTED, 2);
        fixture.poll();
        assertThat(fixture.agent.isEnded()).isTrue();
        assertThat(future).isCompleted();
        assertThat(broker.disconnectReason()).isNotNull();
    }

    @Test
    void shouldCloseInTimeWhenBrokerDoesNotAnswer() {
        fixture.loggedOn();
        final CompletableFuture<Ack> future = client.publish("orders", "a", AckType.PERSISTED);
        client.close();
        fixture.poll();
        fixture.clock.advanceMillis(2_900);
        broker.heartbeat();
        fixture.poll();
        fixture.clock.advanceMillis(2_100);
        fixture.poll();
        assertThat(fixture.agent.isEnded()).isTrue();
        assertThat(failureOf(future)).hasMessage("client: was closed before the broker had answered");
    }

    @Test
    void shouldRefuseCommandsOnceClosed() {
        fixture.loggedOn();
        client.close();
        assertThatThrownBy(() -> client.publish("orders", "a"))
                .isInstanceOf(ConnectionException.class)
                .hasMessage("client: is closed (connect another one)");
        assertThatThrownBy(() -> client.publish("orders", "a", AckType.PROCESSED))
                .isInstanceOf(ConnectionException.class);
        assertThatThrownBy(() -> client.subscribeAsync(SubscribeRequest.topic("a"), fixture.messages()))
                .isInstanceOf(ConnectionException.class);
    }

    @Test
    void shouldFailWhatWasPostedButNeverSent() {
        isToReconnect = true;
        fixture.loggedOn();
        broker.disconnect();
        fixture.poll();
        final CompletableFuture<Ack> future = client.publish("orders", "a", AckType.PROCESSED);
        final CompletableFuture<Ack> large = client.publish("orders", new byte[100_000], AckType.PROCESSED);
        client.close();
        fixture.poll();
        assertThat(future).isCompletedExceptionally();
        assertThat(large).isCompletedExceptionally();
    }

    @Test
    void shouldRefuseWhatCannotBePublished() {
        fixture.loggedOn();
        assertThatThrownBy(() -> client.publish("", "a"))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("topic has a bad length: 0 bytes");
        assertThatThrownBy(() -> client.publish("orders", new byte[16 * 1024 * 1024 + 1]))
                .isInstanceOfSatisfying(
                        PenstockException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.MESSAGE_TOO_LONG));
        assertThatThrownBy(() -> client.publish("orders", new UnsafeBuffer(new byte[4]), 1, 4))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> client.tryPublish(Publication.to("orders").bytes(new byte[4]), 0, fixture.acks(), 0))
                .isInstanceOf(IllegalArgumentException.class);
        client.publish("orders", "a");
        fixture.poll();
        assertThat(broker.commands()).containsExactly("publish 2 0 0 orders a");
    }

    private boolean tryPublish(final long correlationId, final int ackTypes) {
        return client.tryPublish(
                Publication.to("orders").text("x").publisherSequence(5), ackTypes, fixture.acks(), correlationId);
    }

    private static Throwable failureOf(final CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        return future.handle((value, failure) -> failure).join();
    }

    private Subscription subscribed() {
        return subscribed(fixture.messages());
    }

    private Subscription subscribed(final MessageHandler handler) {
        fixture.loggedOn();
        final CompletableFuture<Subscription> created =
                client.subscribeAsync(SubscribeRequest.topic("orders"), handler);
        fixture.poll();
        broker.ack(AckType.PROCESSED, 2);
        broker.topic(0, 3, "orders");
        fixture.poll();
        broker.commands();
        return created.join();
    }

    private static final class ThrowingAckHandler implements AckHandler {
        @Override
        public void onAck(final long correlationId, final AckType type, final long publisherSequence) {
            throw new IllegalStateException("thrown by a test");
        }

        @Override
        public void onFailure(final long correlationId, final PenstockException reason) {}
    }
}
