package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.query.join.JoinValue;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.format.FieldPath;
import io.penstock.format.json.JsonFormat;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Views of two topics: what their rows are, and when. */
class JoinTest {
    private static final String ON = "/orders/customer = /customers/id";
    private static final String SELECT = "/orders/id, /orders/customer, /customers/name";

    @TempDir
    private Path directory;

    private TestBroker broker;
    private StateClient client;

    @AfterEach
    void stop() {
        if (broker != null) {
            broker.close();
        }
    }

    @Test
    void shouldHaveARowForEachPairWhenJoined() {
        start(ViewConfig.Join.inner("orders", "customers", ON), "", SELECT);
        customer("{\"id\":7,\"name\":\"x\"}");
        order("{\"id\":1,\"customer\":7}");
        order("{\"id\":2,\"customer\":8}");
        order("{\"id\":3,\"customer\":7.0}");

        assertThat(rows())
                .containsExactly(
                        "{\"id\":1,\"customer\":7,\"name\":\"x\"}", "{\"id\":3,\"customer\":7,\"name\":\"x\"}");
        assertThat(client.sow(SowRequest.topic("v").keys(List.of("{\"id\":3}"))))
                .hasSize(1);
    }

    @Test
    void shouldFollowChangesOfBothTopics() {
        start(ViewConfig.Join.inner("orders", "customers", ON), "", SELECT);
        client.subscribe(1, SubscribeRequest.topic("v").oof());
        order("{\"id\":1,\"customer\":7}");
        assertThat(client.take()).isEmpty();
        customer("{\"id\":7,\"name\":\"x\"}");
        assertThat(client.take()).containsExactly("1 MESSAGE {\"id\":1,\"customer\":7,\"name\":\"x\"}");
        customer("{\"id\":7,\"name\":\"y\"}");
        assertThat(client.take()).containsExactly("1 MESSAGE {\"id\":1,\"customer\":7,\"name\":\"y\"}");
        order("{\"id\":1,\"customer\":8}");
        assertThat(client.take()).containsExactly("1 OOF_DELETED {\"id\":1,\"customer\":7,\"name\":\"y\"}");
        order("{\"id\":1,\"customer\":7}");
        client.take();
        client.delete("customers", "TRUE");
        assertThat(client.take()).containsExactly("1 OOF_DELETED {\"id\":1,\"customer\":7,\"name\":\"y\"}");
    }

    @Test
    void shouldHaveARowForEachLeftRecordWhenOuter() {
        start(ViewConfig.Join.left("orders", "customers", ON), "", SELECT);
        client.subscribe(1, SubscribeRequest.topic("v").oof());
        order("{\"id\":1,\"customer\":7}");
        assertThat(client.take()).containsExactly("1 MESSAGE {\"id\":1,\"customer\":7,\"name\":null}");
        customer("{\"id\":7,\"name\":\"x\"}");
        assertThat(client.take()).containsExactly("1 MESSAGE {\"id\":1,\"customer\":7,\"name\":\"x\"}");
        client.delete("customers", "TRUE");
        assertThat(client.take()).containsExactly("1 MESSAGE {\"id\":1,\"customer\":7,\"name\":null}");
        order("{\"id\":1}");
        assertThat(client.take()).containsExactly("1 MESSAGE {\"id\":1,\"customer\":null,\"name\":null}");
        client.delete("orders", "TRUE");
        assertThat(client.take()).containsExactly("1 OOF_DELETED {\"id\":1,\"customer\":null,\"name\":null}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1            | 1.0       | true",
                "1            | \"1\"     | false",
                "true         | 1         | false",
                "true         | true      | true",
                "-0.0         | 0         | true",
                "0.1          | 1e-1      | true",
                "9007199254740993 | 9007199254740992.0 | false",
                "9007199254740992 | 9007199254740992.0 | true",
                "\"\\u0078\"  | \"x\"     | true",
                "\"\"         | \"\"      | true",
                "null         | null      | false",
                "{}           | {}        | false",
                "[]           | []        | false",
                "[\"x\",1]    | \"x\"     | true",
                "[[]]         | [[]]      | false",
                "1e999        | 1e999     | false",
            })
    void shouldPairByEqualityOfFilters(final String left, final String right, final boolean isPair) {
        start(
                ViewConfig.Join.inner("orders", "customers", "/customers/ref = /orders/ref"),
                "",
                "/orders/id, /customers/id AS c");
        order("{\"id\":1,\"ref\":" + left + "}");
        customer("{\"id\":2,\"ref\":" + right + "}");

        assertThat(rows()).hasSize(isPair ? 1 : 0);
    }

    @Test
    void shouldPairNothingByAMissingField() {
        start(
                ViewConfig.Join.inner("orders", "customers", "/customers/ref = /orders/ref"),
                "",
                "/orders/id, /customers/id AS c");
        order("{\"id\":1}");
        customer("{\"id\":2}");
        assertThat(rows()).isEmpty();
    }

    @Test
    void shouldHaveBothKeysWhenManyAreJoinedToMany() {
        start(
                ViewConfig.Join.left("orders", "customers", "/orders/region = /customers/region"),
                "",
                "/orders/id AS o, /customers/id AS c");
        order("{\"id\":1,\"region\":\"n\"}");
        order("{\"id\":2,\"region\":\"n\"}");
        assertThat(rows()).containsExactlyInAnyOrder("{\"o\":1,\"c\":null}", "{\"o\":2,\"c\":null}");
        customer("{\"id\":1,\"region\":\"n\"}");
        customer("{\"id\":2,\"region\":\"n\"}");
        assertThat(rows())
                .containsExactlyInAnyOrder(
                        "{\"o\":1,\"c\":1}", "{\"o\":1,\"c\":2}", "{\"o\":2,\"c\":1}", "{\"o\":2,\"c\":2}");
        client.delete("customers", "id = 1");
        assertThat(rows()).containsExactlyInAnyOrder("{\"o\":1,\"c\":2}", "{\"o\":2,\"c\":2}");
        customer("{\"id\":2,\"region\":\"s\"}");
        assertThat(rows()).containsExactlyInAnyOrder("{\"o\":1,\"c\":null}", "{\"o\":2,\"c\":null}");
    }

    @Test
    void shouldPairBySeveralFields() {
        start(
                ViewConfig.Join.inner(
                        "orders",
                        "customers",
                        "/orders/customer = /customers/id AND /customers/region = /orders/to/region"),
                "",
                SELECT);
        customer("{\"id\":7,\"name\":\"x\",\"region\":\"n\"}");
        order("{\"id\":1,\"customer\":7,\"to\":{\"region\":\"n\"}}");
        order("{\"id\":2,\"customer\":7,\"to\":{\"region\":\"s\"}}");
        order("{\"id\":3,\"customer\":7}");

        assertThat(rows()).containsExactly("{\"id\":1,\"customer\":7,\"name\":\"x\"}");
    }

    @Test
    void shouldFilterPairs() {
        start(
                ViewConfig.Join.left("orders", "customers", ON),
                "/customers/name IS NULL OR /orders/qty > /customers/least",
                SELECT);
        customer("{\"id\":7,\"name\":\"x\",\"least\":5}");
        order("{\"id\":1,\"customer\":7,\"qty\":6}");
        order("{\"id\":2,\"customer\":7,\"qty\":4}");
        order("{\"id\":3,\"customer\":8,\"qty\":4}");
        assertThat(rows())
                .containsExactly("{\"id\":1,\"customer\":7,\"name\":\"x\"}", "{\"id\":3,\"customer\":8,\"name\":null}");
        customer("{\"id\":7,\"name\":\"x\",\"least\":3}");
        assertThat(rows()).hasSize(3);
        customer("{\"id\":7,\"name\":\"x\",\"least\":30}");
        assertThat(rows()).containsExactly("{\"id\":3,\"customer\":8,\"name\":null}");
    }

    /** A pair that the filter leaves out has no row, by which the left record would be found. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/orders/ref = /customers/group | {\"id\":1,\"group\":6}",
                "/orders/ref = /customers/group | {\"id\":1,\"group\":null}",
                "/orders/ref = /customers/group | delete",
                "/orders/ref = /customers/group | expire",
                "/orders/ref = /customers/id AND /orders/group = /customers/group | {\"id\":1,\"group\":6}",
                "/orders/ref = /customers/id AND /orders/group = /customers/group | delete",
            })
    void shouldHaveTheRowOfALeftRecordThatLosesAPairThatTheFilterLeavesOut(final String on, final String change) {
        start(builder -> builder.topic(TopicConfig.keyed("orders", "json", "id"))
                .topic(new TopicConfig("customers", false, "json", TopicConfig.SHARD_BY_HASH, "id", 1000))
                .view(ViewConfig.join(
                        "v",
                        ViewConfig.Join.left("orders", "customers", on),
                        "/customers/id IS NULL",
                        "/orders/id, /customers/id AS c")));
        order("{\"id\":1,\"ref\":" + (on.contains("AND") ? 1 : 5) + ",\"group\":5}");
        assertThat(rows()).containsExactly("{\"id\":1,\"c\":null}");
        customer("{\"id\":1,\"group\":5}");
        assertThat(rows()).isEmpty();
        client.subscribe(1, SubscribeRequest.topic("v").oof());
        client.take();
        switch (change) {
            case "delete" -> client.delete("customers", "TRUE");
            case "expire" -> broker.advance(1001);
            default -> customer(change);
        }

        assertThat(client.take()).containsExactly("1 MESSAGE {\"id\":1,\"c\":null}");
        customer("{\"id\":1,\"group\":5}");
        assertThat(client.take()).containsExactly("1 OOF_DELETED {\"id\":1,\"c\":null}");
    }

    @Test
    void shouldHaveNoRowOfALeftRecordAloneWhileItHasAnotherPairThatTheFilterLeavesOut() {
        start(
                ViewConfig.Join.left("orders", "customers", "/orders/ref = /customers/group"),
                "/customers/id IS NULL OR /customers/name IS NOT NULL",
                "/orders/id, /customers/id AS c");
        order("{\"id\":1,\"ref\":5}");
        customer("{\"id\":1,\"group\":5}");
        customer("{\"id\":2,\"group\":5,\"name\":\"x\"}");
        assertThat(rows()).containsExactly("{\"id\":1,\"c\":2}");
        customer("{\"id\":2,\"group\":6,\"name\":\"x\"}");
        assertThat(rows()).isEmpty();
        // One goes and another one comes at once.
        client.publish("customers", "{\"id\":1,\"group\":6}");
        customer("{\"id\":3,\"group\":5}");
        assertThat(rows()).isEmpty();
        // Its last one goes, and it changes itself.
        client.publish("orders", "{\"id\":1,\"ref\":7}");
        client.publish("customers", "{\"id\":3,\"group\":7}");
        client.flush();
        assertThat(rows()).isEmpty();
        client.delete("customers", "id = 3");
        assertThat(rows()).containsExactly("{\"id\":1,\"c\":null}");
    }

    /** More left records than are looked at in a step, and two values with one hash. */
    @Test
    void shouldHaveTheRowsOfAllLeftRecordsThatLoseAPairWhenValuesHaveTheSameHash() {
        final int[] same = sameHash();
        final int one = same[0];
        final int other = same[1];
        start(
                ViewConfig.Join.left("orders", "customers", "/orders/ref = /customers/group"),
                "/customers/id IS NULL",
                "/orders/id, /customers/id AS c");
        customer("{\"id\":1,\"group\":" + one + "}");
        for (int i = 0; i < 3_000; i++) {
            client.publish("orders", "{\"id\":" + i + ",\"ref\":" + one + "}");
        }
        order("{\"id\":3000,\"ref\":" + other + "}");
        assertThat(rows()).containsExactly("{\"id\":3000,\"c\":null}");
        customer("{\"id\":1,\"group\":" + other + "}");
        assertThat(rows()).hasSize(3_000).doesNotContain("{\"id\":3000,\"c\":null}");
        client.delete("customers", "TRUE");
        assertThat(rows()).hasSize(3_001);
    }

    /** A row is published when it changes, not when what it does not show does. */
    @Test
    void shouldPublishNoRowThatIsAsItWas() {
        start(ViewConfig.Join.inner("orders", "customers", ON), "", SELECT);
        customer("{\"id\":7,\"name\":\"x\"}");
        order("{\"id\":1,\"customer\":7}");
        client.subscribe(1, SubscribeRequest.topic("v").oof());
        customer("{\"id\":7,\"name\":\"x\",\"phone\":1}");
        order("{\"id\":1,\"customer\":7,\"note\":1}");

        assertThat(client.take()).isEmpty();
    }

    @Test
    void shouldPublishRowsInTheOrderOfTheRecordsThatChangedLast() {
        start(ViewConfig.Join.inner("orders", "customers", ON), "", SELECT);
        for (final int id : new int[] {3, 1, 2, 3}) {
            order("{\"id\":" + id + ",\"customer\":7,\"qty\":" + id + "}");
        }
        client.subscribe(1, SubscribeRequest.topic("v"));
        customer("{\"id\":7,\"name\":\"x\"}");

        assertThat(client.take())
                .containsExactly(
                        "1 MESSAGE {\"id\":1,\"customer\":7,\"name\":\"x\"}",
                        "1 MESSAGE {\"id\":2,\"customer\":7,\"name\":\"x\"}",
                        "1 MESSAGE {\"id\":3,\"customer\":7,\"name\":\"x\"}");
    }

    @Test
    void shouldLoseRowsOfRecordsThatExpire() {
        start(builder -> builder.topic(TopicConfig.keyed("orders", "json", "id"))
                .topic(new TopicConfig("customers", false, "json", TopicConfig.SHARD_BY_HASH, "id", 1000))
                .view(ViewConfig.join("v", ViewConfig.Join.inner("orders", "customers", ON), "", SELECT)));
        customer("{\"id\":7,\"name\":\"x\"}");
        order("{\"id\":1,\"customer\":7}");
        assertThat(rows()).hasSize(1);
        broker.advance(1001);

        assertThat(rows()).isEmpty();
    }

    @Test
    void shouldGroupRowsInAnotherView() {
        start(builder -> topics(builder)
                .view(ViewConfig.join(
                        "v",
                        ViewConfig.Join.inner("orders", "customers", ON),
                        "",
                        "/orders/id, /orders/qty, /customers/region"))
                .view(new ViewConfig("w", "v", "", "region, SUM(qty) AS sum", "region"))
                .view(ViewConfig.join(
                        "x",
                        ViewConfig.Join.inner("w", "customers", "/w/region = /customers/region"),
                        "",
                        "/w/region, /customers/id, /w/sum")));
        customer("{\"id\":7,\"region\":\"n\"}");
        customer("{\"id\":8,\"region\":\"s\"}");
        order("{\"id\":1,\"customer\":7,\"qty\":3}");
        order("{\"id\":2,\"customer\":7,\"qty\":4}");
        order("{\"id\":3,\"customer\":8,\"qty\":5}");
        client.subscribe(1, SubscribeRequest.topic("w"));
        customer("{\"id\":7,\"region\":\"s\"}");

        assertThat(client.take()).contains("1 MESSAGE {\"region\":\"s\",\"sum\":12}");
        assertThat(client.sow(SowRequest.topic("w"))).containsExactly("{\"region\":\"s\",\"sum\":12}");
        assertThat(client.sow(SowRequest.topic("x").orderBy("id")))
                .containsExactly("{\"region\":\"s\",\"id\":7,\"sum\":12}", "{\"region\":\"s\",\"id\":8,\"sum\":12}");
    }

    @Test
    void shouldJoinATopicToItself() {
        start(builder -> topics(builder)
                .view(ViewConfig.join(
                        "v",
                        new ViewConfig.Join(
                                "orders", "orders", "o", "parent", ViewConfig.JoinType.LEFT, "/o/of = /parent/id"),
                        "",
                        "/o/id, /parent/qty")));
        order("{\"id\":1,\"of\":2}");
        order("{\"id\":2,\"qty\":9}");
        order("{\"id\":3,\"of\":3,\"qty\":8}");

        assertThat(rows()).containsExactly("{\"id\":1,\"qty\":9}", "{\"id\":2,\"qty\":null}", "{\"id\":3,\"qty\":8}");
    }

    @Test
    void shouldHaveTheSameRowsAfterAStartWithoutPublishingThemAgain() {
        for (int run = 0; run < 3; run++) {
            start(builder -> topics(builder.journal(
                            JournalConfig.in(directory.toString()).withFileLength(64 * 1024)))
                    .view(ViewConfig.join("v", ViewConfig.Join.left("orders", "customers", ON), "", SELECT)));
            if (run == 0) {
                customer("{\"id\":7,\"name\":\"x\"}");
                order("{\"id\":1,\"customer\":7}");
                order("{\"id\":2,\"customer\":8}");
            }
            assertThat(rows())
                    .containsExactly(
                            "{\"id\":1,\"customer\":7,\"name\":\"x\"}", "{\"id\":2,\"customer\":8,\"name\":null}");
            assertThat(broker.broker.counter("lastSequence")).as("run %d", run).isLessThan(20);
            client.subscribe(1, SubscribeRequest.topic("v"));
            client.take();
            customer("{\"id\":7,\"name\":\"y\"}");
            assertThat(client.take()).containsExactly("1 MESSAGE {\"id\":1,\"customer\":7,\"name\":\"y\"}");
            customer("{\"id\":7,\"name\":\"x\"}");
            broker.close();
            broker = null;
        }
    }

    /** A view of a join is computed at the start when the join is what its topics are: nobody gets rows of before that. */
    @Test
    void shouldPublishRowsOfAViewOfAJoinOnceAtTheStart() {
        startJournaled(ViewConfig.Join.left("orders", "customers", ON), SELECT);
        customer("{\"id\":7,\"name\":\"x\"}");
        order("{\"id\":1,\"customer\":7}");
        order("{\"id\":2,\"customer\":7}");
        order("{\"id\":3,\"customer\":8}");
        final long before = broker.broker.counter("lastSequence");
        broker.close();
        start(builder -> topics(
                        builder.journal(JournalConfig.in(directory.toString()).withFileLength(64 * 1024)))
                .view(ViewConfig.join("v", ViewConfig.Join.inner("orders", "customers", ON), "", SELECT))
                .view(new ViewConfig("groups", "v", "", "name, COUNT(*) AS n", "name"))
                .view(new ViewConfig("lines", "v", "", "id, name", "")));

        assertThat(client.sow(SowRequest.topic("groups"))).containsExactly("{\"name\":\"x\",\"n\":2}");
        assertThat(client.sow(SowRequest.topic("lines").orderBy("id")))
                .containsExactly("{\"id\":1,\"name\":\"x\"}", "{\"id\":2,\"name\":\"x\"}");
        // Two topics, the end of a row of the join, a group and two lines.
        assertThat(broker.broker.counter("lastSequence") - before).isEqualTo(6);
    }

    @Test
    void shouldMakeOtherRowsWhenTheJoinIsAnotherAtTheStart() {
        startJournaled(ViewConfig.Join.left("orders", "customers", ON), SELECT);
        customer("{\"id\":7,\"name\":\"x\"}");
        order("{\"id\":1,\"customer\":7}");
        order("{\"id\":2,\"customer\":8}");
        broker.close();
        startJournaled(ViewConfig.Join.inner("orders", "customers", ON), "/orders/id, UPPER(/customers/name) AS upper");

        assertThat(rows()).containsExactly("{\"id\":1,\"upper\":\"X\"}");
    }

    /** More rows than are put at a time, and than the log has room for. */
    @Test
    void shouldPutAllRowsOfARecordHoweverMany() {
        start(builder -> topics(
                        builder.window(new WindowConfig(16 * 1024, 3)).sessions(TestBroker.sessions(1024, 4096)))
                .view(ViewConfig.join("v", ViewConfig.Join.left("orders", "customers", ON), "", SELECT)));
        for (int i = 0; i < 3_000; i++) {
            client.publish("orders", "{\"id\":" + i + ",\"customer\":7}");
        }
        client.flush();
        customer("{\"id\":7,\"name\":\"x\"}");
        assertThat(client.sow(SowRequest.topic("v").filter("name = 'x'"))).hasSize(3_000);
        client.delete("customers", "TRUE");
        assertThat(client.sow(SowRequest.topic("v").filter("name IS NULL"))).hasSize(3_000);
        client.delete("orders", "TRUE");
        assertThat(rows()).isEmpty();
    }

    @Test
    void shouldLeaveOutRowsLongerThanAMessageUntilTheirRecordsChange() {
        start(ViewConfig.Join.left("orders", "customers", ON), "", "/orders/id, CONCAT(/orders/t, /customers/t) AS t");
        final String pad = "y".repeat(10_000);
        customer("{\"id\":7,\"t\":\"" + pad + "\"}");
        order("{\"id\":1,\"customer\":7,\"t\":\"" + pad + "\"}");
        order("{\"id\":2,\"customer\":8,\"t\":\"x\"}");
        assertThat(rows()).containsExactly("{\"id\":2,\"t\":null}");
        assertThat(broker.broker.counter("stateRefused")).isEqualTo(1);
        customer("{\"id\":7,\"t\":\"z\"}");

        assertThat(rows()).containsExactly("{\"id\":1,\"t\":\"" + pad + "z\"}", "{\"id\":2,\"t\":null}");
        customer("{\"id\":7,\"t\":\"" + pad + "\"}");
        client.delete("orders", "id = 1");
        order("{\"id\":1,\"customer\":7,\"t\":\"" + pad + "\"}");
        assertThat(rows()).containsExactly("{\"id\":2,\"t\":null}");
        client.delete("customers", "TRUE");
        assertThat(rows()).containsExactly("{\"id\":1,\"t\":null}", "{\"id\":2,\"t\":null}");
        assertThat(broker.takeErrors()).singleElement().asString().contains("view v: a row is longer than 16384 bytes");
    }

    @Test
    void shouldLeaveOutRowsThatFindNoMemoryUntilTheirRecordsChange() {
        start(builder -> topics(builder.state(new StateConfig(1 << 20, 128 << 10, 64 << 10, 0, 60_000, 1 << 20, 0)))
                .view(ViewConfig.join(
                        "v",
                        ViewConfig.Join.inner("orders", "customers", "/orders/ref = /customers/ref"),
                        "",
                        "/orders/id, /customers/id AS c, /customers/t")));
        for (int i = 0; i < 60; i++) {
            client.publish("orders", "{\"id\":" + i + ",\"ref\":1}");
            client.publish("customers", "{\"id\":" + i + ",\"ref\":1,\"t\":\"" + "t".repeat(400) + "\"}");
        }
        client.flush();
        final int count = client.sow(SowRequest.topic("v")).size();
        assertThat(count).isBetween(300, 3_599);
        assertThat(broker.broker.counter("stateRefused")).isPositive();
        client.delete("orders", "id > 1");
        assertThat(client.sow(SowRequest.topic("v"))).hasSizeLessThanOrEqualTo(120);
        client.publish("orders", "{\"id\":0,\"ref\":1}");
        client.publish("orders", "{\"id\":1,\"ref\":1}");
        client.flush();

        assertThat(client.sow(SowRequest.topic("v"))).hasSize(120);
    }

    private void start(final ViewConfig.Join join, final String filter, final String select) {
        start(builder -> topics(builder).view(ViewConfig.join("v", join, filter, select)));
    }

    private void startJournaled(final ViewConfig.Join join, final String select) {
        start(builder -> topics(
                        builder.journal(JournalConfig.in(directory.toString()).withFileLength(64 * 1024)))
                .view(ViewConfig.join("v", join, "", select)));
    }

    private static BrokerConfig.Builder topics(final BrokerConfig.Builder builder) {
        return builder.topic(TopicConfig.keyed("orders", "json", "id"))
                .topic(TopicConfig.keyed("customers", "json", "id"));
    }

    private void start(final UnaryOperator<BrokerConfig.Builder> configure) {
        broker = new TestBroker(configure);
        client = new StateClient(broker);
    }

    /** Two values with one hash. Hashes have a secret, so they are looked for. */
    private static int[] sameHash() {
        final JoinValue value = new JoinValue(new JsonFormat(), List.of(FieldPath.of("ref")));
        final Map<Integer, Integer> values = new HashMap<>();
        for (int ref = 0; ; ref++) {
            final byte[] message = ("{\"ref\":" + ref + "}").getBytes(StandardCharsets.UTF_8);
            assertThat(value.read(new UnsafeBuffer(message), 0, message.length)).isTrue();
            final Integer former = values.put(value.hash(), ref);
            if (former != null) {
                return new int[] {former, ref};
            }
        }
    }

    private List<String> rows() {
        return client.sow(SowRequest.topic("v").orderBy("id"));
    }

    private void order(final String text) {
        client.publish("orders", text);
        client.flush();
    }

    private void customer(final String text) {
        client.publish("customers", text);
        client.flush();
    }
}
