package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.DeliveryKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client says and understands about state. */
class StateCommandsTest {
    private final ClientFixture fixture = new ClientFixture(
            "state-commands-test",
            config -> config.streamLimit(2)
                    .streamLength(1_000)
                    .reconnectDelay(Duration.ofMillis(100), Duration.ofMillis(100))
                    .onDisconnect(disconnect -> true));
    private final PenstockClient client = fixture.client;
    private final ScriptedBroker broker = fixture.broker;

    private final MessageHandler records = new MessageHandler() {
        @Override
        public void onMessage(final MessageView message) {
            fixture.events.add(message.kind() + " [" + message.key() + "] " + message.text());
        }

        @Override
        public void onGroupBegin(final String topic, final int shard, final long sequence) {
            fixture.events.add("begin " + topic + " " + shard + ":" + sequence);
        }

        @Override
        public void onGroupEnd(final long topicMatches, final long matches, final long returned) {
            fixture.events.add("end " + topicMatches + " " + matches + " " + returned);
        }
    };

    @BeforeEach
    void logOn() {
        fixture.loggedOn();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldSayKeyDeltaAndExpirationWhenTheyAreGiven() {
        client.publish("prices", "a", PublishOptions.NONE.key("kö").expiration(Duration.ofSeconds(2)));
        client.publishDelta("prices", "b");
        client.publish("prices", "c", PublishOptions.NONE.neverExpires());
        client.publish("prices", "d", PublishOptions.NONE);
        fixture.poll();
        assertThat(broker.commands())
                .containsExactly(
                        "publish 2 0 0 whole 2000 prices [kö] a",
                        "publish 3 0 0 delta 0 prices [] b",
                        "publish 4 0 0 whole -1 prices [] c",
                        "publish 5 0 0 prices d");
    }

    @Test
    void shouldCompleteTheFutureWhenADeltaIsAcknowledged() {
        final CompletableFuture<Ack> ack = client.publishDelta("prices", "b", AckType.PROCESSED);
        fixture.poll();
        broker.ack(AckType.PROCESSED, 2);
        fixture.poll();
        assertThat(ack).isCompleted();
    }

    @Test
    void shouldSendWholeFramesWhenARecordIsLong() {
        client.publish("prices", "x".repeat(200_000), PublishOptions.NONE.key("k"));
        fixture.poll();
        assertThat(broker.commands())
                .singleElement()
                .satisfies(command -> assertThat(command).startsWith("publish 2 0 0 whole 0 prices [k] 200000 bytes"));
    }

    @Test
    void shouldRefuseKeysAndExpirationsThatCannotBe() {
        assertThatThrownBy(() -> client.publish("prices", "a", PublishOptions.NONE.key("k".repeat(70_000))))
                .isInstanceOfSatisfying(
                        PenstockException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.BAD_KEY))
                .hasMessageContaining("key, with the headers, is too long: 70000 bytes");
        assertThatThrownBy(() -> PublishOptions.NONE.expiration(Duration.ofNanos(5)))
                .hasMessageContaining("expiration is too small");
        assertThatThrownBy(() -> new PublishOptions("", false, -2)).hasMessageContaining("expiration is too small: -2");
    }

    @Test
    void shouldHandOverRecordsAndCompleteWhenAQueryIsAnswered() {
        final CompletableFuture<SowStats> stats =
                client.sowAsync(SowRequest.topic("prices").filter("n > 1"), records);
        fixture.poll();
        assertThat(broker.commands()).containsExactly("sow 2 1 prices n > 1");
        broker.topic(0, 7, "prices");
        broker.groupBegin(1, 41);
        broker.deliverRecord(DeliveryKind.SOW, 1, 7, 40, "k", "{}");
        broker.groupEnd(1, 9, 1, 1);
        fixture.poll();
        assertThat(stats).isNotDone();
        broker.ack(AckType.COMPLETED, 2);
        fixture.poll();
        assertThat(fixture.events()).containsExactly("begin prices 0:41", "STATE [k] {}", "end 9 1 1");
        assertThat(stats).isCompletedWithValue(new SowStats(9, 1, 1, Map.of(0, 41L)));
    }

    @Test
    void shouldGiveTheExplanationWhenAQueryAsksForIt() {
        final CompletableFuture<SowStats> stats =
                client.sowAsync(SowRequest.topic("prices").explain(), records);
        fixture.poll();
        broker.topic(0, 7, "prices");
        broker.groupBegin(1, 41);
        broker.explanation(1, "query: 1 worker\npr");
        broker.explanation(1, "ices: ä\n");
        broker.groupEnd(1, 9, 1, 1);
        broker.ack(AckType.COMPLETED, 2);
        fixture.poll();
        assertThat(stats).isCompletedWithValue(new SowStats(9, 1, 1, Map.of(0, 41L), "query: 1 worker\nprices: ä\n"));
        assertThat(SowRequest.topic("prices").explain().durable().isExplained()).isTrue();
        assertThat(SowRequest.topic("prices")).hasToString("prices, 0+-1");
        assertThat(SowRequest.topic("prices").explain()).hasToString("prices, explained, 0+-1");
        assertThat(SowRequest.topic("a").join("JOIN b ON /a/x = /b/x").durable())
                .hasToString("a JOIN b ON /a/x = /b/x, durable, 0+-1");
    }

    @Test
    void shouldEndTheSessionWhenAGroupIsOfAnUnknownTopic() {
        final CompletableFuture<SowStats> stats = client.sowAsync(SowRequest.topic("prices"), records);
        fixture.poll();
        assertThat(stats).isNotDone();
        broker.groupBegin(1, 41);
        fixture.poll();
        assertThat(client.isConnected()).isFalse();
        assertThat(fixture.events()).isEmpty();
    }

    @Test
    void shouldReportTheProgressOfAQuery() {
        final QueryStream stream = client.sowStream(SowRequest.topic("prices").progress(Duration.ofSeconds(1)));
        fixture.poll();
        assertThat(stream.progress()).isNull();
        final List<SowProgress> reported = new ArrayList<>();
        stream.onProgress(reported::add);
        broker.progress(1, 100, 10, 1);
        broker.progress(1, 100, 60, 4);
        broker.progress(99, 100, 80, 5);
        fixture.poll();
        assertThat(reported).containsExactly(new SowProgress(100, 10, 1), new SowProgress(100, 60, 4));
        assertThat(stream.progress()).isEqualTo(new SowProgress(100, 60, 4));
    }

    @Test
    void shouldGiveTheQueryUpWhenItsListenerThrows() {
        final QueryStream stream = client.sowStream(SowRequest.topic("prices").progress(Duration.ofSeconds(1)));
        stream.onProgress(progress -> {
            throw new IllegalStateException("no");
        });
        fixture.poll();
        broker.commands();
        broker.progress(1, 100, 10, 1);
        fixture.poll();
        assertThat(stream.isComplete()).isTrue();
        assertThat(broker.commands()).containsExactly("unsubscribe 3 1");
    }

    @Test
    void shouldLeaveARequestAsItIsWhenAnotherIsMadeOfIt() {
        final SubscribeRequest all = SubscribeRequest.topic("prices");
        final SubscribeRequest some = all.filter("n > 1")
                .sow()
                .oof()
                .delta()
                .withoutEmpties()
                .select("n")
                .conflation(Duration.ofMillis(5), "side");
        final SubscribeRequest more = some.orderBy("n DESC").top(3).skip(2).batchSize(9);
        assertThat(all.toString()).isEqualTo("prices");
        assertThat(some.top()).isEqualTo(-1);
        assertThat(more.toString())
                .isEqualTo("prices where n > 1, state first by 'n DESC' 2+3, out of focus, deltas without empties,"
                        + " fields n, each 5 ms side");
        assertThat(more.batchSize()).isEqualTo(9);
        final SowRequest query =
                SowRequest.pattern("p.*").keys(List.of("k")).filter("n > 1").select("n, COUNT(*)");
        assertThat(query.groupBy("n")
                        .having("n > 2")
                        .orderBy("n")
                        .top(1)
                        .skip(2)
                        .progress(Duration.ofMillis(100))
                        .timeout(Duration.ofMillis(7))
                        .toString())
                .isEqualTo("pattern p.* keys [k] where n > 1, select n, COUNT(*), group by n, having n > 2,"
                        + " order by n, 2+1");
        assertThat(query.groupBy()).isEmpty();
        assertThatThrownBy(() -> SowRequest.topic("")).hasMessageContaining("topic is empty");
    }

    @Test
    void shouldGiveUpTheQueryAtTheBrokerWhenItIsCancelled() {
        final CompletableFuture<SowStats> stats = client.sowAsync(SowRequest.topic("prices"), records);
        fixture.poll();
        stats.cancel(false);
        fixture.poll();
        assertThat(broker.commands()).containsExactly("sow 2 1 prices ", "unsubscribe 3 1");
        broker.topic(0, 7, "prices");
        broker.deliverRecord(DeliveryKind.SOW, 1, 7, 40, "", "{}");
        broker.error(2, 0, ErrorCode.QUERY_CANCELLED, "sow: cancelled");
        broker.ack(AckType.PROCESSED, 3);
        fixture.poll();
        assertThat(fixture.events()).isEmpty();
    }

    @Test
    void shouldFailAndGiveUpTheQueryWhenItsHandlerThrows() {
        final CompletableFuture<SowStats> stats = client.sowAsync(SowRequest.topic("prices"), message -> {
            throw new IllegalStateException("no idea");
        });
        fixture.poll();
        broker.topic(0, 7, "prices");
        broker.deliverRecord(DeliveryKind.SOW, 1, 7, 40, "", "{}");
        fixture.poll();
        assertThat(stats).isCompletedExceptionally();
        assertThat(stats.handle((value, failure) -> failure.getMessage()).join())
                .isEqualTo("sow of prices: its handler threw: java.lang.IllegalStateException (the cause says more)");
        assertThat(broker.commands()).containsExactly("sow 2 1 prices ", "unsubscribe 3 1");
    }

    @Test
    void shouldFailTheQueryWhenItIsRefused() {
        final CompletableFuture<SowStats> refused = client.sowAsync(SowRequest.topic("none"), records);
        final CompletableFuture<SowStats> other = client.sowAsync(SowRequest.topic("prices"), records);
        fixture.poll();
        broker.error(2, 0, ErrorCode.NO_STATE, "topic none: keeps no state");
        fixture.poll();
        assertThat(refused.handle((value, failure) -> failure).join())
                .isInstanceOf(PenstockException.class)
                .hasMessage("topic none: keeps no state");
        assertThat(other).isNotDone();
    }

    @Test
    void shouldStopReadingUntilRecordsAreTakenWhenAQueryStreamIsFull() {
        final QueryStream stream = client.sowStream(SowRequest.topic("prices"));
        fixture.poll();
        broker.topic(0, 7, "prices");
        for (int i = 0; i < 5; i++) {
            broker.deliverRecord(DeliveryKind.SOW, 1, 7, i + 1, "", "{\"n\":" + i + "}");
        }
        broker.groupEnd(1, 5, 5, 5);
        broker.ack(AckType.COMPLETED, 2);
        for (int i = 0; i < 5; i++) {
            fixture.poll();
            assertThat(stream.isComplete()).isEqualTo(i >= 3);
            assertThat(stream.poll(Duration.ZERO))
                    .isNotNull()
                    .satisfies(message -> assertThat(message.kind()).isEqualTo(RecordKind.STATE));
        }
        assertThat(stream.poll(Duration.ZERO)).isNull();
        assertThat(stream.stats().returned()).isEqualTo(5);
        stream.close();
        fixture.poll();
        assertThat(broker.commands()).as("nothing is left to cancel").containsExactly("sow 2 1 prices ");
    }

    @Test
    void shouldGiveUpTheQueryAtTheBrokerWhenAQueryStreamIsClosed() {
        final QueryStream stream = client.sowStream(SowRequest.topic("prices"));
        stream.close();
        fixture.poll();
        assertThat(broker.commands()).containsExactly("sow 2 1 prices ", "unsubscribe 3 1");
        assertThat(stream.poll(Duration.ZERO)).isNull();
        assertThatThrownBy(stream::stats).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldRefuseAnAnswerThatIsLongerThanTheBound() {
        final MessageList list = new MessageList("prices", 300);
        final MessageView view = new MessageView();
        view.wrap(RecordKind.STATE, "prices", 0, 1, 0, new UnsafeBuffer(new byte[100]), 0, 100, 0, 0, 0);
        list.onMessage(view);
        assertThatThrownBy(() -> list.onMessage(view))
                .isInstanceOfSatisfying(
                        PenstockException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.LIMIT_REACHED))
                .hasMessageContaining("longer than client.streamLength after 1 records");
    }

    @Test
    void shouldNotifyHandlersOfStateDeltasAndRecordsOutOfFocus() {
        subscribed(SubscribeRequest.topic("prices").sow().oof().delta());
        broker.topic(0, 7, "prices");
        broker.groupBegin(1, 3);
        broker.deliverRecord(DeliveryKind.SOW, 1, 7, 1, "k", "a");
        broker.groupEnd(1, 2, 1, 1);
        broker.deliverRecord(DeliveryKind.DELTA, 1, 7, 4, "", "b");
        broker.deliverRecord(DeliveryKind.PUBLISH, 1, 7, 5, "l", "c");
        broker.deliverRecord(DeliveryKind.OOF_EXPIRED, 1, 7, 6, "k", "a");
        fixture.poll();
        assertThat(fixture.events())
                .containsExactly(
                        "begin prices 0:3",
                        "STATE [k] a",
                        "end 2 1 1",
                        "DELTA [] b",
                        "MESSAGE [l] c",
                        "OOF_EXPIRED [k] a");
    }

    @Test
    void shouldAskForTheStateAgainWhenItReconnects() {
        subscribed(SubscribeRequest.topic("prices").sow());
        broker.disconnect();
        fixture.poll();
        fixture.clock.advanceMillis(100);
        fixture.poll();
        broker.commands();
        broker.logonAck(0);
        fixture.poll();
        assertThat(broker.commands())
                .singleElement()
                .satisfies(command -> assertThat(command).endsWith(" 1 sow prices "));
    }

    private Subscription subscribed(final SubscribeRequest request) {
        final CompletableFuture<Subscription> subscription = client.subscribeAsync(request, records);
        fixture.poll();
        assertThat(broker.commands()).hasSize(1);
        broker.ack(AckType.PROCESSED, 2);
        fixture.poll();
        return subscription.join();
    }

    @Test
    void shouldCountWhatWasDeletedAndReplaceSubscriptionsWhenTheBrokerAgrees() {
        try (BrokerThread thread = new BrokerThread("inproc:state-commands-thread-test");
                PenstockClient threaded = PenstockClient.connect(thread.endpoint())) {
            assertThat(threaded.sowDelete("prices", "TRUE")).isEqualTo(BrokerThread.DELETED_COUNT);
            assertThat(threaded.sowDelete("prices", List.of("a", "b"))).isEqualTo(BrokerThread.DELETED_COUNT);
            threaded.declareTopic(Topic.json("prices").key("id, venue").expiration(Duration.ofMillis(500)));
            final SubscribeRequest next = SubscribeRequest.topic("prices").filter("n > 1");
            try (Subscription subscription = threaded.subscribe("prices", message -> {})) {
                threaded.replace(subscription, next);
                assertThat(subscription.request()).isEqualTo(next);
                thread.refuse("subscribe", ErrorCode.BAD_FILTER, "filter: no");
                assertThatThrownBy(() -> threaded.replace(subscription, next.filter("")))
                        .hasMessage("filter: no");
                assertThat(subscription.request()).isEqualTo(next);
            }
        }
    }
}
