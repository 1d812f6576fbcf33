package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the rows of views are known by: their own columns. */
class ViewKeyTest {
    private static final String LONG = "x".repeat(3_000);

    @TempDir
    Path directory;

    private @Nullable TestBroker broker;
    private StateClient client;

    @AfterEach
    void close() {
        if (broker != null) {
            broker.close();
        }
    }

    @Test
    void shouldSendTheGroupsColumnsWithDeltas() {
        start("market AS m, side, COUNT(*) AS n, MAX(price) AS top", "market, side");
        publish("{\"id\":1,\"market\":\"x\",\"side\":\"B\",\"price\":5}");
        client.subscribe(1, SubscribeRequest.topic("v").delta());
        publish("{\"id\":2,\"market\":\"x\",\"side\":\"B\",\"price\":3}");

        assertThat(client.take()).containsExactly("1 DELTA {\"m\":\"x\",\"side\":\"B\",\"n\":2}");
    }

    @Test
    void shouldSendTheGroupsColumnsWithASelection() {
        start("market AS m, COUNT(*) AS n, MAX(price) AS top", "market");
        client.subscribe(1, SubscribeRequest.topic("v").select("n"));
        client.subscribe(2, SubscribeRequest.topic("v").select("top").conflation(Duration.ofMillis(100)));
        publish("{\"id\":1,\"market\":\"x\",\"price\":5}");

        assertThat(client.take()).containsExactly("1 MESSAGE {\"m\":\"x\",\"n\":1}");
        broker.advance(200);
        assertThat(client.take()).containsExactly("2 MESSAGE {\"m\":\"x\",\"top\":5}");
    }

    @Test
    void shouldKeepTheNullOfAGroupWhereEmptiesAreLeftOut() {
        start("market, COUNT(*) AS n, MAX(price) AS top", "market");
        client.subscribe(1, SubscribeRequest.topic("v").delta().withoutEmpties());
        client.subscribe(2, SubscribeRequest.topic("v").delta().withoutEmpties().select("n, top"));
        publish("{\"id\":1}");
        publish("{\"id\":2}");

        assertThat(client.take())
                .containsExactlyInAnyOrder(
                        "1 MESSAGE {\"market\":null,\"n\":1,\"top\":null}",
                        "2 MESSAGE {\"market\":null,\"n\":1}",
                        "1 DELTA {\"market\":null,\"n\":2}",
                        "2 DELTA {\"market\":null,\"n\":2}");
    }

    @Test
    void shouldKeepAnEmptyKeyOfATopicWhereEmptiesAreLeftOut() {
        start("market, COUNT(*) AS n", "market");
        client.declare("texts", "t", 0);
        client.subscribe(
                1, SubscribeRequest.topic("texts").delta().withoutEmpties().select("n, m"));
        client.publish("texts", "{\"t\":\"\",\"n\":1,\"m\":\"\"}");
        client.flush();

        assertThat(client.take()).containsExactly("1 MESSAGE {\"t\":\"\",\"n\":1}");
    }

    @Test
    void shouldGiveNoKeyBesideTheRow() {
        start("market, COUNT(*) AS n", "market");
        client.subscribe(1, SubscribeRequest.topic("v").oof());
        publish("{\"id\":1,\"market\":\"x\"}");
        client.delete("orders", "TRUE");
        client.sow(SowRequest.topic("v"));

        assertThat(client.take())
                .containsExactly("1 MESSAGE {\"market\":\"x\",\"n\":1}", "1 OOF_DELETED {\"market\":\"x\",\"n\":1}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"x\"             | \"\\u0078\"",
                "2                 | 2.0",
                "2.0               | 2",
                "0.5               | 5e-1",
                "-0.0              | 0",
                "9223372036854775807 | 9223372036854775807",
                "1e300             | 1.0e300",
                "\"2\"             | \"2\"",
                "true              | true",
                "null              | null",
                "[\"x\",\"y\"]     | \"x\"",
                "{\"a\":1}         | null",
                "1e999             | null",
                "\"\"              | \"\"",
            })
    void shouldFindRowsByTheirKeys(final String value, final String asked) {
        start("market AS m, COUNT(*) AS n", "market");
        publish("{\"id\":1,\"market\":" + value + "}");
        publish("{\"id\":2,\"market\":\"another\"}");

        assertThat(client.sow(SowRequest.topic("v").keys(List.of("{\"m\":" + asked + "}"))))
                .singleElement()
                .asString()
                .contains("\"n\":1")
                .doesNotContain("another");
        assertThat(client.sow(SowRequest.topic("v").keys(List.of("{\"m\":\"nobody\"}"))))
                .isEmpty();
    }

    @Test
    void shouldDistinguishTheKeysOfAllSortsOfGroups() {
        start("market AS m, COUNT(*) AS n", "market");
        final List<String> values = List.of(
                "1", "1.0", "\"1\"", "true", "\"true\"", "null", "\"null\"", "1e999", "0.1", "\"\"", "[]", "-1e999");
        for (int i = 0; i < values.size(); i++) {
            publish("{\"id\":" + i + ",\"market\":" + values.get(i) + "}");
        }
        publish("{\"id\":100}");

        assertThat(client.sow(SowRequest.topic("v").orderBy("m")))
                .containsExactlyInAnyOrder(
                        "{\"m\":1,\"n\":2}",
                        "{\"m\":\"1\",\"n\":1}",
                        "{\"m\":true,\"n\":1}",
                        "{\"m\":\"true\",\"n\":1}",
                        "{\"m\":null,\"n\":5}",
                        "{\"m\":\"null\",\"n\":1}",
                        "{\"m\":0.1,\"n\":1}",
                        "{\"m\":\"\",\"n\":1}");
    }

    @Test
    void shouldFindRowsByKeysOfAnyLength() {
        start("market, side, COUNT(*) AS n", "market, side");
        final String key = "{\"market\":\"" + LONG + "a\",\"side\":\"" + LONG + "\"}";
        publish("{\"id\":1," + key.substring(1));
        publish("{\"id\":2," + key.substring(1).replace("xa", "xb"));
        publish("{\"id\":3," + key.substring(1).replace("\"side\":\"x", "\"side\":\""));
        client.subscribe(1, SubscribeRequest.topic("v").delta().select("n"));
        publish("{\"id\":4," + key.substring(1));

        final String row = key.substring(0, key.length() - 1) + ",\"n\":2}";
        assertThat(client.take()).containsExactly("1 DELTA " + row);
        assertThat(client.sow(SowRequest.topic("v").keys(List.of(key)))).containsExactly(row);
        assertThat(client.sow(SowRequest.topic("v"))).hasSize(3);
    }

    @Test
    void shouldFindRowsByExpressions() {
        start(
                "price > 5, UPPER(market) AS \"the \"\"market\"\", in /[caps]\", COUNT(*) AS n",
                "UPPER(market), price > 5");
        publish("{\"id\":1,\"market\":\"x\",\"price\":7}");
        publish("{\"id\":2,\"market\":\"X\",\"price\":8}");
        publish("{\"id\":3,\"market\":\"X\",\"price\":2}");
        client.subscribe(1, SubscribeRequest.topic("v").delta());
        client.delete("orders", "", "{\"id\":1}");

        final String columns = "{\"price > 5\":true,\"the \\\"market\\\", in /[caps]\":\"X\"";
        assertThat(client.take()).containsExactly("1 DELTA " + columns + ",\"n\":1}");
        assertThat(client.sow(SowRequest.topic("v").keys(List.of(columns + "}"))))
                .containsExactly(columns + ",\"n\":1}");
    }

    @Test
    void shouldKnowTheOneRowOfAllByNoFields() {
        start("COUNT(*) AS n, MAX(price) AS top", "");
        publish("{\"id\":1,\"price\":3}");
        client.subscribe(1, SubscribeRequest.topic("v").delta());
        publish("{\"id\":2,\"price\":2}");

        assertThat(client.take()).containsExactly("1 DELTA {\"n\":2}");
        assertThat(client.sow(SowRequest.topic("v").keys(List.of("{}")))).containsExactly("{\"n\":2,\"top\":3}");
    }

    @Test
    void shouldKnowRowsOfRecordsByTheRecordsKey() {
        start(builder -> builder.topic(TopicConfig.keyed("legs", "json", "order, /leg/no"))
                .view(new ViewConfig("v", "legs", "price > 0", "/leg/no AS leg, order, price * 2 AS twice", ""))
                .view(new ViewConfig("w", "v", "", "leg AS a, twice, order AS z", "")));
        client.publish("legs", "{\"order\":\"o\",\"leg\":{\"no\":1},\"price\":3}");
        client.subscribe(1, SubscribeRequest.topic("v").delta());
        client.subscribe(2, SubscribeRequest.topic("w").delta().oof());
        client.publish("legs", "{\"order\":\"o\",\"leg\":{\"no\":1.0},\"price\":4}");
        client.publish("legs", "{\"order\":\"o\",\"leg\":{\"no\":1.0},\"price\":0}");
        client.flush();

        assertThat(client.take())
                .containsExactlyInAnyOrder(
                        "1 DELTA {\"leg\":1,\"order\":\"o\",\"twice\":8}",
                        "2 DELTA {\"a\":1,\"twice\":8,\"z\":\"o\"}",
                        "2 OOF_DELETED {\"a\":1,\"twice\":8,\"z\":\"o\"}");
        client.publish("legs", "{\"order\":\"o\",\"leg\":{\"no\":2},\"price\":3}");
        client.flush();
        client.take();
        assertThat(client.sow(SowRequest.topic("w").keys(List.of("{\"a\":2,\"z\":\"o\"}"))))
                .containsExactly("{\"a\":2,\"twice\":6,\"z\":\"o\"}");
    }

    @Test
    void shouldGiveTheKeysThatPublishersGave() {
        start(builder -> builder.topic(TopicConfig.keyed("given", "json", TopicConfig.PUBLISHER_KEY))
                .view(new ViewConfig("v", "given", "", "price * 2 AS twice", "")));
        client.subscribe(1, SubscribeRequest.topic("v").delta());
        client.publish("given", "k", "{\"price\":3}", false, 0);
        client.publish("given", "k", "{\"price\":4}", false, 0);
        client.flush();

        assertThat(client.take()).containsExactly("1 MESSAGE {\"twice\":6} @k", "1 DELTA {\"twice\":8} @k");
        assertThat(client.sow(SowRequest.topic("v").keys(List.of("k")))).containsExactly("{\"twice\":8}");
    }

    @Test
    void shouldFollowGroupsOfNullThroughViewsOfViews() {
        start(builder -> builder.topic(TopicConfig.keyed("orders", "json", "id"))
                .view(new ViewConfig("v", "orders", "", "market, COUNT(*) AS n", "market"))
                .view(new ViewConfig("w", "v", "n > 1", "n * 10 AS tens, market AS m", "")));
        client.subscribe(1, SubscribeRequest.topic("w").delta().oof());
        publish("{\"id\":1}");
        publish("{\"id\":2,\"market\":null}");
        publish("{\"id\":3}");
        client.delete("orders", "id < 3");

        assertThat(client.take())
                .containsExactly(
                        "1 MESSAGE {\"tens\":20,\"m\":null}",
                        "1 DELTA {\"tens\":30,\"m\":null}",
                        "1 OOF_DELETED {\"tens\":30,\"m\":null}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"M\":1}", "{\"m\":[1]}", "{\"m\":{}}", "1", "{\"m\":1e999}"})
    void shouldRefuseKeysThatAreNone(final String key) {
        start("market AS m, COUNT(*) AS n", "market");
        client.sow(SowRequest.topic("v").keys(List.of(key)));

        assertThat(client.lastError()).isNotNull();
        assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.BAD_KEY);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "COUNT(*)               | market       | market is in the group by and not in the select list",
                "UPPER(market), COUNT(*) | market      | market is in the group by and not in the select list",
                "market, COUNT(*)       | market, price > 5 | price > 5 is in the group by and not in the select list",
                "price                  | ''           | /id is in the key and not in the select list",
                "id + 1 AS id           | ''           | /id is in the key and not in the select list",
            })
    void shouldRefuseViewsWhoseRowsDoNotSayWhatTheyAreOf(
            final String select, final String groupBy, final String expected) {
        assertThatThrownBy(() -> start(select, groupBy))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("views: v: " + expected + " (select it");
    }

    @Test
    void shouldRefuseToBeAskedForAViewByADeclaration() {
        start("market, COUNT(*) AS n", "market");
        for (final String key : List.of("=", "=market", "=*")) {
            client.declare("declared", key, 0);
            assertThat(client.lastError().errorCode()).as(key).isEqualTo(ErrorCode.BAD_KEY);
        }
        client.declare("v", "market", 0);
        assertThat(client.lastError().toString()).contains("is a view");
    }

    @Test
    void shouldDeleteNothingFromAView() {
        start("market, COUNT(*) AS n", "market");
        publish("{\"id\":1,\"market\":\"x\"}");

        assertThat(client.delete("v", "", "{\"market\":\"x\"}")).isNegative();
        assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.NOT_SUPPORTED);
        assertThat(client.delete("v", "TRUE")).isNegative();
        assertThat(client.sow(SowRequest.topic("v"))).hasSize(1);
    }

    @Test
    void shouldConflateByAColumn() {
        start("market, side, COUNT(*) AS n", "market, side");
        client.subscribe(1, SubscribeRequest.topic("v").delta().conflation(Duration.ofMillis(100), "side"));
        publish("{\"id\":1,\"market\":\"x\",\"side\":\"B\"}");
        publish("{\"id\":2,\"market\":\"y\",\"side\":\"B\"}");
        publish("{\"id\":3,\"market\":\"y\",\"side\":null}");
        publish("{\"id\":4,\"market\":\"x\"}");
        broker.advance(200);

        assertThat(client.take())
                .containsExactlyInAnyOrder(
                        "1 MESSAGE {\"market\":\"y\",\"side\":\"B\",\"n\":1}",
                        "1 MESSAGE {\"market\":\"y\",\"side\":null,\"n\":1}",
                        "1 MESSAGE {\"market\":\"x\",\"side\":null,\"n\":1}");
    }

    @Test
    void shouldKnowRowsByTheSameKeysAfterAStart() {
        startJournaled("market AS m, COUNT(*) AS n", "market");
        publish("{\"id\":1,\"market\":\"" + LONG + "\"}");
        publish("{\"id\":2}");
        publish("{\"id\":3,\"market\":7}");
        restart("market AS m, COUNT(*) AS n", "market");
        client.subscribe(1, SubscribeRequest.topic("v").delta().oof());
        publish("{\"id\":4,\"market\":null}");
        client.delete("orders", "", "{\"id\":3}");

        assertThat(client.take()).containsExactly("1 DELTA {\"m\":null,\"n\":2}", "1 OOF_DELETED {\"m\":7,\"n\":1}");
        assertThat(client.sow(SowRequest.topic("v").keys(List.of("{\"m\":\"" + LONG + "\"}", "{\"m\":null}"))))
                .containsExactlyInAnyOrder("{\"m\":\"" + LONG + "\",\"n\":1}", "{\"m\":null,\"n\":2}");
    }

    @Test
    void shouldMakeOtherRowsUnderTheSameKeysAfterAStart() {
        startJournaled("market AS m, COUNT(*) AS n", "market");
        publish("{\"id\":1,\"market\":\"x\",\"side\":\"B\"}");
        publish("{\"id\":2,\"market\":\"y\",\"side\":\"B\"}");
        publish("{\"id\":3,\"side\":\"S\"}");
        restart("COUNT(*) AS count, side AS m", "side");

        assertThat(client.sow(SowRequest.topic("v").orderBy("m")))
                .containsExactly("{\"count\":2,\"m\":\"B\"}", "{\"count\":1,\"m\":\"S\"}");
    }

    @Test
    void shouldRefuseAViewWhoseKeyIsNotThatOfTheLog() {
        startJournaled("market AS m, COUNT(*) AS n", "market");
        publish("{\"id\":1,\"market\":\"x\"}");

        assertThatThrownBy(() -> restart("market, COUNT(*) AS n", "market"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("views: v: ")
                .hasMessageContaining("/market")
                .hasMessageContaining("/m ");
        restart("market AS m, COUNT(*) AS n", "market");
        assertThat(client.sow(SowRequest.topic("v"))).containsExactly("{\"m\":\"x\",\"n\":1}");
    }

    private void start(final String select, final String groupBy) {
        start(builder -> builder.topic(TopicConfig.keyed("orders", "json", "id"))
                .view(new ViewConfig("v", "orders", "", select, groupBy)));
    }

    private void start(final UnaryOperator<BrokerConfig.Builder> configure) {
        broker = new TestBroker(configure);
        client = new StateClient(broker);
    }

    private void startJournaled(final String select, final String groupBy) {
        start(builder -> builder.journal(JournalConfig.in(directory.toString()).withFileLength(64 * 1024))
                .topic(TopicConfig.keyed("orders", "json", "id"))
                .view(new ViewConfig("v", "orders", "", select, groupBy)));
    }

    private void restart(final String select, final String groupBy) {
        if (broker != null) {
            broker.close();
            broker = null;
        }
        startJournaled(select, groupBy);
    }

    private void publish(final String message) {
        client.publish("orders", message);
        client.flush();
    }
}
