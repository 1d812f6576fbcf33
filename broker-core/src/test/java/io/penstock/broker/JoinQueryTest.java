package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.Bookmark;
import io.penstock.client.BrokerError;
import io.penstock.client.SowRequest;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries of two topics: their rows are those of the view that says the same. */
@Timeout(60)
class JoinQueryTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 4);
    private static final String ON = "/orders/customer = /customers/id";
    private static final String SELECT = "/orders/id AS o, /customers/id AS c, /orders/n AS n, /customers/name AS name";
    private static final SowRequest ORDERS = SowRequest.topic("orders");
    private static final String[] CONDITIONS = {
        "/orders/ref = /customers/id",
        "/customers/group = /orders/ref",
        "/orders/ref = /customers/id AND /orders/group = /customers/group"
    };
    private static final String[] FILTERS = {
        "",
        "/orders/n > 4",
        "/customers/name < 5",
        "/orders/n > 4 OR /customers/name < 5",
        "/customers/id IS NULL",
        "/orders/n > 2 AND /customers/name > /orders/n"
    };
    private static final String[] VALUES = {
        "null", "1", "1.0", "\"1\"", "true", "\"x\"", "[\"x\",2]", "{}", "0.5", "\"\"", "[]", "2", "3", "4", "1e999"
    };

    private TestBroker broker;
    private StateClient client;

    @AfterEach
    void stop() {
        if (broker != null) {
            broker.close();
        }
    }

    /** Its long form has many more seeds. */
    @Test
    @Timeout(600)
    void shouldHaveTheRowsOfTheViewThatSaysTheSame() {
        long rowCount = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                rowCount += compare(new Random(seed));
            } catch (final AssertionError failed) {
                throw new AssertionError("seed " + seed + ": " + failed.getMessage(), failed);
            } finally {
                broker.close();
            }
        }
        assertThat(rowCount).isGreaterThan(20L * SEEDS);
    }

    private long compare(final Random random) {
        final boolean isOuter = random.nextBoolean();
        final String on = CONDITIONS[random.nextInt(CONDITIONS.length)];
        final String filter = FILTERS[random.nextInt(FILTERS.length)];
        final ViewConfig.JoinType type = isOuter ? ViewConfig.JoinType.LEFT : ViewConfig.JoinType.INNER;
        start(builder -> builder.topic(TopicConfig.keyed("orders", "json", "id"))
                .topic(TopicConfig.keyed("customers", "json", "id"))
                .view(ViewConfig.join("v", new ViewConfig.Join("orders", "customers", "", "", type, on), "", SELECT)));
        final SowRequest view = SowRequest.topic("v")
                .filter(filter.replace("/orders/", "")
                        .replace("/customers/name", "name")
                        .replace("/customers/id", "c"));
        final SowRequest query = ORDERS.join((isOuter ? "LEFT JOIN" : "JOIN") + " customers ON " + on)
                .filter(filter)
                .select(SELECT);
        long rowCount = 0;
        for (int round = 0; round < 4; round++) {
            change(random, round == 3 ? 300 : 14);
            final List<String> rows = client.sow(view);
            assertThat(client.sow(query)).as("%s", query).containsExactlyInAnyOrderElementsOf(rows);
            final SowRequest ordered = query.orderBy("/orders/n DESC, /orders/id, /customers/id");
            assertThat(client.sow(ordered.skip(1).top(4)))
                    .containsExactlyElementsOf(
                            client.sow(view.orderBy("n DESC, o, c").skip(1).top(4)));
            assertThat(client.sow(query.select("/customers/name AS name, COUNT(*) AS count, SUM(/orders/n) AS sum,"
                                    + " MAX(/orders/id) AS max")
                            .groupBy("/customers/name")
                            .having("count > 1")
                            .orderBy("name DESC")))
                    .containsExactlyElementsOf(
                            client.sow(view.select("name, COUNT(*) AS count, SUM(n) AS sum, MAX(o) AS max")
                                    .groupBy("name")
                                    .having("count > 1")
                                    .orderBy("name DESC")));
            assertThat(client.sow(query.select("COUNT(*) AS n"))).containsExactly("{\"n\":" + rows.size() + "}");
            rowCount += rows.size();
        }
        return rowCount;
    }

    private void change(final Random random, final int count) {
        for (int i = 0; i < count; i++) {
            final String topic = random.nextBoolean() ? "orders" : "customers";
            final int id = random.nextInt(count < 20 ? 6 : 80);
            if (random.nextInt(6) == 0) {
                client.delete(topic, "", "{\"id\":" + id + "}");
            } else {
                client.publish(
                        topic,
                        "{\"id\":" + id + value(random, "ref") + value(random, "group") + ",\"n\":" + random.nextInt(10)
                                + ",\"name\":" + random.nextInt(10) + "}");
            }
        }
        client.flush();
        broker.settle();
    }

    private static String value(final Random random, final String name) {
        return random.nextInt(8) == 0 ? "" : ",\"" + name + "\":" + VALUES[random.nextInt(VALUES.length)];
    }

    @Test
    void shouldJoinTopicsOfTwoShards() {
        start(builder -> builder.shardCount(2)
                .topic(new TopicConfig("orders", false, "json", 1, "id", 0))
                .topic(new TopicConfig("customers", false, "json", 0, "id", 0)));
        publish("orders", "{\"id\":1,\"customer\":7}", "{\"id\":2,\"customer\":8}");
        publish("customers", "{\"id\":7,\"name\":\"x\"}");

        assertThat(client.sow(ORDERS.join("LEFT OUTER JOIN customers AS c ON /orders/customer = /c/id")
                        .select("/orders/id AS o, /c/name")
                        .orderBy("/orders/id")))
                .containsExactly("{\"o\":1,\"name\":\"x\"}", "{\"o\":2,\"name\":null}");
        assertThat(client.sow(ORDERS.join("as o inner join customers on /customers/id = /o/customer")
                        .select("/o/id")
                        .filter("/o/id < 5 AND /customers/name = 'x'")))
                .containsExactly("{\"id\":1}");
    }

    @Test
    void shouldJoinATopicToItself() {
        start(builder -> builder.topic(TopicConfig.keyed("orders", "json", "id")));
        publish("orders", "{\"id\":1,\"after\":2}", "{\"id\":2,\"after\":3}");

        assertThat(client.sow(ORDERS.join("JOIN orders AS \"the next\" ON /orders/after = /\"the next\"/id")
                        .select("/orders/id, /\"the next\"/after")))
                .containsExactly("{\"id\":1,\"after\":3}");
    }

    @Test
    void shouldFindOnlyPairsOfTheRecordsWhoseKeysAreAskedFor() {
        start(JoinQueryTest::topics);
        publish("orders", "{\"id\":1,\"customer\":7}", "{\"id\":2,\"customer\":7}");
        publish("customers", "{\"id\":7,\"name\":\"x\"}");

        assertThat(client.sow(join("/orders/id").keys(List.of("{\"id\":2}", "{\"id\":3}"))))
                .containsExactly("{\"id\":2}");
    }

    @Test
    void shouldSendAllPairsOfARecordHoweverMany() {
        start(JoinQueryTest::topics);
        final List<String> customers = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            customers.add("{\"id\":" + i + ",\"ref\":" + (i % 2) + ",\"text\":\"" + "x".repeat(40) + "\"}");
        }
        publish("customers", customers.toArray(String[]::new));
        publish("orders", "{\"id\":1,\"ref\":1}", "{\"id\":2,\"ref\":0}", "{\"id\":3,\"ref\":1}", "{\"id\":4}");
        final SowRequest query = ORDERS.join("LEFT JOIN customers ON /orders/ref = /customers/ref")
                .select("/orders/id AS o, /customers/id AS c, /customers/text");

        final List<String> rows = client.sow(query);
        assertThat(rows).hasSize(4_501).doesNotHaveDuplicates();
        assertThat(client.sow(query.skip(1_400).top(3_000))).hasSize(3_000).isSubsetOf(rows);
        assertThat(client.sow(query.select("COUNT(*) AS n, COUNT(/customers/id) AS c")))
                .containsExactly("{\"n\":4501,\"c\":4500}");
        assertThat(client.sow(query.orderBy("/customers/id DESC NULLS LAST, /orders/id")
                        .top(2)))
                .allMatch(row -> row.contains("\"c\":2999"))
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "customers ON x                     | /orders/id    | ''   | join: no JOIN",
                "JOIN customers                     | /orders/id    | ''   | join: no ON",
                "JOIN                               | /orders/id    | ''   | join: a name is missing",
                "JOIN \"customers ON /a/b = /c/d    | /orders/id    | ''   | join: a name is missing",
                "JOIN orders ON /orders/a = /orders/a | /orders/id  | ''   | join: both topics have the same name",
                "JOIN customers ON                  | /orders/id    | ''   | on: ",
                "JOIN customers ON /orders/a > /customers/b | /orders/id | '' | on: not equalities",
                "JOIN customers ON /orders/a = 5    | /orders/id    | ''   | on: not equalities",
                "JOIN customers ON /orders/a = /customers/id | ''   | ''   | join: what of the pairs is not said",
                "JOIN customers ON /orders/a = /customers/id | name | ''   | join: /name is a field of neither topic",
                "JOIN customers ON /orders/a = /customers/id | /orders AS o | '' | join: /orders is a field of neither",
                "JOIN customers ON /orders/a = /customers/id | /orders/id | HEADER('a') = 1 | join: HEADER('a') is",
            })
    void shouldRefuseWhatIsNoJoin(final String join, final String select, final String filter, final String expected) {
        start(JoinQueryTest::topics);
        client.sow(ORDERS.join(join).select(select).filter(filter));

        assertThat(client.errors).extracting(BrokerError::errorCode).containsExactly(ErrorCode.BAD_QUERY);
        assertThat(client.errors.get(0).text()).contains(expected.strip());
    }

    @Test
    void shouldRefuseTopicsThatCannotBeJoined() {
        start(builder ->
                topics(builder).topic(new TopicConfig("blobs", false, "binary", TopicConfig.SHARD_BY_HASH, "*", 0)));
        client.sow(ORDERS.join("JOIN nothing ON /orders/a = /nothing/b").select("/orders/id"));
        client.sow(SowRequest.topic("nothing")
                .join("JOIN orders ON /orders/a = /nothing/b")
                .select("/orders/id"));
        client.sow(ORDERS.join("JOIN blobs ON /orders/a = /blobs/b").select("/orders/id"));
        client.sow(SowRequest.pattern("o.*").join("JOIN customers ON /a/b = /customers/b"));
        client.sow(SowRequest.pattern("o.*").join("AS o JOIN customers ON /o/b = /customers/b"));
        client.sow(join("/orders/id").asOf(Bookmark.parse("0:1")));

        assertThat(client.errors)
                .extracting(BrokerError::errorCode)
                .containsExactly(
                        ErrorCode.NO_STATE,
                        ErrorCode.NO_STATE,
                        ErrorCode.BAD_QUERY,
                        ErrorCode.NOT_SUPPORTED,
                        ErrorCode.NOT_SUPPORTED,
                        ErrorCode.NOT_SUPPORTED);
        assertThat(client.errors.get(0).text()).contains("nothing");
        assertThat(client.errors.get(1).text()).contains("nothing");
        assertThat(client.errors.get(2).text()).contains("blobs");
        assertThat(client.errors.get(3).text())
                .contains("a pattern (name one topic)")
                .isEqualTo(client.errors.get(4).text());
    }

    private static SowRequest join(final String select) {
        return ORDERS.join("JOIN customers ON " + ON).select(select);
    }

    private static BrokerConfig.Builder topics(final BrokerConfig.Builder builder) {
        return builder.topic(TopicConfig.keyed("orders", "json", "id"))
                .topic(TopicConfig.keyed("customers", "json", "id"));
    }

    private void start(final UnaryOperator<BrokerConfig.Builder> configure) {
        broker = new TestBroker(configure);
        client = new StateClient(broker);
    }

    private void publish(final String topic, final String... messages) {
        for (final String message : messages) {
            client.publish(topic, message);
        }
        client.flush();
    }
}
