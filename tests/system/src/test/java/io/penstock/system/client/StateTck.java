package io.penstock.system.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.BrokerConfig;
import io.penstock.client.AckType;
import io.penstock.client.Disconnect;
import io.penstock.client.DisconnectHandler;
import io.penstock.client.Message;
import io.penstock.client.MessageHandler;
import io.penstock.client.MessageStream;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.PublishOptions;
import io.penstock.client.QueryStream;
import io.penstock.client.RecordKind;
import io.penstock.client.SowRequest;
import io.penstock.client.SowResult;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Subscription;
import io.penstock.client.Topic;
import io.penstock.protocol.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a program may expect of state, whatever is between client and broker. */
@Timeout(60)
abstract class StateTck extends BrokerFixture {
    private static final String TOPIC = "prices";

    StateTck(final BrokerConfig.Builder config) {
        super(config);
    }

    private PenstockClient declared() {
        final PenstockClient client = connect();
        client.declareTopic(Topic.json(TOPIC).key("id"));
        return client;
    }

    private static String record(final long id, final long price) {
        return "{\"id\":" + id + ",\"price\":" + price + "}";
    }

    @Test
    void shouldAnswerAQueryOfManyPagesWithFilterOrderAndBounds() {
        final PenstockClient client = declared();
        for (int id = 0; id < 20_000; id++) {
            client.publish(TOPIC, record(id, 1));
        }
        for (int id = 0; id < 20_000; id++) {
            client.publish(TOPIC, record(id, 20_000 - id));
        }
        client.flush(LONG);

        final SowResult all = client.sow(SowRequest.topic(TOPIC).batchSize(100));
        assertThat(all.stats().returned()).isEqualTo(20_000);
        assertThat(all.stats().sequenceByShard()).hasSize(1);
        assertThat(new HashSet<>(all.texts())).hasSize(20_000).contains(record(0, 20_000), record(19_999, 1));
        assertThat(all.messages())
                .allSatisfy(message -> assertThat(message.kind()).isEqualTo(RecordKind.STATE));

        final SowResult some = client.sow(SowRequest.topic(TOPIC)
                .filter("price > 100")
                .orderBy("price")
                .top(2)
                .skip(1));
        assertThat(some.texts()).containsExactly(record(19_898, 102), record(19_897, 103));
        assertThat(some.stats().matches()).isEqualTo(19_900);

        final List<String> keyed = client.sow(SowRequest.topic(TOPIC).keys(List.of("{\"id\":7}", "{\"id\":-7}")))
                .texts();
        assertThat(keyed).containsExactly(record(7, 19_993));
    }

    @Test
    void shouldTakeRecordsAtItsOwnPaceFromAQueryStream() {
        final PenstockClient client = declared();
        for (int id = 0; id < 5_000; id++) {
            client.publish(TOPIC, record(id, id));
        }
        client.flush(LONG);
        final PenstockClient slow = connect(builder().streamLimit(3).streamLength(1_000));
        try (QueryStream stream = slow.sowStream(SowRequest.topic(TOPIC).orderBy("id"))) {
            long expected = 0;
            for (final Message message : stream) {
                assertThat(message.text()).isEqualTo(record(expected, expected));
                expected++;
            }
            assertThat(expected).isEqualTo(5_000);
            assertThat(stream.stats().returned()).isEqualTo(5_000);
        }
        assertThatThrownBy(() -> slow.sow(SowRequest.topic(TOPIC)))
                .isInstanceOfSatisfying(
                        PenstockException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.LIMIT_REACHED));
        try (QueryStream stream = slow.sowStream(SowRequest.topic(TOPIC))) {
            assertThat(stream.poll(LONG)).isNotNull();
        }
        assertThat(slow.sow(SowRequest.topic(TOPIC).top(1)).texts())
                .as("a query that was closed leaves nothing behind")
                .hasSize(1);
    }

    @Test
    void shouldAggregateOverGroups() {
        final PenstockClient client = declared();
        for (int id = 0; id < 10; id++) {
            client.publish(TOPIC, "{\"id\":" + id + ",\"side\":\"" + (id % 2 == 0 ? "B" : "S") + "\"}");
        }
        client.flush();
        final SowResult rows = client.sow(SowRequest.topic(TOPIC)
                .select("side, COUNT(*) AS n, SUM(id) AS sum")
                .groupBy("side")
                .having("n > 4")
                .orderBy("side"));
        assertThat(rows.texts())
                .containsExactly("{\"side\":\"B\",\"n\":5,\"sum\":20}", "{\"side\":\"S\",\"n\":5,\"sum\":25}");
    }

    @Test
    void shouldMissNothingAndRepeatNothingWhenItFollowsUnderPublishing() throws InterruptedException {
        final PenstockClient publisher = declared();
        final int keyCount = 500;
        final int changeCount = 40_000;
        final Thread thread = new Thread(() -> {
            for (int i = 0; i < changeCount; i++) {
                publisher.publish(TOPIC, record(i % keyCount, i));
            }
            publisher.publish(TOPIC, record(-1, 0));
        });
        thread.start();
        for (int round = 0; round < 5; round++) {
            final Map<String, Long> sequenceByKey = new HashMap<>();
            final PenstockClient client = connect();
            try (MessageStream stream =
                    client.stream(SubscribeRequest.topic(TOPIC).sow())) {
                Message message;
                do {
                    message = taken(stream);
                    final String key = message.text().split(",", 2)[0];
                    final Long before = sequenceByKey.put(key, message.sequence());
                    assertThat(before == null || before < message.sequence())
                            .as("%s after %s", message, before)
                            .isTrue();
                    if (message.kind() == RecordKind.STATE) {
                        assertThat(before).isNull();
                    }
                } while (!message.text().equals(record(-1, 0)));
                final Map<String, Long> expected = new HashMap<>();
                for (final Message record : client.sow(SowRequest.topic(TOPIC)).messages()) {
                    expected.put(record.text().split(",", 2)[0], record.sequence());
                }
                assertThat(sequenceByKey).isEqualTo(expected);
            }
            client.close();
        }
        thread.join();
    }

    @Test
    void shouldReportRecordsOutOfFocusWithTheReason() {
        final PenstockClient client = declared();
        client.publish(TOPIC, record(1, 10));
        client.flush();
        try (MessageStream stream =
                client.stream(SubscribeRequest.topic(TOPIC).filter("price > 5").oof())) {
            client.publish(TOPIC, record(1, 4));
            client.publish(TOPIC, record(1, 6));
            client.publish(TOPIC, record(2, 3));
            assertThat(client.sowDelete(TOPIC, List.of("{\"id\":1}", "{\"id\":2}", "{\"id\":3}")))
                    .isEqualTo(2);
            client.publish(TOPIC, record(4, 9), PublishOptions.NONE.expiration(Duration.ofMillis(50)));
            assertThat(List.of(taken(stream), taken(stream), taken(stream), taken(stream), taken(stream)))
                    .extracting(message -> message.kind() + " " + message.text())
                    .containsExactly(
                            "OOF_MATCH " + record(1, 4),
                            "MESSAGE " + record(1, 6),
                            "OOF_DELETED " + record(1, 6),
                            "MESSAGE " + record(4, 9),
                            "OOF_EXPIRED " + record(4, 9));
        }
        assertThat(client.sow(SowRequest.topic(TOPIC)).messages()).isEmpty();
    }

    @Test
    void shouldExpireRecordsOfATopicUnlessAMessageSaysOtherwise() {
        final PenstockClient client = connect();
        client.declareTopic(Topic.json("quotes").key("id").expiration(Duration.ofMillis(50)));
        try (MessageStream stream =
                client.stream(SubscribeRequest.topic("quotes").oof())) {
            client.publish("quotes", "{\"id\":1}", PublishOptions.NONE.neverExpires());
            client.publish("quotes", "{\"id\":2}");
            assertThat(texts(stream, 2)).hasSize(2);
            assertThat(taken(stream)).satisfies(message -> {
                assertThat(message.kind()).isEqualTo(RecordKind.OOF_EXPIRED);
                assertThat(message.text()).isEqualTo("{\"id\":2}");
            });
        }
        assertThat(client.sow(SowRequest.topic("quotes")).texts()).containsExactly("{\"id\":1}");
    }

    @Test
    void shouldMergeDeltasAndSendDeltasOfWhatIsKnown() {
        final PenstockClient client = declared();
        try (MessageStream stream =
                client.stream(SubscribeRequest.topic(TOPIC).sow().delta())) {
            client.publish(TOPIC, "{\"id\":1,\"price\":10,\"name\":\"one\"}");
            assertThat(taken(stream).text())
                    .as("with the state or after it")
                    .isEqualTo("{\"id\":1,\"price\":10,\"name\":\"one\"}");
            assertThat(client.publishDelta(TOPIC, "{\"id\":1,\"price\":11}", AckType.PROCESSED))
                    .succeedsWithin(LONG);
            assertThat(taken(stream)).satisfies(message -> {
                assertThat(message.kind()).isEqualTo(RecordKind.DELTA);
                assertThat(message.text()).isEqualTo("{\"id\":1,\"price\":11}");
            });
        }
        assertThat(client.sow(SowRequest.topic(TOPIC)).texts())
                .containsExactly("{\"id\":1,\"price\":11,\"name\":\"one\"}");
    }

    @Test
    void shouldEndWithTheLastChangeWhenChangesAreConflated() {
        final PenstockClient client = declared();
        client.publish(TOPIC, record(1, 0));
        client.flush();
        try (MessageStream stream =
                client.stream(SubscribeRequest.topic(TOPIC).sow().conflation(Duration.ofMillis(50)))) {
            for (int i = 1; i <= 2_000; i++) {
                client.publish(TOPIC, record(1, i));
            }
            int count = 0;
            String last;
            do {
                last = taken(stream).text();
                count++;
            } while (!last.equals(record(1, 2_000)));
            assertThat(count).isLessThan(1_000);
        }
    }

    @Test
    void shouldEndWithTheNewestOfTheRecordsWithTheSameConflationKey() {
        final PenstockClient client = declared();
        try (MessageStream stream =
                client.stream(SubscribeRequest.topic(TOPIC).conflation(Duration.ofMillis(50), "side"))) {
            for (int i = 1; i <= 2_000; i++) {
                client.publish(TOPIC, "{\"id\":" + i % 7 + ",\"side\":\"B\",\"price\":" + i + "}");
            }
            int count = 0;
            String last;
            do {
                last = taken(stream).text();
                count++;
            } while (!last.endsWith("\"price\":2000}"));
            assertThat(count).isLessThan(1_000);
            assertThat(stream.poll(Duration.ofMillis(200))).isNull();
        }
    }

    @Test
    void shouldKeepTheKeysThatPublishersGive() {
        final PenstockClient client = connect();
        client.declareTopic(Topic.json("config").key("*"));
        try (MessageStream stream =
                client.stream(SubscribeRequest.topic("config").oof())) {
            client.publish("config", "{\"a\":1}", PublishOptions.NONE.key("läge"));
            assertThat(client.publish(
                            "config",
                            "{\"b\":2}",
                            PublishOptions.NONE.key("läge").delta(),
                            AckType.PROCESSED))
                    .succeedsWithin(LONG);
            assertThat(client.sowDelete("config", List.of("läge"))).isEqualTo(1);
            assertThat(List.of(taken(stream), taken(stream), taken(stream)))
                    .extracting(message -> message.kind() + " " + message.key() + " " + message.text())
                    .containsExactly(
                            "MESSAGE läge {\"a\":1}",
                            "MESSAGE läge {\"a\":1,\"b\":2}",
                            "OOF_DELETED läge {\"a\":1,\"b\":2}");
        }
        assertThat(client.publish("config", "{}", AckType.PROCESSED))
                .failsWithin(LONG)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        PenstockException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.BAD_KEY));
    }

    @Test
    void shouldCarryLongRecordsWithKeysBothWays() {
        final PenstockClient client = connect();
        client.declareTopic(Topic.json("documents").key("*"));
        final String text = "{\"text\":\"" + "x".repeat(300_000) + "\"}";
        assertThat(client.publish("documents", text, PublishOptions.NONE.key("k"), AckType.PROCESSED))
                .succeedsWithin(LONG);
        assertThat(client.sow(SowRequest.topic("documents")).messages())
                .singleElement()
                .satisfies(message -> {
                    assertThat(message.text()).isEqualTo(text);
                    assertThat(message.key()).isEqualTo("k");
                });
    }

    @Test
    void shouldDeleteWhatMatches() {
        final PenstockClient client = declared();
        for (int id = 0; id < 1_000; id++) {
            client.publish(TOPIC, record(id, id));
        }
        client.flush();
        assertThat(client.sowDelete(TOPIC, "price >= 10")).isEqualTo(990);
        assertThat(client.sow(SowRequest.topic(TOPIC)).messages()).hasSize(10);
        assertThat(client.sowDelete(TOPIC, "TRUE")).isEqualTo(10);
        assertThat(client.sowDelete(TOPIC, "TRUE")).isZero();
    }

    @Test
    void shouldGoOnWithAnotherFilterWhenReplaced() {
        final PenstockClient client = declared();
        client.publish(TOPIC, record(1, 1));
        client.publish(TOPIC, record(2, 20));
        client.flush();
        try (MessageStream stream =
                client.stream(SubscribeRequest.topic(TOPIC).filter("price < 10").sow())) {
            assertThat(taken(stream).text()).isEqualTo(record(1, 1));
            final SubscribeRequest next =
                    SubscribeRequest.topic(TOPIC).filter("price > 10").sow();
            client.replace(stream.subscription(), next);
            assertThat(taken(stream).text()).isEqualTo(record(2, 20));
            assertThatThrownBy(() -> client.replace(stream.subscription(), next.filter("price >")))
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.BAD_FILTER));
            assertThat(stream.subscription().request()).isEqualTo(next);
            client.publish(TOPIC, record(1, 2));
            client.publish(TOPIC, record(2, 30));
            assertThat(taken(stream).text()).as("a refusal changes nothing").isEqualTo(record(2, 30));
        }
    }

    @Test
    void shouldSayWhereTheStateBeginsAndEnds() throws InterruptedException {
        final PenstockClient client = declared();
        client.publish(TOPIC, record(1, 1));
        client.flush();
        final BlockingQueue<String> events = new LinkedBlockingQueue<>();
        try (Subscription subscription =
                client.subscribe(SubscribeRequest.topic(TOPIC).sow(), new MessageHandler() {
                    @Override
                    public void onMessage(final MessageView message) {
                        events.add(message.kind() + " " + message.text());
                    }

                    @Override
                    public void onGroupBegin(final String topic, final int shard, final long sequence) {
                        events.add("begin");
                    }

                    @Override
                    public void onGroupEnd(final long topicMatches, final long matches, final long returned) {
                        events.add("end " + returned);
                    }
                })) {
            client.publish(TOPIC, record(1, 2));
            final List<String> first = new ArrayList<>();
            while (first.size() < 4) {
                first.add(events.poll(LONG.toSeconds(), TimeUnit.SECONDS));
            }
            assertThat(first).containsExactly("begin", "STATE " + record(1, 1), "end 1", "MESSAGE " + record(1, 2));
            assertThat(subscription.isActive()).isTrue();
        }
    }

    @Test
    void shouldBringTheStateAgainWhenItReconnects() throws InterruptedException {
        final BlockingQueue<Integer> reconnects = new LinkedBlockingQueue<>();
        final PenstockClient client = connect(builder()
                .name("desk")
                .reconnectDelay(Duration.ofMillis(20), Duration.ofMillis(50))
                .onDisconnect(new DisconnectHandler() {
                    @Override
                    public boolean onDisconnect(final Disconnect disconnect) {
                        return true;
                    }

                    @Override
                    public void onReconnect(final int attempt) {
                        reconnects.add(attempt);
                    }
                }));
        client.declareTopic(Topic.json(TOPIC).key("id"));
        client.publish(TOPIC, record(1, 1));
        client.flush();
        try (MessageStream stream = client.stream(SubscribeRequest.topic(TOPIC).sow())) {
            assertThat(taken(stream).kind()).isEqualTo(RecordKind.STATE);
            connect(builder().name("desk")).close();
            assertThat(reconnects.poll(LONG.toSeconds(), TimeUnit.SECONDS)).isNotNull();
            assertThat(taken(stream)).satisfies(message -> {
                assertThat(message.kind()).isEqualTo(RecordKind.STATE);
                assertThat(message.text()).isEqualTo(record(1, 1));
            });
        }
    }

    @Test
    void shouldRefuseWhatMakesNoSense() {
        final PenstockClient client = declared();
        client.declareTopic("plain", "json");
        final Map<SowRequest, ErrorCode> refusals = new HashMap<>();
        refusals.put(SowRequest.topic("plain"), ErrorCode.NO_STATE);
        refusals.put(SowRequest.topic("none"), ErrorCode.NO_STATE);
        refusals.put(SowRequest.topic(TOPIC).filter("price >"), ErrorCode.BAD_FILTER);
        refusals.put(SowRequest.topic(TOPIC).orderBy("price DOWN"), ErrorCode.BAD_QUERY);
        refusals.put(SowRequest.topic(TOPIC).groupBy("").having("n > 1"), ErrorCode.BAD_QUERY);
        refusals.put(SowRequest.topic(TOPIC).keys(List.of("{}")), ErrorCode.BAD_KEY);
        refusals.put(SowRequest.pattern("a("), ErrorCode.BAD_PATTERN);
        refusals.forEach((request, code) -> assertThatThrownBy(() -> client.sow(request))
                .as(request.toString())
                .isInstanceOfSatisfying(
                        PenstockException.class, e -> assertThat(e.errorCode()).isEqualTo(code)));
        final Set<ErrorCode> codes = new HashSet<>();
        for (final String filter : List.of("", "price >")) {
            try {
                client.sowDelete(TOPIC, filter);
            } catch (final PenstockException e) {
                codes.add(e.errorCode());
            }
        }
        assertThat(codes).containsExactlyInAnyOrder(ErrorCode.BAD_QUERY, ErrorCode.BAD_FILTER);
        assertThatThrownBy(() -> client.declareTopic(Topic.json(TOPIC).key("other")))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining(TOPIC);
        assertThatThrownBy(() -> client.sow(SowRequest.topic(TOPIC).keys(List.of("a\nb"))))
                .hasMessageContaining("line break");
    }
}
