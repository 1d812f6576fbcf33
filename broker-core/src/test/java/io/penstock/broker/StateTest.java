package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.security.Action;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What topics with state do, driven in one thread. */
class StateTest {
    private TestBroker broker;
    private StateClient client;

    @BeforeEach
    void setUp() {
        broker = new TestBroker(builder -> builder.topic(TopicConfig.keyed("quotes", "json", "s"))
                .topic(TopicConfig.keyed("blobs", "json", TopicConfig.PUBLISHER_KEY))
                .topic(TopicConfig.topic("plain", "json"))
                .topic(TopicConfig.keyed("fading", "json", "s").expiringAfter(1000))
                .view(new ViewConfig("groups", "quotes", "p > 0", "g, COUNT(*) AS n, MAX(p) AS top", "g"))
                .view(new ViewConfig("busy", "groups", "n > 1", "g, n * 10 AS tens", "")));
        client = new StateClient(broker);
    }

    @AfterEach
    void tearDown() {
        broker.close();
    }

    @Test
    void shouldKeepTheLastMessageOfEachKey() {
        client.publish("quotes", "{\"s\":\"A\",\"p\":1}");
        client.publish("quotes", "{\"s\":\"B\",\"p\":2}");
        client.publish("quotes", "{\"s\":\"A\",\"p\":3}");

        assertThat(client.sow(SowRequest.topic("quotes").orderBy("s")))
                .containsExactly("{\"s\":\"A\",\"p\":3}", "{\"s\":\"B\",\"p\":2}");
        assertThat(client.groups).last().asString().endsWith("2/2/2");
    }

    @Test
    void shouldAnswerWithFilterOrderAndBounds() {
        for (int i = 0; i < 20; i++) {
            client.publish("quotes", "{\"s\":\"K" + i + "\",\"p\":" + i + "}");
        }

        assertThat(client.sow(SowRequest.topic("quotes")
                        .filter("p >= 10")
                        .orderBy("p DESC")
                        .top(3)
                        .skip(1)))
                .containsExactly("{\"s\":\"K18\",\"p\":18}", "{\"s\":\"K17\",\"p\":17}", "{\"s\":\"K16\",\"p\":16}");
        assertThat(client.sow(SowRequest.topic("quotes").top(4))).hasSize(4);
        assertThat(client.sow(SowRequest.topic("quotes").keys(List.of("{\"s\":\"K3\"}", "{\"s\":\"none\"}"))))
                .containsExactly("{\"s\":\"K3\",\"p\":3}");
    }

    @Test
    void shouldAggregate() {
        for (int i = 0; i < 10; i++) {
            client.publish("quotes", "{\"s\":\"K" + i + "\",\"p\":" + i + ",\"g\":" + i % 2 + "}");
        }

        assertThat(client.sow(SowRequest.topic("quotes")
                        .select("g, COUNT(*) AS n, MAX(p) AS top")
                        .groupBy("g")
                        .having("top > 8")
                        .orderBy("g")))
                .containsExactly("{\"g\":1,\"n\":5,\"top\":9}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        n >             | having: expected a value at 4
        n > 1 AND       | having: expected a value at 10
        COUNT(*) > 1    | at 1
        n = 1 = 2       | at 7
        """)
    void shouldSayWhereAConditionOfGroupsIsWrong(final String having, final String where) {
        client.publish("quotes", "{\"s\":\"A\",\"p\":1}");
        final SowRequest query = SowRequest.topic("quotes").having(having);

        client.sow(query.select("s, COUNT(*) AS n").groupBy("s"));
        assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.BAD_FILTER);
        assertThat(client.lastError().text()).startsWith("having: ").contains(where);
        // Whatever else is wrong.
        client.sow(query);
        assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.BAD_FILTER);
        assertThat(client.lastError().text()).startsWith("having: ").contains(where);
    }

    @Test
    void shouldHaveNoHeadersInRowsOfGroups() {
        client.publish("quotes", "{\"s\":\"A\",\"p\":1}");
        client.publish("quotes", "{\"s\":\"B\",\"p\":2}");
        final SowRequest groups =
                SowRequest.topic("quotes").select("s, COUNT(*) AS n").groupBy("s");

        assertThat(client.sow(groups.having("HEADER('x') IS NULL").orderBy("HEADER('x'), s DESC")))
                .containsExactly("{\"s\":\"B\",\"n\":1}", "{\"s\":\"A\",\"n\":1}");
        assertThat(client.sow(groups.having("HEADER('x') IS NOT NULL"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"'', ''", "'t, COUNT(*) AS n', t"})
    void shouldSayThatWhatARecordIsSortedByIsTooLong(final String select, final String groupBy) {
        client.publish("quotes", "{\"s\":\"A\",\"t\":\"" + "x".repeat(15_000) + "\"}");

        client.sow(SowRequest.topic("quotes").select(select).groupBy(groupBy).orderBy("t, t, t, t, t"));

        assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.LIMIT_REACHED);
        assertThat(client.lastError().text())
                .contains("what a record is to be sorted by is longer than 65536 bytes (order by fewer fields");
    }

    @Test
    void shouldMergeDeltas() {
        client.publish("quotes", "{\"s\":\"A\",\"p\":1,\"q\":5}");
        client.delta("quotes", "{\"s\":\"A\",\"p\":2}");

        assertThat(client.sow(SowRequest.topic("quotes"))).containsExactly("{\"s\":\"A\",\"p\":2,\"q\":5}");
    }

    @Test
    void shouldDeleteByKeyAndByFilter() {
        for (int i = 0; i < 10; i++) {
            client.publish("quotes", "{\"s\":\"K" + i + "\",\"p\":" + i + "}");
        }

        assertThat(client.delete("quotes", "", "{\"s\":\"K9\"}", "{\"s\":\"none\"}"))
                .isEqualTo(1);
        assertThat(client.delete("quotes", "p < 7")).isEqualTo(7);
        assertThat(client.sow(SowRequest.topic("quotes").orderBy("p")))
                .containsExactly("{\"s\":\"K7\",\"p\":7}", "{\"s\":\"K8\",\"p\":8}");
    }

    @Test
    void shouldKeepKeysThatPublishersGive() {
        client.publish("blobs", "k1", "{\"p\":1}", false, 0);
        client.publish("blobs", "k2", "{\"p\":2}", false, 0);
        client.publish("blobs", "k1", "{\"p\":3}", false, 0);
        client.sow(SowRequest.topic("blobs").orderBy("p"));

        assertThat(client.take()).allMatch(text -> text.contains("@k"));
        assertThat(client.delete("blobs", "", "k1")).isEqualTo(1);
    }

    @Test
    void shouldSendTheStateAndThenEveryChange() {
        client.publish("quotes", "{\"s\":\"A\",\"p\":1}");
        client.subscribe(1, SubscribeRequest.topic("quotes").sow());
        client.publish("quotes", "{\"s\":\"A\",\"p\":2}");
        client.publish("quotes", "{\"s\":\"B\",\"p\":3}");

        assertThat(client.take())
                .containsExactly(
                        "1 STATE {\"s\":\"A\",\"p\":1}",
                        "1 MESSAGE {\"s\":\"A\",\"p\":2}",
                        "1 MESSAGE {\"s\":\"B\",\"p\":3}");
    }

    @Test
    void shouldReportRecordsOutOfFocus() {
        client.publish("quotes", "{\"s\":\"A\",\"p\":10}");
        client.publish("quotes", "{\"s\":\"B\",\"p\":10}");
        client.subscribe(
                1, SubscribeRequest.topic("quotes").filter("p > 5").sow().oof());
        client.take();
        client.publish("quotes", "{\"s\":\"A\",\"p\":1}");
        client.publish("quotes", "{\"s\":\"A\",\"p\":2}");
        client.publish("quotes", "{\"s\":\"A\",\"p\":20}");
        client.delete("quotes", "", "{\"s\":\"B\"}");

        assertThat(client.take())
                .containsExactly(
                        "1 OOF_MATCH {\"s\":\"A\",\"p\":1}",
                        "1 MESSAGE {\"s\":\"A\",\"p\":20}",
                        "1 OOF_DELETED {\"s\":\"B\",\"p\":10}");
    }

    @Test
    void shouldExpireRecords() {
        client.publish("fading", "{\"s\":\"A\",\"p\":10}");
        client.publish("fading", "", "{\"s\":\"B\",\"p\":10}", false, -1);
        client.subscribe(1, SubscribeRequest.topic("fading").sow().oof());
        client.take();
        broker.advance(1100);

        assertThat(client.take()).containsExactly("1 OOF_EXPIRED {\"s\":\"A\",\"p\":10}");
        assertThat(client.sow(SowRequest.topic("fading"))).containsExactly("{\"s\":\"B\",\"p\":10}");
    }

    @Test
    void shouldSendDeltasOfWhatIsKnown() {
        client.subscribe(1, SubscribeRequest.topic("quotes").delta());
        client.publish("quotes", "{\"s\":\"A\",\"p\":1,\"q\":5}");
        client.publish("quotes", "{\"s\":\"A\",\"p\":2,\"q\":5}");
        client.publish("quotes", "{\"s\":\"A\",\"p\":2,\"q\":5}");

        assertThat(client.take())
                .containsExactly("1 MESSAGE {\"s\":\"A\",\"p\":1,\"q\":5}", "1 DELTA {\"s\":\"A\",\"p\":2}");
    }

    @Test
    void shouldConflateChanges() {
        client.subscribe(1, SubscribeRequest.topic("quotes").conflation(Duration.ofMillis(100)));
        for (int i = 0; i < 10; i++) {
            client.publish("quotes", "{\"s\":\"A\",\"p\":" + i + "}");
        }
        client.flush();
        assertThat(client.take()).isEmpty();
        broker.advance(120);

        assertThat(client.take()).containsExactly("1 MESSAGE {\"s\":\"A\",\"p\":9}");
    }

    @Test
    void shouldCatchUpFromTheStateWhenItsRingIsFull() {
        client.subscribe(1, SubscribeRequest.topic("quotes").filter("p < 20000").oof());
        final StateClient publisher = new StateClient(broker);
        publisher.publish("quotes", "{\"s\":\"B\",\"p\":1}");
        client.take();
        client.paused = true;
        for (int i = 1; i <= 20_000; i++) {
            publisher.publish("quotes", "{\"s\":\"A\",\"p\":" + i + "}");
            broker.cycle();
        }
        publisher.delete("quotes", "", "{\"s\":\"B\"}");
        client.paused = false;

        final List<String> taken = client.take();
        assertThat(taken)
                .hasSizeLessThan(10_000)
                .startsWith("1 MESSAGE {\"s\":\"A\",\"p\":1}")
                .contains("1 OOF_DELETED {\"s\":\"B\",\"p\":1}")
                .contains("1 OOF_MATCH {\"s\":\"A\",\"p\":20000}")
                .doesNotHaveDuplicates();
        publisher.publish("quotes", "{\"s\":\"A\",\"p\":2}");
        publisher.flush();
        assertThat(client.take()).containsExactly("1 MESSAGE {\"s\":\"A\",\"p\":2}");
    }

    @Test
    void shouldAggregateNothingWhenItsClientMaySeeNoTopic() {
        try (TestBroker hidden = new TestBroker(builder -> builder.topic(TopicConfig.keyed("quotes", "json", "s"))
                .security(new SecurityConfig(
                        SecurityConfig.defaults().authenticator(),
                        (principal, action, name) -> action != Action.QUERY,
                        false)))) {
            final StateClient reader = new StateClient(hidden);

            assertThat(reader.sow(SowRequest.pattern(".*").select("COUNT(*) AS n")))
                    .isEmpty();
        }
    }

    @Test
    void shouldReplaceASubscription() {
        client.subscribe(1, SubscribeRequest.topic("quotes").filter("p < 5"));
        client.publish("quotes", "{\"s\":\"A\",\"p\":1}");
        client.replace(1, SubscribeRequest.topic("quotes").filter("p > 5"));
        client.publish("quotes", "{\"s\":\"A\",\"p\":2}");
        client.publish("quotes", "{\"s\":\"A\",\"p\":7}");

        assertThat(client.take()).containsExactly("1 MESSAGE {\"s\":\"A\",\"p\":1}", "1 MESSAGE {\"s\":\"A\",\"p\":7}");
    }

    @Test
    void shouldKeepViewsUpToDate() {
        client.subscribe(1, SubscribeRequest.topic("groups").sow().oof());
        client.publish("quotes", "{\"s\":\"A\",\"p\":1,\"g\":\"x\"}");
        client.flush();
        client.publish("quotes", "{\"s\":\"B\",\"p\":5,\"g\":\"x\"}");
        client.flush();
        assertThat(client.sow(SowRequest.topic("busy"))).containsExactly("{\"g\":\"x\",\"tens\":20}");
        client.publish("quotes", "{\"s\":\"B\",\"p\":0,\"g\":\"x\"}");
        client.flush();
        client.delete("quotes", "TRUE");

        assertThat(client.take())
                .filteredOn(text -> text.startsWith("1 "))
                .containsExactly(
                        "1 MESSAGE {\"g\":\"x\",\"n\":1,\"top\":1}",
                        "1 MESSAGE {\"g\":\"x\",\"n\":2,\"top\":5}",
                        "1 MESSAGE {\"g\":\"x\",\"n\":1,\"top\":1}",
                        "1 OOF_DELETED {\"g\":\"x\",\"n\":1,\"top\":1}");
        assertThat(client.sow(SowRequest.topic("busy"))).isEmpty();
        client.publish("groups", "k", "{}", false, 0);
        client.flush();
        assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.BAD_KEY);
    }

    @Test
    void shouldKeepGroupsApartWhoseKeysDifferOnlyFarBehind() {
        final String start = "x".repeat(3000);
        client.publish("quotes", "{\"s\":\"A\",\"p\":1,\"g\":\"" + start + "a\"}");
        client.publish("quotes", "{\"s\":\"B\",\"p\":1,\"g\":\"" + start + "b\"}");
        client.flush();

        assertThat(client.sow(SowRequest.topic("groups").select("n"))).containsExactly("{\"n\":1}", "{\"n\":1}");
    }

    @Test
    void shouldLeaveOutRowsLongerThanAMessageAndServeOn() {
        try (TestBroker small = new TestBroker(builder -> builder.topic(TopicConfig.keyed("quotes", "json", "s"))
                .view(new ViewConfig("wide", "quotes", "", "s, CONCAT(t, t) AS twice", "")))) {
            final StateClient publisher = new StateClient(small);
            publisher.publish("quotes", "{\"s\":\"A\",\"t\":\"" + "y".repeat(10_000) + "\"}");
            publisher.publish("quotes", "{\"s\":\"B\",\"t\":\"z\"}");
            publisher.flush();

            assertThat(publisher.sow(SowRequest.topic("wide"))).containsExactly("{\"s\":\"B\",\"twice\":\"zz\"}");
            publisher.publish("quotes", "{\"s\":\"B\",\"t\":\"" + "y".repeat(10_000) + "\"}");
            publisher.flush();
            assertThat(publisher.sow(SowRequest.topic("wide"))).containsExactly("{\"s\":\"B\",\"twice\":\"zz\"}");
            assertThat(small.broker.counter("stateRefused")).isEqualTo(2);
            assertThat(small.takeErrors())
                    .singleElement()
                    .asString()
                    .contains("view wide: a row is longer than 16384 bytes, and is left out");
            // What is far longer than a message is never written, and its record can still go.
            publisher.delete("quotes", "TRUE");
            assertThat(publisher.sow(SowRequest.topic("wide"))).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"records", "groups"})
    void shouldLeaveOutRowsFarLongerThanAMessage(final String kind) {
        final String items = "s"
                + ", t AS t%d"
                        .repeat(40)
                        .formatted(IntStream.range(0, 40).boxed().toArray());
        final boolean isGrouped = kind.equals("groups");
        try (TestBroker small = new TestBroker(builder -> builder.topic(TopicConfig.keyed("quotes", "json", "s"))
                .view(new ViewConfig(
                        "wide",
                        "quotes",
                        "",
                        isGrouped ? items.replace("t AS", "MAX(t) AS") : items,
                        isGrouped ? "s" : "")))) {
            final StateClient publisher = new StateClient(small);
            publisher.publish("quotes", "{\"s\":\"A\",\"t\":\"z\"}");
            publisher.flush();
            assertThat(publisher.sow(SowRequest.topic("wide").select("s, t39")))
                    .containsExactly("{\"s\":\"A\",\"t39\":\"z\"}");
            publisher.publish("quotes", "{\"s\":\"A\",\"t\":\"" + "y".repeat(16_000) + "\"}");
            publisher.flush();
            assertThat(publisher.sow(SowRequest.topic("wide").select("s, t39")))
                    .containsExactly("{\"s\":\"A\",\"t39\":\"z\"}");
            assertThat(small.takeErrors()).hasSize(1);

            assertThat(publisher.delete("quotes", "TRUE")).isEqualTo(1);
            assertThat(publisher.sow(SowRequest.topic("wide"))).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        t AS a, t AS b                   |
        t AS a, MAX(t) AS b, COUNT(*) AS n | t
        """)
    void shouldEndAQueryWithARowLongerThanAMessage(final String select, final String groupBy) {
        client.publish("quotes", "{\"s\":\"A\",\"t\":\"z\"}");
        client.publish("quotes", "{\"s\":\"B\",\"t\":\"" + "y".repeat(10_000) + "\"}");
        final SowRequest query = SowRequest.topic("quotes").select(select).groupBy(groupBy == null ? "" : groupBy);

        client.sow(query);
        assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.LIMIT_REACHED);
        assertThat(client.lastError().text()).contains("a computed row is longer than a message may be (select less");
        assertThat(client.sow(query.filter("s = 'A'"))).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "v, nowhere, 'no topic with state: nowhere'",
        "v, plain, 'no topic with state: plain'",
        "quotes, quotes, 'the view itself'",
    })
    void shouldRefuseViewsOfNothing(final String name, final String source, final String expected) {
        assertThatThrownBy(() -> new TestBroker(builder -> builder.topic(TopicConfig.topic("plain", "json"))
                        .topic(TopicConfig.keyed("quotes", "json", "s"))
                        .view(new ViewConfig(name, source, "", "COUNT(*)", ""))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(expected);
    }

    @Test
    void shouldRefuseWhatMakesNoSense() {
        client.publish("quotes", "{\"p\":1}");
        client.flush();
        assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.BAD_KEY);
        client.delta("plain", "{\"p\":1}");
        client.flush();
        assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.NO_STATE);
        client.sow(SowRequest.topic("plain"));
        assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.NO_STATE);
        client.sow(SowRequest.topic("quotes").orderBy("p SIDEWAYS"));
        assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.BAD_QUERY);
        client.sow(SowRequest.topic("quotes").top(-2));
        assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.BAD_QUERY);
        client.sow(SowRequest.topic("quotes").filter("p >"));
        assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.BAD_FILTER);
        client.subscribe(9, SubscribeRequest.topic("plain").oof());
        assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.NO_STATE);
    }
}
