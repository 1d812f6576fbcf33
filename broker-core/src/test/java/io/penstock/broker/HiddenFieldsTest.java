package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static io.penstock.broker.GuardedBroker.deny;
import static io.penstock.broker.GuardedBroker.traders;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.format.header.Headers;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.protocol.codec.LogonEncoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.PublishStateEncoder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Not a byte of a field that is hidden from a client is sent to it, on whichever way. */
@Timeout(60)
class HiddenFieldsTest extends HiddenFieldsScene {
    static Stream<Arguments> ways() {
        return Stream.of(
                way("live", t -> t.subscribe(SubscribeRequest.topic("o"))),
                way(
                        "live by a filter",
                        t -> t.subscribe(SubscribeRequest.topic("o").filter("v >= 0 AND /p/name = 'n'"))),
                way("pattern", t -> t.subscribe(SubscribeRequest.pattern("o.*"))),
                way(
                        "pattern by a filter",
                        t -> t.subscribe(SubscribeRequest.pattern("o.*").filter("v >= 0"))),
                way("state first", t -> t.subscribe(SubscribeRequest.topic("o").sow())),
                way(
                        "state first of a pattern",
                        t -> t.subscribe(SubscribeRequest.pattern("o.*").sow())),
                way(
                        "out of focus",
                        t -> t.subscribe(SubscribeRequest.topic("o").sow().oof().filter("v < 3"))),
                way(
                        "deltas",
                        t -> t.subscribe(
                                SubscribeRequest.topic("o").sow().delta().oof())),
                way(
                        "deltas without empties",
                        t -> t.subscribe(SubscribeRequest.topic("o").delta().withoutEmpties())),
                way(
                        "selected",
                        t -> t.subscribe(SubscribeRequest.topic("o").sow().select("v, /p/name"))),
                way(
                        "conflated",
                        t -> t.subscribe(SubscribeRequest.topic("o").sow().oof().conflation(Duration.ofMillis(10)))),
                way(
                        "conflated by a key",
                        t -> t.subscribe(SubscribeRequest.topic("o").conflation(Duration.ofMillis(10), "v"))),
                way("replay", t -> t.replay(ReplayRequest.topic("o").from(LogPlace.BEGINNING))),
                way(
                        "replay of a pattern",
                        t -> t.replay(ReplayRequest.pattern("o.*").from(LogPlace.BEGINNING))),
                way(
                        "range",
                        t -> t.replay(ReplayRequest.topic("o")
                                .from(LogPlace.BEGINNING)
                                .to(LogPlace.NOW))),
                way("query", t -> t.sow(SowRequest.topic("o"))),
                way("query of a pattern", t -> t.sow(SowRequest.pattern("o.*").filter("v > 0"))),
                way(
                        "query in order",
                        t -> t.sow(SowRequest.topic("o").orderBy("v DESC").top(5))),
                way("query by keys", t -> t.sow(SowRequest.topic("o").keys(List.of("{\"id\":1}")))),
                way("projection", t -> t.sow(SowRequest.topic("o").select("v + 1 AS w, /p/name"))),
                way(
                        "aggregate",
                        t -> t.sow(SowRequest.topic("o")
                                .select("v, COUNT(*) AS n")
                                .groupBy("v")
                                .having("n > 0"))),
                way("state as it was", t -> t.sow(SowRequest.topic("o").asOf(t.then()))),
                way(
                        "state of a pattern as it was",
                        t -> t.sow(SowRequest.pattern("o.*").asOf(t.then()).orderBy("v"))));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void shouldSendNoByteOfWhatIsHidden(final String name, final Consumer<HiddenFieldsTest> way) {
        start(traders(allow("list", "*", ""), hiding(allow("read", "o*", ""), "salary", "/p/ssn")));
        root.subscribe(1, SubscribeRequest.topic("o"));
        publish(1, 1);
        publish(2, 2);
        root.flush();
        way.accept(this);
        publish(1, 4);
        publish(3, 2);
        root.delta("o", "{\"id\":2,\"v\":5,\"salary\":\"" + SECRET + "\"}");
        root.flush();
        root.delete("o", "", "{\"id\":3}");
        test.advance(50);
        test.settle();

        assertThat(TappedTransport.sent(0)).contains(SECRET);
        assertThat(trader.errors).isEmpty();
        assertThat(trader.deliveries).isNotEmpty();
        assertThat(TappedTransport.sent(1)).doesNotContain(SECRET).contains("\"");
        assertThat(trader.deliveries.toString()).doesNotContain("salary").doesNotContain("ssn");
    }

    @Test
    void shouldSendTheRestOfEachMessage() {
        start(traders(hiding(allow("read", "o*", ""), "salary", "/p/ssn")));
        trader.subscribe(1, SubscribeRequest.topic("o"));
        publish(1, 1);
        root.publish("o", "[1]");
        root.publish("stateless-o", "[1]");
        root.flush();

        assertThat(trader.take()).containsExactly("1 MESSAGE " + SHOWN);
        assertThat(trader.sow(SowRequest.topic("o"))).containsExactly(SHOWN);
        trader.subscribe(2, SubscribeRequest.topic("o").sow().delta().oof());
        test.settle();
        root.delta("o", "{\"id\":1,\"salary\":\"other " + SECRET + "\"}");
        root.delta("o", "{\"id\":1,\"v\":2}");
        root.delete("o", "TRUE");
        assertThat(trader.take().stream().filter(each -> each.startsWith("2 ")))
                .containsExactly(
                        "2 STATE " + SHOWN,
                        // That something has changed is seen, not what.
                        "2 DELTA {\"id\":1}",
                        "2 DELTA {\"id\":1,\"v\":2}",
                        "2 OOF_DELETED " + SHOWN.replace("\"v\":1", "\"v\":2"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendNoByteOfALongRecordThatIsHidden(final boolean isPaused) {
        final SessionConfig sessions =
                new SessionConfig(64, 64, 1 << 20, 64, 64, 16 * 1024, 64, 1 << 24, 10_000, 1_000);
        start(
                traders(hiding(allow("read", "o*", ""), "salary", "/p/ssn")),
                builder -> builder.sessions(sessions).inboxLength(4 << 20).window(new WindowConfig(4 << 20, 4)));
        trader.subscribe(1, SubscribeRequest.topic("o"));
        trader.paused = isPaused;
        final String whole = "y".repeat(300_000);
        root.publish("o", "{\"id\":1,\"salary\":\"" + SECRET.repeat(20_000) + "\",\"v\":\"" + whole + "\"}");
        root.publish("o", "{\"id\":2,\"v\":\"" + whole + "\",\"salary\":\"" + SECRET.repeat(80_000) + "\"}");
        root.publish("o", "{\"id\":3,\"salary\":\"" + SECRET.repeat(80_000) + "\",\"v\":1}");
        root.publish("o", "{\"id\":4,\"salary\":1,\"v\":1}");
        for (int i = 0; i < 200; i++) {
            test.cycle();
        }
        trader.paused = false;
        root.flush();

        assertThat(trader.take())
                .containsExactly(
                        "1 MESSAGE {\"id\":1,\"v\":\"" + whole + "\"}",
                        "1 MESSAGE {\"id\":2,\"v\":\"" + whole + "\"}",
                        "1 MESSAGE {\"id\":3,\"v\":1}",
                        "1 MESSAGE {\"id\":4,\"v\":1}");
        assertThat(trader.sow(SowRequest.topic("o").keys(List.of("{\"id\":2}"))))
                .containsExactly("{\"id\":2,\"v\":\"" + whole + "\"}");
        assertThat(TappedTransport.sent(1)).doesNotContain(SECRET);
    }

    @Test
    void shouldSendNothingHiddenToAClientThatIsBehind() {
        start(traders(hiding(allow("read", "o*", ""), "salary", "/p/ssn")));
        trader.subscribe(1, SubscribeRequest.topic("o"));
        trader.subscribe(2, SubscribeRequest.topic("o").sow().oof());
        trader.paused = true;
        for (int i = 0; i < 2_000; i++) {
            publish(i, i);
            if (i % 10 == 0) {
                root.flush();
            }
        }
        trader.paused = false;
        root.flush();
        test.settle();

        assertThat(trader.deliveries).hasSizeGreaterThan(1_000);
        assertThat(TappedTransport.sent(1)).doesNotContain(SECRET);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        filter      | salary > 1                    | /salary
        filter      | v = 1 AND salary IS NULL      | /salary
        filter      | /p/ssn = '1'                  | /p/ssn
        filter      | p IS NULL                     | /p
        filter      | /p/ssn/x = 1                  | /p/ssn/x
        filter      | /salary[0] = 1                | /salary[0]
        replay      | salary > 1                    | /salary
        select      | v, salary                     | /salary
        select      | p                             | /p
        conflation  | salary                        | /salary
        order       | salary DESC                   | /salary
        project     | salary + 1 AS x               | /salary
        project     | MAX(/p/ssn) AS x              | /p/ssn
        group       | salary                        | /salary
        having      | salary > 1                    | /salary
        where       | salary > 1                    | /salary
        delete      | salary > 1                    | /salary
        past        | salary > 1                    | /salary
        """)
    void shouldRefuseWhatDependsOnAHiddenField(final String command, final String text, final String field) {
        start(traders(allow("list delete", "*", ""), hiding(allow("read", "o*", ""), "salary", "/p/ssn")));
        publish(1, 1);
        root.flush();
        final int before = trader.deliveries.size();
        final SubscribeRequest topic = SubscribeRequest.topic("o");
        final SowRequest query = SowRequest.topic("o");
        switch (command) {
            case "filter" -> subscribe(topic.filter(text));
            case "replay" ->
                replay(ReplayRequest.topic("o").from(LogPlace.BEGINNING).filter(text));
            case "select" -> subscribe(topic.select(text));
            case "conflation" -> subscribe(topic.conflation(Duration.ofMillis(5), text));
            case "order" -> {
                subscribe(topic.sow().orderBy(text));
                trader.errors.remove(0);
                sow(query.orderBy(text));
            }
            case "project" -> sow(query.select(text));
            case "group" -> sow(query.select(text + ", COUNT(*) AS n").groupBy(text));
            case "having" -> sow(query.select("COUNT(*) AS n").having(text));
            case "where" -> sow(query.filter(text));
            case "delete" -> assertThat(trader.delete("o", text)).isEqualTo(-1);
            case "past" -> sow(query.asOf(then()).filter(text));
            default -> throw new AssertionError(command);
        }
        publish(1, 2);
        root.flush();
        test.settle();

        assertThat(trader.deliveries).hasSize(before);
        assertThat(trader.errors).hasSize(1);
        assertThat(trader.lastError().errorCode()).isEqualTo(ErrorCode.NOT_ENTITLED);
        assertThat(trader.lastError().text())
                .contains(" o: not allowed for trader-E: /p/ssn, /salary is hidden, and this depends on " + field
                        + " (leave it out, or ask for the permission)");
        assertThat(root.sow(query)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        salary > 1        |             | {"v":2,"salary":2}
                          | salary DESC | {"v":2,"salary":2}{"v":1,"salary":1}
        /salary/x IS NULL | /salary     | {"v":1,"salary":1}{"v":2,"salary":2}
        """)
    void shouldTakeTheNameOfAComputedValueBeforeThatOfAHiddenField(
            final String having, final String orderBy, final String expected) {
        start(traders(hiding(allow("read", "o*", ""), "salary", "/p/ssn")));
        publish(1, 1);
        publish(2, 2);
        publish(3, 2);
        root.flush();

        assertThat(String.join(
                        "",
                        trader.sow(SowRequest.topic("o")
                                .select("v, COUNT(*) AS salary")
                                .groupBy("v")
                                .having(having == null ? "" : having)
                                .orderBy(orderBy == null ? "" : orderBy))))
                .isEqualTo(expected);
        assertThat(trader.errors).isEmpty();
        // The value itself may not be computed from what is hidden.
        trader.sow(SowRequest.topic("o").select("MAX(salary) AS salary").having("salary > 0"));
        assertThat(trader.lastError().errorCode()).isEqualTo(ErrorCode.NOT_ENTITLED);
    }

    @Test
    void shouldLeaveTopicsOfAPatternOutThatAFilterAsksForHiddenFieldsOf() {
        start(traders(hiding(allow("read", "o", ""), "salary"), allow("read", "o2", "")));
        trader.subscribe(
                1, SubscribeRequest.pattern("o.*").filter("salary IS NOT NULL").sow());
        trader.subscribe(2, SubscribeRequest.pattern("o.*").filter("v = 1"));
        for (final String name : List.of("o", "o2")) {
            root.publish(name, "{\"id\":1,\"v\":1,\"salary\":7}");
        }
        root.flush();

        assertThat(trader.take())
                .containsExactlyInAnyOrder(
                        "1 MESSAGE {\"id\":1,\"v\":1,\"salary\":7}",
                        "2 MESSAGE {\"id\":1,\"v\":1}",
                        "2 MESSAGE {\"id\":1,\"v\":1,\"salary\":7}");
        assertThat(trader.sow(SowRequest.pattern("o.*").filter("salary = 7"))).hasSize(1);
        assertThat(trader.sow(SowRequest.pattern("o.*").orderBy("salary"))).hasSize(1);
        assertThat(trader.sow(SowRequest.pattern("o.*").orderBy("v"))).hasSize(2);
    }

    @Test
    void shouldShowNothingOfATopicWhoseKeyIsHiddenOrWhoseFormatCannotBeCut() {
        start(traders(allow("list", "*", ""), hiding(allow("read", "*", ""), "id")));
        root.publish("o", "{\"id\":1}");
        final RawClient raw = test.connect();
        raw.logon("", "root", 0);
        test.await(() -> raw.events.contains("logonAck"));
        raw.declareTopic(2, "b", "binary");
        test.settle();
        trader.subscribe(1, SubscribeRequest.pattern(".*"));
        trader.subscribe(2, SubscribeRequest.topic("later"));
        trader.subscribe(3, SubscribeRequest.topic("o"));
        trader.subscribe(4, SubscribeRequest.topic("b"));
        root.declare("later", "id", 0);
        root.publish("later", "{\"id\":1}");
        root.publish("o", "{\"id\":1}");
        root.publish("open", "{\"id\":1,\"v\":2}");
        raw.publish(3, "b", SECRET);
        root.flush();
        test.settle();
        sow(SowRequest.topic("o"));

        assertThat(trader.take()).containsExactly("1 MESSAGE {\"v\":2}");
        assertThat(trader.sow(SowRequest.pattern(".*"))).isEmpty();
        assertThat(trader.errors)
                .extracting(error -> error.text().replaceAll(".*trader-E: (.*) \\(.*", "$1"))
                .startsWith(
                        "its key is hidden: /id",
                        "fields are hidden (/id), and cannot be cut out of messages of format binary",
                        "its key is hidden: /id");
    }

    @Test
    void shouldShowWhatARuleWithoutAFilterShows() {
        final String message = "{\"id\":1,\"v\":1,\"a\":2,\"b\":3}";
        start(traders(hiding(allow("read", "o", ""), "a", "b"), hiding(allow("read", "o*", ""), "b", "v")));
        root.publish("o", message);
        root.flush();
        assertThat(trader.sow(SowRequest.topic("o"))).containsExactly("{\"id\":1,\"v\":1,\"a\":2}");

        // A filter limits a rule to some messages, and so shows no field of the others.
        test.broker.permissions(
                traders(hiding(allow("read", "o", ""), "a"), allow("read", "o", "id = 1"), deny("read", "o", "v = 9")));
        assertThat(trader.sow(SowRequest.topic("o"))).containsExactly("{\"id\":1,\"v\":1,\"b\":3}");
        test.broker.permissions(traders(hiding(allow("read", "o", "v = 1"), "a"), allow("read", "o", "id = 1")));
        assertThat(trader.sow(SowRequest.topic("o"))).containsExactly("{\"id\":1,\"v\":1,\"b\":3}");
        // What one way of reading hides, all of them hide.
        test.broker.permissions(
                traders(hiding(allow("query", "o", ""), "a"), hiding(allow("subscribe", "o", ""), "b")));
        assertThat(trader.sow(SowRequest.topic("o"))).containsExactly("{\"id\":1,\"v\":1}");
        test.broker.permissions(traders(hiding(allow("read", "o", ""), "a"), allow("read", "o", "")));
        assertThat(trader.sow(SowRequest.topic("o"))).containsExactly(message);
    }

    @Test
    void shouldSendFromTheLogToThoseFromWhomNothingIsHidden() {
        start(traders(hiding(allow("read", "o", ""), "salary"), allow("read", "o2", "")));
        root.subscribe(1, SubscribeRequest.topic("o"));
        trader.subscribe(1, SubscribeRequest.topic("o"));
        publish(1, 1);
        root.flush();
        assertThat(root.take()).hasSize(1);
        assertThat(trader.take()).hasSize(1);
        assertThat(TappedTransport.inPlace(0)).isPositive();
        assertThat(TappedTransport.inPlace(1)).isZero();

        trader.subscribe(2, SubscribeRequest.topic("o2"));
        root.publish("o2", "{\"id\":1,\"salary\":1}");
        root.flush();
        assertThat(trader.take()).containsExactly("2 MESSAGE {\"id\":1,\"salary\":1}");
        assertThat(TappedTransport.inPlace(1)).isPositive();
    }

    @Test
    void shouldSendACutMessageToAClientThatKnowsNoHeaders() {
        start(traders(hiding(allow("read", "o*", ""), "salary", "/p/ssn")));
        final RawClient raw = test.connect();
        final UnsafeBuffer logon = new UnsafeBuffer(new byte[256]);
        final LogonEncoder encoder = new LogonEncoder();
        encoder.wrapAndApplyHeader(logon, 0, new MessageHeaderEncoder().wrap(logon, 0))
                .commandId(1)
                .heartbeatIntervalMs(0)
                .clientName("")
                .user("trader-E")
                .password("");
        new MessageHeaderEncoder().wrap(logon, 0).version(1);
        raw.send(Arrays.copyOf(logon.byteArray(), encoder.limit()));
        test.await(() -> raw.events.contains("logonAck"));
        raw.subscribe(2, 1, "o", "");
        test.settle();
        publish(1, 1);
        final Headers headers = Headers.of("h", "value");
        final String text = "{\"id\":2,\"salary\":\"" + SECRET + "\"}";
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[text.length() + headers.length()]);
        payload.putStringWithoutLengthUtf8(0, text);
        headers.write(payload, text.length());
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[512]);
        final PublishStateEncoder publish = new PublishStateEncoder();
        publish.wrapAndApplyHeader(frame, 0, new MessageHeaderEncoder())
                .commandId(9)
                .publisherSequence(0)
                .expirationMs(0)
                .headersLength(headers.length());
        publish.ackTypes().clear();
        publish.options().clear();
        publish.topic("o").key("").putPayload(payload.byteArray(), 0, payload.capacity());
        final RawClient writer = test.connect();
        writer.logon("", "root", 0);
        test.await(() -> writer.events.contains("logonAck"));
        writer.send(Arrays.copyOf(frame.byteArray(), publish.limit()));
        test.settle();

        assertThat(raw.deliveries).extracting(RawInbox.Delivery::text).containsExactly(SHOWN, "{\"id\":2}");
        assertThat(TappedTransport.sent(2)).doesNotContain(SECRET).doesNotContain("value");
    }

    @Test
    void shouldTakeCreditForWhatIsSent() {
        start(traders(hiding(allow("read", "o*", ""), "salary")));
        final RawClient raw = test.connect();
        raw.logon("", "trader-E", 0);
        test.await(() -> raw.events.contains("logonAck"));
        raw.subscribeFrom(2, 1, ReplayRequest.topic("o").from(LogPlace.NOW).credit(1));
        test.settle();
        final int length = RecordDescriptor.alignedLength(RecordDescriptor.HEADER_LENGTH + "{\"id\":1}".length());
        raw.credit(3, 1, 3L * length);
        test.settle();
        for (int i = 1; i < 9; i++) {
            root.publish("o", "{\"id\":" + i + ",\"salary\":\"" + SECRET.repeat(50) + "\"}");
            root.flush();
        }
        test.settle();
        assertThat(raw.deliveries).hasSize(3);
        raw.credit(4, 1, 2L * length);
        test.settle();
        assertThat(raw.deliveries).hasSize(5);
    }

    private static Arguments way(final String name, final Consumer<HiddenFieldsTest> way) {
        return Arguments.of(name, way);
    }
}
