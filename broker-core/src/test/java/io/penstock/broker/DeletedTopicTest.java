package io.penstock.broker;

import static io.penstock.broker.RawClient.ACK_PROCESSED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.security.AnonymousAdministration;
import io.penstock.broker.security.Authenticator;
import io.penstock.broker.security.Authorizer;
import io.penstock.broker.session.query.QueryStarter;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics that are deleted by command: what becomes of them, of their messages, and of those who use them. */
@Timeout(120)
class DeletedTopicTest {
    private static final byte[] MESSAGE = "{\"id\":1}".getBytes(UTF_8);

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldDeleteATopicAndCreateItAnewWithTheNextMessage(final ThreadingMode threading) {
        try (TestBroker test =
                new TestBroker(builder -> builder.threading(threading).shardCount(3))) {
            final RawClient byName = subscriber(test, "byName", "a", "");
            final RawClient filtered = subscriber(test, "filtered", "a", "id = 1");
            final RawClient byPattern = test.logOn("byPattern");
            byPattern.subscribe(2, 7, "[ab]", "", true);
            test.awaitAck(byPattern, 2);
            final RawClient client = test.logOn("client");
            publish(test, client, 10, "a");
            publish(test, client, 11, "b");
            test.await(() -> byName.deliveries.size() == 1 && filtered.deliveries.size() == 1);
            test.await(() -> byPattern.deliveries.size() == 2);
            delete(test, client, 12, "a");
            assertThat(names(test, client, 13)).containsExactly("b");
            publish(test, client, 14, "a");
            client.publish(15, 0, ACK_PROCESSED, "b", MESSAGE);
            test.awaitAck(client, 15);
            assertThat(names(test, client, 16)).containsExactlyInAnyOrder("a", "b");
            test.await(() -> byName.deliveries.size() == 2 && filtered.deliveries.size() == 2);
            test.await(() -> byPattern.deliveries.size() == 4);
            for (final RawClient each : List.of(byName, filtered, byPattern, client)) {
                assertThat(each.errors).isEmpty();
            }
            byName.unsubscribe(3, 7);
            test.awaitAck(byName, 3);
            delete(test, client, 17, "a");
            delete(test, client, 18, "b");
            assertThat(names(test, client, 19)).isEmpty();
            if (threading == ThreadingMode.INVOKER) {
                test.assertNothingLeaked();
            }
        }
    }

    @Test
    void shouldRefuseWhatCannotBeDeleted() {
        final TopicConfig source = TopicConfig.keyed("quotes", "json", "id");
        try (TestBroker test = new TestBroker(builder -> builder.topic(source)
                .view(new ViewConfig("total", "quotes", "", "SUM(id) AS total", ""))
                .view(new ViewConfig("cheap", "quotes", "id < 3", "id", ""))
                .view(ViewConfig.join(
                        "both",
                        ViewConfig.Join.inner("total", "quotes", "/total/total = /quotes/id"),
                        "",
                        "/quotes/id")))) {
            final RawClient client = test.logOn("client");
            client.deleteTopic(10, "nowhere");
            client.deleteTopic(11, "");
            client.deleteTopic(12, "quotes");
            client.deleteTopic(13, "total");
            test.settle();
            assertThat(client.errors)
                    .containsExactly(
                            ErrorCode.NOT_FOUND, ErrorCode.BAD_TOPIC, ErrorCode.TOPIC_IN_USE, ErrorCode.TOPIC_IN_USE);
            assertThat(client.errorTexts.get(2)).contains("total, cheap, both");
            assertThat(client.errorTexts.get(3)).contains("both");
            assertThat(names(test, client, 14)).containsExactlyInAnyOrder("quotes", "total", "cheap", "both");
        }
    }

    @Test
    void shouldLetNobodyDeleteTopicsWhoMayNot() {
        for (final var policy : AnonymousAdministration.values()) {
            final var security = new SecurityConfig(Authenticator.NONE, Authorizer.ALL, false, policy);
            try (TestBroker test = new TestBroker(builder -> builder.security(security))) {
                final RawClient client = test.logOn("client");
                publish(test, client, 10, "a");
                client.deleteTopic(11, "a");
                test.settle();
                final boolean isAllowed = policy != AnonymousAdministration.NONE;
                assertThat(client.errors).isEqualTo(isAllowed ? List.of() : List.of(ErrorCode.NOT_AUTHORIZED));
                assertThat(client.acks.containsKey(11L)).isEqualTo(isAllowed);
                assertThat(names(test, client, 12).isEmpty()).isEqualTo(isAllowed);
            }
        }
    }

    @Test
    void shouldGiveBackWhatATopicCounted() {
        try (TestBroker test =
                new TestBroker(builder -> builder.shardCount(3).quotas(new QuotaConfig(1, 1_000, 5, 100)))) {
            final RawClient client = test.logOn("client");
            for (int i = 0; i < 100; i++) {
                publish(test, client, 10 + 2 * i, "t" + i);
                delete(test, client, 11 + 2 * i, "t" + i);
            }
            for (int i = 0; i < 6; i++) {
                client.publish(1_000 + i, 0, ACK_PROCESSED, "u" + i, MESSAGE);
            }
            test.settle();
            assertThat(client.errors).containsExactly(ErrorCode.LIMIT_REACHED);
            assertThat(names(test, client, 2_000)).hasSize(5);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndWhatFollowsStateThatIsGone(final boolean isBehind) {
        try (TestBroker test = new TestBroker(builder -> builder)) {
            final StateClient client = new StateClient(test);
            final RawClient admin = test.logOn("admin");
            client.declare("t", "/id", 0);
            client.publish("t", "{\"id\":1}");
            client.flush();
            client.subscribe(1, SubscribeRequest.topic("t").oof());
            client.subscribe(2, SubscribeRequest.topic("t").sow().oof());
            client.subscribe(3, SubscribeRequest.topic("t").sow());
            client.subscribe(4, SubscribeRequest.topic("t").filter("id > 1").delta());
            client.take();
            client.paused = isBehind;
            for (int i = 0; isBehind && i < 5_000; i++) {
                test.publish(admin, "t", "{\"id\":" + i + "}");
            }
            delete(test, admin, 10, "t");
            client.paused = false;
            test.settle();
            assertThat(client.errors)
                    .extracting(error -> error.subscriptionId() + " " + error.errorCode())
                    .contains("1 NOT_FOUND", "2 NOT_FOUND", "4 NOT_FOUND");
            assertThat(client.errors.get(0).text()).contains("the topic was deleted");
            assertThat(test.broker.counter("subscriptionsBehind")).isZero();
            if (!isBehind) {
                assertThat(test.broker.counter("fellBehind")).isZero();
                assertThat(test.broker.counter("resyncs")).isZero();
            }

            // Another key, and rows with other numbers.
            client.declare("t", "/k", 0);
            client.publish("t", "{\"id\":1,\"k\":7}");
            client.take();
            assertThat(client.sow(SowRequest.topic("t"))).containsExactly("{\"id\":1,\"k\":7}");
            assertThat(client.delete("t", "k = 7")).isEqualTo(1);
            assertThat(client.sow(SowRequest.topic("t"))).isEmpty();
        }
    }

    @Test
    void shouldSayThatTheTopicIsGoneWhenNoMoreQueriesMayRun() {
        final List<EventKind> events = new CopyOnWriteArrayList<>();
        try (TestBroker test = new TestBroker(builder -> builder.events(event -> events.add(event.kind())))) {
            final StateClient follower = new StateClient(test);
            final RawClient admin = test.logOn("admin");
            follower.declare("t", "/id", 0);
            follower.declare("small", "/id", 0);
            follower.publish("small", "{\"id\":1}");
            fill(follower);
            follower.subscribe(1, SubscribeRequest.topic("t").oof());
            follower.subscribe(2, SubscribeRequest.topic("t").delta());
            final int clientCount = 8;
            for (int i = 0; i < clientCount; i++) {
                final StateClient slow = blocked(test);
                for (int j = 1; j < 2 * QueryStarter.QUERY_COUNT_MAX / clientCount; j++) {
                    final long id = j;
                    slow.offer(() -> slow.session.offerSow(id, SowRequest.topic("small")));
                }
            }
            test.settle();
            follower.sow(SowRequest.topic("small"));
            delete(test, admin, 10, "t");
            test.settle();
            assertThat(follower.errors)
                    .extracting(error -> error.subscriptionId() + " " + error.errorCode())
                    .containsExactlyInAnyOrder("0 LIMIT_REACHED", "1 NOT_FOUND", "2 NOT_FOUND");
            assertThat(test.broker.counter("fellBehind")).isZero();
        }
        assertThat(events).doesNotContain(EventKind.SUBSCRIPTION_BEHIND);
    }

    @Test
    void shouldSendTheStateOfTheNextTopicWhenItIsThereBeforeFollowersWereNotified() {
        try (TestBroker test = new TestBroker(builder -> builder)) {
            final RawClient admin = test.logOn("admin");
            final StateClient other = new StateClient(test);
            other.declare("t", "/id", 0);
            fill(other);
            final StateClient client = new StateClient(test);
            client.subscribe(1, SubscribeRequest.topic("t").oof());
            block(client);
            for (int i = 0; i < 3; i++) {
                test.publish(admin, "t", "{\"id\":" + i + ",\"text\":\"" + "x".repeat(12_000) + "\"}");
            }
            delete(test, admin, 10, "t");
            admin.declareTopic(11, "t", "json", "id");
            test.awaitAck(admin, 11);
            test.publish(admin, "t", "{\"id\":-1}");
            test.settle();
            client.paused = false;
            assertThat(client.take().stream()
                            .filter(each -> each.startsWith("1 "))
                            .map(each -> each.substring(0, each.indexOf(':') + 2)))
                    .containsExactly(
                            "1 MESSAGE {\"id\":0", "1 MESSAGE {\"id\":1", "1 MESSAGE {\"id\":2", "1 STATE {\"id\":-");
            test.publish(admin, "t", "{\"id\":-2}");
            assertThat(client.take()).containsExactly("1 MESSAGE {\"id\":-2}");
            assertThat(client.errors).isEmpty();
            assertThat(test.broker.counter("fellBehind")).isZero();
        }
    }

    @Test
    void shouldDeliverWhatWasAcknowledgedBeforeToThoseWhoDidNotKnowTheTopic() {
        final int count = 300;
        try (TestBroker test = new TestBroker(builder -> builder)) {
            final RawClient subscriber = test.logOn("subscriber");
            subscriber.subscribe(2, 7, ".*", "", true);
            test.awaitAck(subscriber, 2);
            final RawClient client = test.logOn("client");
            final RawClient admin = test.logOn("admin");
            for (int i = 0; i < count; i++) {
                client.declareTopic(1_000 + i, "t" + i, "json");
                test.awaitAck(client, 1_000 + i);
                // In one duty cycle: the subscriber's agent finds the topic gone.
                client.publish(2_000 + i, 0, ACK_PROCESSED, "t" + i, MESSAGE);
                admin.deleteTopic(3_000 + i, "t" + i);
                test.awaitAck(client, 2_000 + i);
                test.awaitAck(admin, 3_000 + i);
            }
            test.settle();
            assertThat(names(test, client, 10)).isEmpty();
            assertThat(subscriber.deliveries).hasSize(count);
            assertThat(subscriber.errors).isEmpty();
        }
    }

    @Test
    void shouldCountATopicThatIsDeclaredWhileTheOneBeforeIsDeleted() {
        try (TestBroker test = new TestBroker(builder -> builder.quotas(new QuotaConfig(1, 1_000, 1, 100)))) {
            final RawClient admin = test.logOn("admin");
            final RawClient client = test.logOn("client");
            publish(test, admin, 10, "a");
            admin.deleteTopic(11, "a");
            client.declareTopic(12, "a", "json");
            test.settle();
            assertThat(admin.acks).containsKey(11L);
            assertThat(client.acks).containsKey(12L);
            client.publish(13, 0, ACK_PROCESSED, "b", MESSAGE);
            test.settle();
            assertThat(client.errors).containsExactly(ErrorCode.LIMIT_REACHED);
            delete(test, admin, 14, "a");
            publish(test, client, 15, "b");
        }
    }

    /** Commands cross on their way to the shard, from two I/O agents. */
    @Test
    void shouldAnswerEverySubscribeWhileATopicIsDeletedAndCreatedAnew() {
        try (TestBroker test = new TestBroker(
                builder -> builder.threading(ThreadingMode.DEDICATED).ioAgentCount(2))) {
            final StateClient client = new StateClient(test);
            final StateClient other = new StateClient(test);
            final RawClient admin = test.logOn("admin");
            client.declare("t", "/id", 0);
            for (int i = 0; i < 300; i++) {
                admin.deleteTopic(1_000 + i, "t");
                admin.declareTopic(2_000 + i, "t", "json", "id");
                client.subscribe(1 + i, SubscribeRequest.topic("t").oof());
                other.subscribe(1 + i, SubscribeRequest.topic("t").sow().oof());
                test.awaitAck(admin, 2_000 + i);
            }
            for (final StateClient each : List.of(client, other)) {
                assertThat(each.errors)
                        .allMatch(error ->
                                error.errorCode() == ErrorCode.NOT_FOUND || error.errorCode() == ErrorCode.NO_STATE);
                each.errors.clear();
                each.deliveries.clear();
                each.subscribe(10_000, SubscribeRequest.topic("t").oof());
            }
            test.publish(admin, "t", "{\"id\":1}");
            for (final StateClient each : List.of(client, other)) {
                test.await(() -> each.deliveries.stream().anyMatch(delivery -> delivery.id() == 10_000));
                assertThat(each.errors).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "3, false", "3, true"})
    void shouldKnowAfterARestartWhatWasDeleted(final int shardCount, final boolean withSnapshot) {
        try (TestBroker test = start(shardCount)) {
            final RawClient client = test.logOn("client");
            for (int i = 0; i < 20; i++) {
                client.declareTopic(100 + i, "t" + i, "json", i % 2 == 0 ? "id" : "");
                publish(test, client, 200 + i, "t" + i);
            }
            for (int i = 0; i < 20; i++) {
                if (i % 5 != 1) {
                    delete(test, client, 300 + i, "t" + i);
                }
            }
            publish(test, client, 400, "t3");
            delete(test, client, 401, "t3");
            if (withSnapshot) {
                test.broker.snapshot();
                test.advance(200);
            }
            publish(test, client, 402, "t4");
        }
        for (int run = 0; run < 2; run++) {
            try (TestBroker test = start(shardCount)) {
                final RawClient client = test.logOn("client");
                assertThat(names(test, client, 10)).containsExactlyInAnyOrder("t1", "t4", "t6", "t11", "t16");
                client.subscribeFrom(11, 7, ReplayRequest.pattern(".*"));
                test.settle();
                assertThat(client.errors).isEmpty();
                assertThat(client.deliveries).hasSize(5);
            }
        }
    }

    @Test
    void shouldTakeNoMoreMemoryHoweverManyTopicsCameAndWent() {
        final UnaryOperator<BrokerConfig.Builder> configure =
                builder -> builder.quotas(new QuotaConfig(1, Integer.MAX_VALUE, Integer.MAX_VALUE, 100));
        try (TestBroker test = new TestBroker(configure)) {
            final RawClient client = test.logOn("client");
            long before = 0;
            for (int i = 0; i < 60_000; i++) {
                if (i == 10_000) {
                    before = usedLength();
                }
                final String name = "topic-" + i;
                final long id = 10 + 2L * i;
                if (i % 2 == 0) {
                    client.declareTopic(5, name, "json", "id");
                }
                publish(test, client, id, name);
                delete(test, client, id + 1, name);
                client.forget();
            }
            test.settle();
            assertThat(usedLength() - before).isLessThan(8L << 20);
            assertThat(test.broker.counter("errors")).isZero();
        }
    }

    /** Creates, publishes, deletes records and topics, stores snapshots and restarts, and compares with a map. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldDoWhatAMapDoes(final long seed) {
        final Random random = new Random(seed);
        final TreeMap<String, List<String>> model = new TreeMap<>();
        long id = 10;
        for (int run = 0; run < 6; run++) {
            try (TestBroker test = start(1 + (int) (seed % 2))) {
                final StateClient client = new StateClient(test);
                final RawClient admin = test.logOn("admin");
                for (int i = 0; i < 60; i++) {
                    final String name = "t" + random.nextInt(6);
                    final int what = random.nextInt(10);
                    if (what == 0) {
                        test.broker.snapshot();
                        test.advance(50);
                    } else if (what < 4) {
                        admin.deleteTopic(++id, name);
                        test.settle();
                        assertThat(admin.acks.containsKey(id))
                                .as("seed " + seed)
                                .isEqualTo(model.remove(name) != null);
                    } else {
                        final int key = random.nextInt(4);
                        final String text = "{\"id\":" + key + ",\"n\":" + i + "}";
                        if (!model.containsKey(name)) {
                            client.declare(name, "/id", 0);
                            model.put(name, new ArrayList<>());
                        }
                        client.publish(name, text);
                        client.flush();
                        model.get(name).removeIf(each -> each.startsWith("{\"id\":" + key + ","));
                        model.get(name).add(text);
                    }
                }
                assertThat(names(test, admin, ++id))
                        .as("seed " + seed)
                        .containsExactlyInAnyOrderElementsOf(model.keySet());
                for (final String name : model.keySet()) {
                    assertThat(client.sow(SowRequest.topic(name)))
                            .as("seed " + seed + ", " + name)
                            .containsExactlyInAnyOrderElementsOf(model.get(name));
                }
                admin.forget();
            }
        }
    }

    /** Makes a topic with more state than a connection takes. */
    private static void fill(final StateClient client) {
        client.declare("big", "/id", 0);
        for (int i = 0; i < 400; i++) {
            client.publish("big", "{\"id\":" + i + ",\"text\":\"" + "x".repeat(8_000) + "\"}");
        }
        client.flush();
    }

    private static StateClient blocked(final TestBroker test) {
        final StateClient client = new StateClient(test);
        block(client);
        return client;
    }

    /** Lets a client take nothing, so that what is to be sent to it waits. */
    private static void block(final StateClient client) {
        client.paused = true;
        client.offer(() -> client.session.offerSow(100_000, SowRequest.topic("big")));
        client.broker.settle();
    }

    private static RawClient subscriber(
            final TestBroker test, final String name, final String topic, final String filter) {
        final RawClient client = test.logOn(name);
        client.subscribe(2, 7, topic, filter);
        test.awaitAck(client, 2);
        return client;
    }

    private static void publish(final TestBroker test, final RawClient client, final long id, final String topic) {
        while (!client.publish(id, 0, ACK_PROCESSED, topic, MESSAGE)) {
            test.cycle();
        }
        test.awaitAck(client, id);
    }

    private static void delete(final TestBroker test, final RawClient client, final long id, final String topic) {
        while (!client.deleteTopic(id, topic)) {
            test.cycle();
        }
        test.awaitAck(client, id);
    }

    private static List<String> names(final TestBroker test, final RawClient client, final long id) {
        client.topicMessages.clear();
        client.topics(id, "");
        test.awaitAck(client, id);
        return List.copyOf(client.topicMessages.keySet());
    }

    private TestBroker start(final int shardCount) {
        return new TestBroker(builder -> builder.shardCount(shardCount)
                .journal(JournalConfig.in(directory.toString()).withFileLength(64 * 1024)));
    }

    private static long usedLength() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
