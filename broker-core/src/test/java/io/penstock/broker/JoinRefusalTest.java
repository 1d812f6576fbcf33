package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Joins that cannot be, and what is said of them. */
class JoinRefusalTest {
    private static final String ON = "/orders/customer = /customers/id";
    private static final String SELECT = "/orders/id, /customers/name";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "orders | nobody    | no topic with state: nobody (declare it with a key",
                "nobody | customers | no topic with state: nobody (declare it with a key",
                "orders | news      | no topic with state: news (declare it with a key",
                "orders | later     | no topic with state: later (declare it with a key",
                "given  | customers | given: its key is not in its fields",
                "byHeader | customers | byHeader: its key is not in its fields",
                "orders | pictures  | pictures: format binary has no fields",
                "pictures | customers | pictures: format binary has no fields",
            })
    void shouldRefuseTopicsThatCannotBeJoined(final String left, final String right, final String expected) {
        assertRefused(
                ViewConfig.join(
                        "v",
                        ViewConfig.Join.inner(left, right, "/" + left + "/customer = /" + right + "/id"),
                        "",
                        "/" + left + "/id, /" + right + "/id AS c"),
                "views: v: " + expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/orders/customer + 1                    | on: expected a condition",
                "/orders/customer                        | on: not equalities of fields of both topics",
                "/orders/customer = 5                    | on: not equalities of fields of both topics: /orders/customer = 5 (write",
                "/orders/customer = /orders/id           | on: not equalities of fields of both topics",
                "/orders/customer > /customers/id        | on: not equalities of fields of both topics",
                "customer = id                           | on: not equalities of fields of both topics",
                "/orders = /customers/id                 | on: not equalities of fields of both topics",
                "/orders/customer = /customers/id OR /orders/a = /customers/a | on: not equalities of fields of both topics",
                "HEADER('a') = /customers/id             | on: not equalities of fields of both topics",
                "/orders/customer = /customers/id AND    | on: expected a value at 37",
            })
    void shouldRefuseConditionsThatAreNoEqualities(final String on, final String expected) {
        assertRefused(
                ViewConfig.join("v", ViewConfig.Join.inner("orders", "customers", on), "", SELECT),
                "views: v: " + expected.strip());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/customers/name      | ''         | /orders/id is in the key and not in the select list",
                "/orders/id, name     | ''         | /name is a field of neither topic (write /orders/FIELD or /customers/FIELD)",
                "/orders/id, /orders AS o | ''     | /orders is a field of neither topic",
                "/orders/id, HEADER('a') | ''      | HEADER('a') is a field of neither topic",
                "/orders/id           | qty > 5    | /qty is a field of neither topic",
                "/orders/id           | 3 + 5      | filter: expected a condition",
                "/orders/id,          | ''         | select: expected",
                "/orders/id, /customers/id | ''    | select: another item has this name (use AS)",
                "/orders/id, COUNT(*) | ''         | select: ",
                "COUNT(*) AS n        | ''         | a join has no aggregates (take them in another view",
            })
    void shouldRefuseExpressionsThatAreOfNoPair(final String select, final String filter, final String expected) {
        assertRefused(
                ViewConfig.join("v", ViewConfig.Join.inner("orders", "customers", ON), filter, select),
                "views: v: " + expected.strip());
    }

    @Test
    void shouldAskForTheKeyOfTheRightTopicWhenManyMayBePaired() {
        assertRefused(
                ViewConfig.join(
                        "v",
                        ViewConfig.Join.inner("orders", "customers", "/orders/a = /customers/a"),
                        "",
                        "/orders/id"),
                "views: v: /customers/id is in the key and not in the select list");
    }

    @Test
    void shouldRefuseTopicsOfTwoShards() {
        final UnaryOperator<BrokerConfig.Builder> configure = builder -> builder.shardCount(2)
                .topic(new TopicConfig("orders", false, "json", 0, "id", 0))
                .topic(new TopicConfig("customers", false, "json", 1, "id", 0))
                .view(ViewConfig.join("v", ViewConfig.Join.inner("orders", "customers", ON), "", SELECT));

        assertThatThrownBy(() -> new TestBroker(configure).close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("views: v: orders is in shard 0, customers in shard 1 (give both the same");
        assertThat(ConfigCheck.settings(configure.apply(BrokerConfig.builder()).build()))
                .anyMatch(finding -> finding.text().contains("v: orders is in shard 0, customers in shard 1"));
    }

    @Test
    void shouldFindWhatIsMissingBeforeAStart() {
        final BrokerConfig config = BrokerConfig.builder()
                .topic(TopicConfig.keyed("orders", "json", "id"))
                .view(ViewConfig.join("a", ViewConfig.Join.inner("orders", "b", "/orders/x = /b/id"), "", SELECT))
                .view(ViewConfig.join("b", ViewConfig.Join.inner("a", "orders", "/a/id = /orders/id"), "", SELECT))
                .build();

        assertThat(ConfigCheck.settings(config))
                .anyMatch(finding -> finding.text().contains("a: no declared topic or view before it: b"))
                .noneMatch(finding -> finding.text().contains("b: no declared"));
    }

    @Test
    void shouldRefuseWhatContradictsItself() {
        final ViewConfig.Join join = ViewConfig.Join.inner("orders", "customers", ON);
        for (final List<Object> each : List.<List<Object>>of(
                List.of("views.join: beside a source: v", "orders", "", join),
                List.of("views.groupBy: of a join: v", "", "/orders/id", join),
                List.of("views.join: the view itself: v", "", "", ViewConfig.Join.inner("v", "orders", ON)))) {
            assertThatThrownBy(() -> new ViewConfig(
                            "v",
                            (String) each.get(1),
                            "",
                            SELECT,
                            (String) each.get(2),
                            ViewConfig.Window.NONE,
                            (ViewConfig.Join) each.get(3)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith((String) each.get(0));
        }
        assertThatThrownBy(() -> ViewConfig.join("v", join, "", SELECT).over(ViewConfig.Window.messages(3)))
                .hasMessageStartingWith("views.window: of a join: v");
        assertThatThrownBy(() -> ViewConfig.Join.inner("orders", "orders", "/orders/a = /orders/id"))
                .hasMessageStartingWith("views.join: left and right have the same name: orders");
        assertThatThrownBy(() -> ViewConfig.Join.inner("orders", "", ON))
                .hasMessageStartingWith("views.join: left, right or on missing");
    }

    private static void assertRefused(final ViewConfig view, final String expected) {
        assertThatThrownBy(() -> new TestBroker(builder -> builder.topic(TopicConfig.keyed("orders", "json", "id"))
                                .topic(TopicConfig.keyed("customers", "json", "id"))
                                .topic(TopicConfig.topic("news", "json"))
                                .topic(TopicConfig.keyed("given", "json", TopicConfig.PUBLISHER_KEY))
                                .topic(TopicConfig.keyed("byHeader", "json", "HEADER('region'), id"))
                                .topic(TopicConfig.keyed("pictures", "binary", TopicConfig.PUBLISHER_KEY))
                                .view(view)
                                .view(new ViewConfig("later", "orders", "", "id", "")))
                        .close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(expected);
    }
}
