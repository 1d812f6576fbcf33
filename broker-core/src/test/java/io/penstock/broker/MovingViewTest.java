package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.config.ConfigException;
import io.penstock.broker.config.ConfigValue.Mapping;
import io.penstock.broker.config.ConfigValue.Scalar;
import io.penstock.broker.config.ConfigValue.Sequence;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.CachedNanoClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Views over the last messages of topics, as clients see them. */
class MovingViewTest {
    private static final ViewConfig VIEW =
            new ViewConfig("v", "trades", "p > 0", "s, COUNT(*) AS n, SUM(p) AS sum, MAX(p) AS top", "s");

    @TempDir
    Path directory;

    private final CachedNanoClock clock = new CachedNanoClock();
    private @Nullable TestBroker broker;
    private @Nullable StateClient client;

    @AfterEach
    void close() {
        if (broker != null) {
            broker.close();
        }
    }

    @Test
    void shouldBeOfTheLastMessagesOfTheTopic() {
        start(builder ->
                builder.topic(TopicConfig.topic("trades", "json")).view(VIEW.over(ViewConfig.Window.messages(3))));
        client().subscribe(1, SubscribeRequest.topic("v").oof());
        publish("{\"s\":\"A\",\"p\":5}");
        publish("{\"s\":\"B\",\"p\":1}");
        publish("{\"s\":\"B\",\"p\":0}");
        publish("{\"s\":\"B\",\"p\":2}");
        assertThat(client().take())
                .containsExactly(
                        "1 MESSAGE {\"s\":\"A\",\"n\":1,\"sum\":5,\"top\":5}",
                        "1 MESSAGE {\"s\":\"B\",\"n\":1,\"sum\":1,\"top\":1}",
                        "1 MESSAGE {\"s\":\"B\",\"n\":2,\"sum\":3,\"top\":2}");

        publish("{\"s\":\"B\",\"p\":1}");
        assertThat(client().take())
                .containsExactlyInAnyOrder(
                        "1 MESSAGE {\"s\":\"B\",\"n\":3,\"sum\":4,\"top\":2}",
                        "1 OOF_DELETED {\"s\":\"A\",\"n\":1,\"sum\":5,\"top\":5}");

        // One comes, an equal one goes: nothing has changed.
        publish("{\"s\":\"B\",\"p\":1}");
        assertThat(client().take()).isEmpty();
        assertThat(client().sow(SowRequest.topic("v").keys(List.of("{\"s\":\"B\"}"))))
                .containsExactly("{\"s\":\"B\",\"n\":3,\"sum\":4,\"top\":2}");
    }

    @Test
    void shouldBeOfTheLastMessagesOfEachGroup() {
        start(builder -> builder.topic(TopicConfig.keyed("trades", "json", "s"))
                .view(VIEW.over(ViewConfig.Window.groupMessages(2))));
        for (int i = 1; i <= 4; i++) {
            publish("{\"s\":\"A\",\"p\":" + i + "}");
        }
        publish("{\"s\":\"B\",\"p\":9}");
        client().delta("trades", "{\"s\":\"B\",\"q\":1}");
        client().flush();

        assertThat(client().sow(SowRequest.topic("v").orderBy("s")))
                .containsExactly(
                        "{\"s\":\"A\",\"n\":2,\"sum\":7,\"top\":4}", "{\"s\":\"B\",\"n\":2,\"sum\":18,\"top\":9}");
        // What was said stays, whatever becomes of the record.
        assertThat(client().delete("trades", "TRUE")).isEqualTo(2);
        assertThat(client().sow(SowRequest.topic("v"))).hasSize(2);
    }

    @Test
    void shouldLetMessagesGoWhenTheirTimeIsUpAndNobodyPublishes() {
        start(builder -> builder.topic(TopicConfig.topic("trades", "json"))
                .view(VIEW.over(ViewConfig.Window.time(1_000)))
                .view(new ViewConfig("busy", "v", "n > 1", "s", "")));
        client().subscribe(1, SubscribeRequest.topic("v").oof().delta());
        client().subscribe(2, SubscribeRequest.topic("busy").oof());
        publish("{\"s\":\"A\",\"p\":5}");
        advance(600);
        publish("{\"s\":\"A\",\"p\":2}");
        assertThat(client().take())
                .containsExactly(
                        "1 MESSAGE {\"s\":\"A\",\"n\":1,\"sum\":5,\"top\":5}",
                        "1 DELTA {\"s\":\"A\",\"n\":2,\"sum\":7}",
                        "2 MESSAGE {\"s\":\"A\"}");
        advance(399);
        assertThat(client().take()).isEmpty();
        advance(1);
        assertThat(client().take())
                .containsExactlyInAnyOrder(
                        "1 DELTA {\"s\":\"A\",\"n\":1,\"sum\":2,\"top\":2}", "2 OOF_DELETED {\"s\":\"A\"}");
        advance(600);
        assertThat(client().take()).containsExactly("1 OOF_DELETED {\"s\":\"A\",\"n\":1,\"sum\":2,\"top\":2}");
        assertThat(client().sow(SowRequest.topic("v"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 1000", "0, 3, 0", "40, 0, 0", "40, 0, 1000"})
    void shouldGoOnAfterARestartWithWhatTheLogHas(final long count, final long groupCount, final long timeMs) {
        final ViewConfig.Window window = new ViewConfig.Window(count, groupCount, timeMs, 1 << 20);
        startJournaled(window);
        final String pad = "x".repeat(500);
        for (int i = 0; i < 400; i++) {
            publish("{\"s\":\"" + (i < 3 ? "old" : "" + i % 4) + "\",\"p\":" + (1 + i % 7) + ",\"pad\":\"" + pad
                    + "\"}");
            advance(i < 390 ? 20 : 0);
        }
        broker().settle();
        // The log before these is not applied again.
        assertThat(broker().broker.counter("snapshots")).isPositive();
        final List<String> before = client().sow(SowRequest.topic("v").orderBy("s"));
        assertThat(before).hasSize(groupCount == 0 ? 4 : 5);

        restart(window, 0);
        assertThat(client().sow(SowRequest.topic("v").orderBy("s"))).isEqualTo(before);
        for (int i = 0; i < 100; i++) {
            publish("{\"s\":\"1\",\"p\":0.5}");
        }
        final String last = groupCount == 0 ? "\"n\":100," : "\"n\":3,";
        final String expected = count == 0 ? last : "\"n\":40,";
        if (timeMs == 0 || count > 0) {
            assertThat(client().sow(SowRequest.topic("v").filter("s = '1'")).get(0))
                    .contains(expected);
        }

        restart(window, 999);
        final List<String> rows = client().sow(SowRequest.topic("v"));
        assertThat(rows).hasSize(groupCount > 0 ? 5 : count > 0 ? 1 : 4);
        restart(window, 1);
        if (timeMs > 0) {
            assertThat(client().sow(SowRequest.topic("v"))).isEmpty();
        } else {
            assertThat(client().sow(SowRequest.topic("v"))).isEqualTo(rows);
        }
    }

    /** The messages are in several files, with the view's own rows among them, and others before. */
    @Test
    void shouldReadAsManyFilesAsTheCountNeeds() {
        startJournaled(ViewConfig.Window.messages(250));
        for (int i = 0; i < 600; i++) {
            publish("{\"s\":\"" + i % 4 + "\",\"p\":" + i % 7 + ",\"pad\":\"" + "x".repeat(500) + "\"}");
        }
        final List<String> before = client().sow(SowRequest.topic("v").orderBy("s"));
        restart(ViewConfig.Window.messages(250), 0);

        assertThat(client().sow(SowRequest.topic("v").orderBy("s"))).isEqualTo(before);
        assertThat(client().sow(SowRequest.topic("v").select("SUM(n) AS n"))).containsExactly("{\"n\":250}");
    }

    /** What was taken after the clock was put back leaves when the message before does, also after a start. */
    @Test
    void shouldHaveTheSameMessagesAfterAStartWhenTheClockWasPutBack() {
        final ViewConfig.Window window = ViewConfig.Window.time(1_000);
        startJournaled(window);
        publish("{\"s\":\"A\",\"p\":1}");
        advance(-600);
        publish("{\"s\":\"A\",\"p\":2}");
        advance(1_100);
        assertThat(client().sow(SowRequest.topic("v"))).containsExactly("{\"s\":\"A\",\"n\":2,\"sum\":3,\"top\":2}");

        restart(window, 0);
        assertThat(client().sow(SowRequest.topic("v"))).containsExactly("{\"s\":\"A\",\"n\":2,\"sum\":3,\"top\":2}");
        restart(window, 499);
        assertThat(client().sow(SowRequest.topic("v"))).hasSize(1);
        restart(window, 1);
        assertThat(client().sow(SowRequest.topic("v"))).isEmpty();
    }

    @Test
    void shouldBeOfMessagesBeforeItWasDeclared() {
        start(builder -> builder.journal(JournalConfig.in(directory.toString()).withFileLength(64 * 1024))
                .topic(TopicConfig.topic("trades", "json")));
        publish("{\"s\":\"A\",\"p\":5}");
        publish("{\"s\":\"A\",\"p\":6}");
        restart(ViewConfig.Window.messages(10), 0);

        assertThat(client().sow(SowRequest.topic("v"))).containsExactly("{\"s\":\"A\",\"n\":2,\"sum\":11,\"top\":6}");
        publish("{\"s\":\"A\",\"p\":1}");
        restart(ViewConfig.Window.messages(2), 0);
        assertThat(client().sow(SowRequest.topic("v"))).containsExactly("{\"s\":\"A\",\"n\":2,\"sum\":7,\"top\":6}");
    }

    @Test
    void shouldSaySoOnceWhenMessagesLeaveBeforeTheirTime() {
        start(builder -> builder.topic(TopicConfig.topic("trades", "json"))
                .view(VIEW.over(ViewConfig.Window.time(60_000).withLengthMax(64 * 1024))));
        for (int i = 0; i < 200; i++) {
            publish("{\"s\":\"A\",\"p\":1,\"pad\":\"" + "x".repeat(1_000) + "\"}");
        }

        assertThat(client().sow(SowRequest.topic("v"))).containsExactly("{\"s\":\"A\",\"n\":56,\"sum\":56,\"top\":1}");
        assertThat(broker().broker.counter("windowCuts")).isEqualTo(200 - 56);
        assertThat(broker().broker.counter("windowLength")).isEqualTo(64 * 1024);
        assertThat(broker().takeErrors())
                .singleElement()
                .asString()
                .contains("view v: its window is full: 65536 bytes")
                .contains("raise views.window.lengthMax");
    }

    /** What does not fit is said by the broker that runs, and keeps none from starting. */
    @Test
    void shouldStartAgainWhenMessagesHaveLeftBeforeTheirTime() {
        final ViewConfig.Window window = ViewConfig.Window.time(60_000).withLengthMax(64 * 1024);
        startJournaled(window);
        for (int i = 0; i < 200; i++) {
            publish("{\"s\":\"A\",\"p\":1,\"pad\":\"" + "x".repeat(1_000) + "\"}");
        }
        broker().takeErrors();
        restart(window, 10);

        assertThat(client().sow(SowRequest.topic("v"))).containsExactly("{\"s\":\"A\",\"n\":56,\"sum\":56,\"top\":1}");
        assertThat(broker().takeErrors())
                .singleElement()
                .asString()
                .contains("view v: its window is full: 65536 bytes");
    }

    /** Rows that a view gets at the start are messages for the window over it. */
    @Test
    void shouldHaveTheRowsThatAViewGetsAtTheStart() {
        final UnaryOperator<BrokerConfig.Builder> before = builder ->
                builder.journal(JournalConfig.in(directory.toString())).topic(TopicConfig.keyed("trades", "json", "s"));
        start(before);
        publish("{\"s\":\"A\",\"p\":1}");
        publish("{\"s\":\"B\",\"p\":2}");
        final UnaryOperator<BrokerConfig.Builder> after = builder -> before.apply(builder)
                .view(new ViewConfig("r", "trades", "", "s, p", ""))
                .view(new ViewConfig("w", "r", "", "COUNT(*) AS n, SUM(p) AS sum", "")
                        .over(ViewConfig.Window.messages(10)));
        for (int run = 0; run < 2; run++) {
            broker().close();
            broker = null;
            start(after);
            assertThat(client().sow(SowRequest.topic("w"))).as("run %d", run).containsExactly("{\"n\":2,\"sum\":3}");
        }
    }

    @Test
    void shouldKeepTheTopicThatAViewIsOver() {
        start(builder ->
                builder.topic(TopicConfig.topic("trades", "json")).view(VIEW.over(ViewConfig.Window.messages(3))));
        final RawClient raw = broker().logOn("raw");
        raw.deleteTopic(10, "trades");
        raw.deleteTopic(11, "v");
        broker().settle();

        assertThat(raw.errors).containsExactly(ErrorCode.TOPIC_IN_USE, ErrorCode.TOPIC_IN_USE);
        assertThat(raw.errorTexts.get(0)).contains("views are computed from it: v");
    }

    /** Rules are about the view itself, as those of any other. */
    @Test
    void shouldBeForThoseWhoMayReadIt() {
        broker = GuardedBroker.start(
                GuardedBroker.traders(allow("read", "v", "n > 1"), allow("publish", "trades", "")),
                builder -> builder.topic(TopicConfig.topic("trades", "json"))
                        .view(VIEW.over(ViewConfig.Window.messages(3))));
        client = new StateClient(broker(), "trader-E");
        client().subscribe(1, SubscribeRequest.topic("v").oof());
        publish("{\"s\":\"A\",\"p\":5}");
        assertThat(client().take()).isEmpty();
        publish("{\"s\":\"A\",\"p\":6}");
        assertThat(client().take()).containsExactly("1 MESSAGE {\"s\":\"A\",\"n\":2,\"sum\":11,\"top\":6}");
        client().subscribe(2, SubscribeRequest.topic("trades"));
        assertThat(client().lastError().errorCode()).isEqualTo(ErrorCode.NOT_AUTHORIZED);
        publishTo("v", "{\"s\":\"A\",\"n\":7}");
        assertThat(client().lastError().errorCode()).isEqualTo(ErrorCode.NOT_AUTHORIZED);
    }

    @Test
    void shouldLetNobodyPublishToIt() {
        start(builder ->
                builder.topic(TopicConfig.topic("trades", "json")).view(VIEW.over(ViewConfig.Window.messages(3))));
        publishTo("v", "{\"s\":\"A\",\"n\":7}");

        assertThat(client().lastError()).isNotNull();
        assertThat(client().sow(SowRequest.topic("v"))).isEmpty();
    }

    @Test
    void shouldRefuseWindowsOfRecordsWithoutAggregates() {
        assertThatThrownBy(() -> start(builder -> builder.topic(TopicConfig.keyed("trades", "json", "s"))
                        .view(new ViewConfig("v", "trades", "", "s, p", "").over(ViewConfig.Window.messages(3)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("views: v: window: the select list has no aggregates: s, p");
        assertThatThrownBy(() -> start(builder -> builder.topic(TopicConfig.topic("trades", "json"))
                        .view(new ViewConfig("v", "trades", "", "COUNT(*) AS n", "s")
                                .over(ViewConfig.Window.messages(3)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("views: v: s is in the group by and not in the select list");
        assertThatThrownBy(() -> start(builder -> builder.topic(TopicConfig.topic("trades", "json"))
                        .view(new ViewConfig("v", "nowhere", "", "COUNT(*) AS n", "")
                                .over(ViewConfig.Window.messages(3)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nowhere");
    }

    @ParameterizedTest
    @CsvSource({
        "messageCount, -1, 'views.window.messageCount: too small: -1 (use 0 to 1000000000)'",
        "groupMessageCount, 1000000001, 'views.window.groupMessageCount: too large'",
        "timeMs, -5, 'views.window.timeMs: too small: -5'",
        "timeMs, 5m, 'views.window.timeMs: not a whole number: 5m'",
        "lengthMax, 1 KiB, 'views.window.lengthMax: too small: 1024 (use 65536 to 68719476736)'",
        "groupMessageCount, 5, 'views.window.groupMessageCount: there is a messageCount, too: 7 (give one of them)'",
        "last, 5, 'views.window.last: no such key (use one of groupMessageCount, lengthMax, messageCount, timeMs)'",
    })
    void shouldRefuseWindowsThatMakeNoSense(final String key, final String value, final String expected) {
        final Map<String, String> window = key.equals("groupMessageCount") && value.equals("5")
                ? Map.of("messageCount", "7", key, value)
                : Map.of(key, value);
        assertThatThrownBy(() -> read(window))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(expected);
    }

    @Test
    void shouldReadWindowsOfAConfiguration() {
        assertThat(read(Map.of("messageCount", "1000", "timeMs", "300000", "lengthMax", "1 MiB"))
                        .views())
                .containsExactly(new ViewConfig("v", "trades", "", "COUNT(*) AS n", "")
                        .over(new ViewConfig.Window(1000, 0, 300_000, 1 << 20)));
        assertThat(read(Map.of()).views().get(0).window()).isEqualTo(ViewConfig.Window.NONE);
    }

    private static BrokerConfig read(final Map<String, String> window) {
        final Mapping values = Mapping.empty("program");
        final Mapping view = Mapping.empty("program");
        Map.of("name", "v", "source", "trades", "select", "COUNT(*) AS n")
                .forEach((key, value) -> view.put(key, new Scalar(value, "program")));
        final Mapping keys = Mapping.empty("program");
        window.forEach((key, value) -> keys.put(key, new Scalar(value, "program")));
        view.put("window", keys);
        values.put("views", new Sequence(List.of(view), "program"));
        return BrokerConfigReader.read(values, Set.of());
    }

    private void start(final UnaryOperator<BrokerConfig.Builder> configure) {
        clock.update(Math.max(clock.nanoTime(), TimeUnit.HOURS.toNanos(1)));
        broker = new TestBroker(builder -> configure.apply(builder.epochClock(clock::nanoTime)));
        client = new StateClient(broker());
    }

    private void startJournaled(final ViewConfig.Window window) {
        start(builder -> builder.journal(JournalConfig.in(directory.toString())
                        .withFileLength(64 * 1024)
                        .withSnapshots(20_000, 0))
                .topic(TopicConfig.topic("trades", "json"))
                .view(VIEW.over(window)));
    }

    private void restart(final ViewConfig.Window window, final long downMs) {
        broker().close();
        broker = null;
        clock.advance(TimeUnit.MILLISECONDS.toNanos(downMs));
        startJournaled(window);
    }

    private void advance(final long ms) {
        clock.advance(TimeUnit.MILLISECONDS.toNanos(ms));
        broker().settle();
    }

    private void publish(final String message) {
        publishTo("trades", message);
    }

    private void publishTo(final String topic, final String message) {
        client().publish(topic, message);
        client().flush();
    }

    private TestBroker broker() {
        return Objects.requireNonNull(broker);
    }

    private StateClient client() {
        return Objects.requireNonNull(client);
    }
}
