package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static io.penstock.broker.GuardedBroker.deny;
import static io.penstock.broker.GuardedBroker.traders;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.PermissionRule;
import io.penstock.client.BrokerError;
import io.penstock.client.SowRequest;
import io.penstock.protocol.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A query of two topics shows pairs of what its client may see of each, and tells nothing of what is hidden. */
@Timeout(60)
class JoinQueryPermissionTest {
    private static final String ON = " customers ON /orders/customer = /customers/id";
    private static final String SELECT = "/orders/id AS o, /customers/id AS c";

    private TestBroker test;
    private StateClient root;
    private StateClient trader;

    @AfterEach
    void close() {
        test.close();
    }

    private void start(final PermissionRule... rules) {
        test = GuardedBroker.start(
                traders(rules),
                builder -> builder.topic(TopicConfig.keyed("orders", "json", "id"))
                        .topic(TopicConfig.keyed("customers", "json", "id")));
        root = new StateClient(test, "root");
        trader = new StateClient(test, "trader-E");
        root.publish("customers", "{\"id\":7,\"name\":\"x\",\"desk\":\"E\",\"limit\":5}");
        root.publish("customers", "{\"id\":8,\"name\":\"y\",\"desk\":\"F\",\"limit\":6}");
        root.publish("orders", "{\"id\":1,\"customer\":7,\"desk\":\"E\",\"price\":5}");
        root.publish("orders", "{\"id\":2,\"customer\":8,\"desk\":\"E\",\"price\":6}");
        root.publish("orders", "{\"id\":3,\"customer\":7,\"desk\":\"F\",\"price\":5}");
        root.flush();
    }

    private static SowRequest query(final String join) {
        return SowRequest.topic("orders").join(join).select(SELECT).orderBy("/orders/id");
    }

    @Test
    void shouldPairOnlyWhatTheClientMaySeeOfEachTopic() {
        start(allow("read", "orders", "desk = USER('desk')"), allow("read", "customers", "desk = USER('desk')"));

        assertThat(trader.sow(query("JOIN" + ON))).containsExactly("{\"o\":1,\"c\":7}");
        assertThat(trader.sow(query("LEFT JOIN" + ON))).containsExactly("{\"o\":1,\"c\":7}", "{\"o\":2,\"c\":null}");
        assertThat(trader.sow(query("LEFT JOIN" + ON)
                        .select("COUNT(*) AS n, COUNT(/customers/id) AS c, MAX(/customers/id) AS max")
                        .orderBy("")))
                .containsExactly("{\"n\":2,\"c\":1,\"max\":7}");
        assertThat(root.sow(query("JOIN" + ON))).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({"orders", "customers"})
    void shouldRefuseAJoinWithATopicThatTheClientMayNotQuery(final String allowed) {
        start(allow("read", allowed, ""));

        trader.sow(query("JOIN" + ON));
        assertThat(trader.errors).extracting(BrokerError::errorCode).containsExactly(ErrorCode.NOT_AUTHORIZED);
        assertThat(trader.errors.get(0).text()).contains(allowed.equals("orders") ? "customers" : "orders");
    }

    @Test
    void shouldRefuseAJoinWithATopicThatTheClientMayOnlySubscribeTo() {
        start(allow("read", "orders", ""), allow("subscribe", "customers", ""), deny("query", "customers", ""));

        trader.sow(query("JOIN" + ON));
        assertThat(trader.errors).extracting(BrokerError::errorCode).containsExactly(ErrorCode.NOT_AUTHORIZED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "JOIN customers ON /orders/price = /customers/limit | /orders/id               | ''",
                "JOIN customers ON /customers/limit = /orders/id    | /orders/id               | ''",
                "JOIN orders AS x ON /orders/id = /x/price          | /orders/id               | ''",
                "JOIN customers ON /orders/customer = /customers/id | /customers/limit         | ''",
                "JOIN customers AS c ON /orders/customer = /c/id    | /c/limit * 0 AS n        | ''",
                "JOIN customers ON /orders/customer = /customers/id | MAX(/orders/price) AS m  | ''",
                "JOIN customers ON /orders/customer = /customers/id | /orders/id               | /customers/limit > 5",
                "JOIN customers ON /orders/customer = /customers/id | /orders/id               | /orders/price IS NULL",
            })
    void shouldRefuseAJoinByWhichHiddenFieldsCouldBeRead(final String join, final String select, final String filter) {
        start(
                allow("read", "orders", "").hiding(List.of("price")),
                allow("read", "customers", "").hiding(List.of("limit")));

        trader.sow(SowRequest.topic("orders").join(join).select(select).filter(filter));
        assertThat(trader.errors).extracting(BrokerError::errorCode).containsExactly(ErrorCode.NOT_ENTITLED);
        assertThat(root.sow(SowRequest.topic("orders").join(join).select(select).filter(filter)))
                .isNotNull();
        assertThat(root.errors).isEmpty();
    }

    @Test
    void shouldRefuseToOrderByAHiddenField() {
        start(allow("read", "orders", ""), allow("read", "customers", "").hiding(List.of("limit")));

        trader.sow(query("JOIN" + ON).orderBy("/customers/limit"));
        trader.sow(query("JOIN" + ON)
                .select("COUNT(*) AS n")
                .groupBy("/customers/limit")
                .orderBy(""));
        assertThat(trader.errors)
                .extracting(BrokerError::errorCode)
                .containsExactly(ErrorCode.NOT_ENTITLED, ErrorCode.NOT_ENTITLED);
    }

    @Test
    void shouldJoinByFieldsThatAreNotHiddenAlthoughOthersAreOnTheOtherSide() {
        start(
                allow("read", "orders", "").hiding(List.of("limit", "name")),
                allow("read", "customers", "").hiding(List.of("price", "customer")));

        assertThat(trader.sow(query("JOIN" + ON).select("/orders/id, /orders/price, /customers/limit")))
                .containsExactly(
                        "{\"id\":1,\"price\":5,\"limit\":5}",
                        "{\"id\":2,\"price\":6,\"limit\":6}",
                        "{\"id\":3,\"price\":5,\"limit\":5}");
    }

    @Test
    void shouldNotSayHowManyRecordsThereAreThatTheClientDoesNotSee() {
        start(allow("read", "orders", "desk = USER('desk')"), allow("read", "customers", "desk = USER('desk')"));

        final ExplanationTest.Explained explained = new ExplanationTest.Explained(test, "trader-E");
        final String text = explained.explain(query("LEFT JOIN" + ON).filter("/orders/id < 5"));
        assertThat(text.lines().toList())
                .contains("query:")
                .anyMatch(line -> line.matches("orders in shard \\d: read one after the other"))
                .anyMatch(line -> line.matches("customers in shard \\d: a table of 1 records .*"))
                .contains("pairs: AS orders LEFT JOIN customers AS customers ON /orders/customer = /customers/id, 2"
                        + " matched")
                .contains("  before: a condition of your permissions")
                .noneMatch(line -> line.contains("rows"));
        assertThat(new ExplanationTest.Explained(test, "root").explain(query("JOIN" + ON)))
                .contains("customers in shard", ": 2 rows, a table of 2 records")
                .contains(": 3 rows, looked at 3 records");
    }
}
