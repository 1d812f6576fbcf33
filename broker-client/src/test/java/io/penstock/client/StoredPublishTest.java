package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client with a publish store against a scripted broker. */
class StoredPublishTest {
    private final List<String> connectionEvents = new ArrayList<>();
    private final PublishStore store = PublishStore.inMemory(8, 1024 * 1024);
    private final ClientFixture fixture = new ClientFixture(
            "stored-publish-test",
            config -> config.ringLength(ClientConfig.RING_LENGTH_MIN)
                    .publishTimeout(Duration.ZERO)
                    .reconnectDelay(Duration.ofMillis(100), Duration.ofMillis(400))
                    .reconnect()
                    .publishStore(store)
                    .connectionListener(new ConnectionListener() {
                        @Override
                        public void onPublishHeld(final PenstockException reason) {
                            connectionEvents.add("held " + reason.errorCode());
                        }
                    }));
    private final PenstockClient client = fixture.client;
    private final ScriptedBroker broker = fixture.broker;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldGiveSequencesAndSendNothingBehindTheFirstToATopicBeforeItIsTaken() {
        fixture.loggedOn();
        client.publish("orders", "a");
        client.publish("orders", "b");
        client.publish("trades", "c");
        client.publish("orders", "d");
        fixture.poll();
        assertThat(broker.commands()).containsExactly("publish 2 1 6 orders a");
        broker.ack(AckType.PROCESSED, 2, 1);
        fixture.poll();
        assertThat(broker.commands()).containsExactly("publish 3 2 4 orders b", "publish 4 3 6 trades c");
        broker.ack(AckType.PROCESSED, 4, 3);
        fixture.poll();
        assertThat(broker.commands()).containsExactly("publish 5 4 4 orders d");
        assertThat(firstKept()).isEqualTo(1);
        broker.ack(AckType.PERSISTED, 4, 3);
        fixture.poll();
        assertThat(firstKept()).isEqualTo(4);
    }

    @Test
    void shouldSendAgainInOrderOnANewConnectionAndKeepTheFuture() {
        fixture.loggedOn();
        final CompletableFuture<Ack> first = client.publish("orders", "a", AckType.PERSISTED);
        fixture.poll();
        broker.ack(AckType.PROCESSED, 2, 1);
        final CompletableFuture<Ack> second = client.publish("orders", "b", AckType.PERSISTED);
        fixture.poll();
        broker.commands();
        reconnect(4);
        client.publish("orders", "c");
        fixture.poll();
        assertThat(broker.commands()).containsExactly("publish 5 1 6 orders a");
        broker.ack(AckType.PROCESSED, 5, 1);
        fixture.poll();
        assertThat(broker.commands()).containsExactly("publish 6 2 4 orders b", "publish 7 3 4 orders c");
        assertThat(first).isNotDone();
        broker.ack(AckType.PERSISTED, 6, 2);
        fixture.poll();
        assertThat(first).isCompletedWithValue(new Ack(AckType.PERSISTED, 1, false));
        assertThat(second).isCompletedWithValue(new Ack(AckType.PERSISTED, 2, false));
        assertThat(firstKept()).isEqualTo(3);
    }

    @Test
    void shouldBeContentWithProcessedForTopicsInMemory() {
        fixture.loggedOn();
        final CompletableFuture<Ack> future = client.publish("memory", "a", AckType.PROCESSED);
        client.publish("memory", "b");
        fixture.poll();
        broker.refuse(2, 1, ErrorCode.NOT_SUPPORTED, "publish: the topic is in memory only");
        fixture.poll();
        assertThat(broker.commands())
                .containsExactly("publish 2 1 6 memory a", "publish 3 1 2 memory a", "publish 4 2 2 memory b");
        broker.ack(AckType.PROCESSED, 4, 2);
        fixture.poll();
        assertThat(future).isCompleted();
        assertThat(firstKept()).isZero();
        assertThat(fixture.events()).isEmpty();
    }

    @Test
    void shouldFailWhoAsksForPersistedOfATopicInMemory() {
        fixture.loggedOn();
        final CompletableFuture<Ack> future = client.publish("memory", "a", AckType.PERSISTED);
        fixture.poll();
        broker.refuse(2, 1, ErrorCode.NOT_SUPPORTED, "publish: the topic is in memory only");
        fixture.poll();
        assertThat(future).isCompletedExceptionally();
        assertThat(firstKept()).isZero();
    }

    @Test
    void shouldRemoveAndReportWhatIsRefused() {
        fixture.loggedOn();
        client.publish("orders", "a");
        fixture.poll();
        broker.ack(AckType.PROCESSED, 2, 1);
        final CompletableFuture<Ack> future = client.publish("orders", "{", AckType.PERSISTED);
        client.publish("orders", "}");
        client.publish("orders", "d");
        fixture.poll();
        broker.refuse(3, 2, ErrorCode.BAD_MESSAGE, "not JSON: {");
        broker.refuse(4, 3, ErrorCode.BAD_MESSAGE, "not JSON: }");
        broker.ack(AckType.PERSISTED, 2, 1);
        fixture.poll();
        assertThat(future).isCompletedExceptionally();
        assertThat(fixture.events()).containsExactly("publish error not JSON: }");
        assertThat(firstKept()).isEqualTo(4);
    }

    @Test
    void shouldKeepAndTryAgainWhatTheBrokerCannotTakeNow() {
        fixture.loggedOn();
        client.publish("orders", "a");
        fixture.poll();
        broker.ack(AckType.PROCESSED, 2, 1);
        broker.ack(AckType.PERSISTED, 2, 1);
        fixture.poll();
        final CompletableFuture<Ack> future = client.publish("orders", "b", AckType.PERSISTED);
        client.publish("orders", "c");
        fixture.poll();
        broker.commands();
        broker.refuse(3, 2, ErrorCode.JOURNAL_FULL, "publish: the disk is full");
        broker.refuse(4, 3, ErrorCode.JOURNAL_FULL, "publish: the disk is full");
        fixture.poll();
        client.publish("orders", "d");
        final CompletableFuture<Subscription> subscribed =
                client.subscribeAsync(SubscribeRequest.topic("trades"), fixture.messages());
        fixture.poll();
        assertThat(broker.commands()).as("others do not wait").containsExactly("subscribe 5 1 trades ");
        assertThat(subscribed).isNotDone();
        assertThat(connectionEvents).containsExactly("held JOURNAL_FULL");
        fixture.clock.advanceMillis(100);
        fixture.poll();
        assertThat(broker.commands())
                .containsExactly("publish 6 2 4 orders b", "publish 7 3 4 orders c", "publish 8 4 4 orders d");
        broker.ack(AckType.PERSISTED, 8, 4);
        fixture.poll();
        assertThat(future).isCompleted();
        assertThat(firstKept()).isZero();
        assertThat(fixture.events()).isEmpty();
    }

    @Test
    void shouldRefuseMoreThanTheStoreHoldsAlsoWhileNotConnected() {
        fixture.loggedOn();
        broker.disconnect();
        fixture.poll();
        for (int i = 0; i < 8; i++) {
            client.publish("orders", "x");
        }
        assertThatThrownBy(() -> client.publish("orders", "x")).isInstanceOf(BackPressureException.class);
        fixture.clock.advanceMillis(100);
        fixture.poll();
        broker.commands();
        broker.logonAck(2);
        fixture.poll();
        broker.ack(AckType.PROCESSED, 3, 1);
        fixture.poll();
        broker.ack(AckType.PERSISTED, 10, 8);
        fixture.poll();
        client.publish("orders", "y");
        fixture.poll();
        assertThat(broker.commands()).hasSize(9).last().isEqualTo("publish 11 9 4 orders y");
    }

    @Test
    void shouldGoOnBehindWhatTheBrokerHasApplied() {
        fixture.agent.connect();
        fixture.poll();
        broker.commands();
        broker.logonAck(1, 40);
        fixture.poll();
        client.publish("orders", "a");
        fixture.poll();
        assertThat(broker.commands()).containsExactly("publish 2 41 6 orders a");
    }

    @Test
    void shouldTakeSequencesOfTheProgramThatRise() {
        fixture.loggedOn();
        assertThat(publish17()).isNotDone();
        assertThatThrownBy(() -> publish17())
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("does not rise: 17 after 17");
        client.publish("orders", "x");
        fixture.poll();
        assertThat(broker.commands()).hasSize(1);
        assertThat(store.lastSequence()).isEqualTo(18);
    }

    @Test
    void shouldSendLongMessagesFromTheStore() {
        fixture.loggedOn();
        final byte[] payload = new byte[300_000];
        new Random(1).nextBytes(payload);
        client.publish("blobs", payload);
        client.publish("blobs", payload);
        fixture.poll();
        broker.ack(AckType.PROCESSED, 2, 1);
        fixture.poll();
        broker.ack(AckType.PERSISTED, 3, 2);
        fixture.poll();
        assertThat(broker.commands())
                .containsExactly(
                        "publish 2 1 6 blobs " + ScriptedBroker.brief(payload),
                        "publish 3 2 4 blobs " + ScriptedBroker.brief(payload));
        assertThat(firstKept()).isZero();
    }

    @Test
    void shouldFailFuturesAndKeepMessagesWhenTheClientEnds() {
        fixture.loggedOn();
        final CompletableFuture<Ack> future = client.publish("orders", "a", AckType.PERSISTED);
        fixture.poll();
        broker.fatal(ErrorCode.REPLACED, "another client has the name");
        fixture.poll();
        assertThat(future).isCompletedExceptionally();
        assertThat(client.isClosed()).isTrue();
    }

    @Test
    void shouldRefuseAStoreWithoutAName() {
        assertThatThrownBy(() ->
                        ClientConfig.builder("inproc:x").publishStore(store).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name a client that has a publish store");
    }

    private CompletableFuture<Ack> publish17() {
        return client.publish(Publication.to("orders").bytes(new byte[1]).publisherSequence(17), AckType.PERSISTED);
    }

    private void reconnect(final long commandId) {
        broker.disconnect();
        fixture.poll();
        fixture.clock.advanceMillis(100);
        fixture.poll();
        assertThat(broker.commands()).containsExactly("logon " + commandId + " 0 desk//");
        broker.logonAck(commandId);
        fixture.poll();
    }

    /** The sequence of the first message that is kept, 0 for none. */
    private long firstKept() {
        final long[] first = new long[1];
        store.read(0, (sequence, frame, offset, length) -> {
            first[0] = sequence;
            return true;
        });
        return first[0];
    }
}
