package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.event.Event;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.monitor.Administrator;
import io.penstock.broker.monitor.ColumnInfo;
import io.penstock.client.SowRequest;
import io.penstock.format.FieldPath;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Columns that the configuration names are there before a query wants them; an administrator lists and drops columns. */
@Timeout(60)
class NamedColumnsTest {
    private static final int ROW_COUNT = 5_000;
    private static final TopicConfig TOPIC = TopicConfig.keyed("o", "json", "id");
    private static final Administrator ADMINISTRATOR = new Administrator("test", "", "test", true);

    /** For the rows' columns of 3 blocks, one field, and less than a part. */
    private static final long LENGTH_OF_ONE = 3 * (16_640 + 6_144) + 4_096;

    private final List<Event> events = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    private TestBroker test;
    private Reader client;

    @AfterEach
    void close() {
        if (test != null) {
            test.close();
        }
    }

    private void start(final TopicConfig topic) {
        start(topic, builder -> builder);
    }

    private void start(final TopicConfig topic, final UnaryOperator<BrokerConfig.Builder> configure) {
        test = new TestBroker(builder -> configure.apply(builder.topic(topic).events(events::add)));
        client = new Reader(test);
        test.settle();
    }

    private static UnaryOperator<BrokerConfig.Builder> columnLengthMax(final long value) {
        return builder -> builder.state(
                new StateConfig(64 << 20, 1 << 20, 16 << 20, 1, StateConfig.QUERY_TIMEOUT_MS_DEFAULT, 64 << 20, value));
    }

    private void publish(final int count) {
        publish(count, "");
    }

    private void publish(final int count, final String more) {
        for (int i = 0; i < count; i++) {
            client.publish(
                    "o",
                    "{\"id\":" + i + ",\"v\":" + i % 500 + ",\"w\":" + i % 300 + ",\"s\":\"S" + i % 20 + "\",\"t\":\""
                            + more + "\"}");
        }
        client.flush();
    }

    /** Long enough for columns to be made, and for those that were dropped to be freed. */
    private void keep() {
        pass(1_250);
    }

    private void pass(final int ms) {
        for (int i = 0; i < ms; i += 250) {
            test.clock.advance(TimeUnit.MILLISECONDS.toNanos(250));
            test.settle();
        }
    }

    private String explain(final String filter) {
        return client.explain(SowRequest.topic("o").filter(filter));
    }

    private List<ColumnInfo> columns() {
        return test.broker.monitor().columns("o");
    }

    private List<String> listed() {
        return columns().stream()
                .map(each -> each.field()
                        + (each.isNamed() ? " named " : " ")
                        + each.rows()
                        + (each.isGoing() ? " going" : ""))
                .toList();
    }

    private int drop(final String field) {
        return test.broker.monitor().dropColumns("o", FieldPath.of(field), ADMINISTRATOR);
    }

    private List<String> lines(final EventKind kind) {
        test.cycle();
        return events.stream()
                .filter(event -> event.kind() == kind)
                .map(Event::toString)
                .toList();
    }

    @Test
    void shouldBeThereBeforeAQueryWhenNamed() {
        start(TOPIC.withColumns("v, s"));
        publish(ROW_COUNT);
        assertThat(columns()).allMatch(each -> each.scans() == 0 && each.idleNs() < 0);
        keep();
        assertThat(listed()).containsExactly("s named 5000", "v named 5000");
        assertThat(test.broker.counter("columnLength"))
                .isGreaterThan(columns().stream().mapToLong(ColumnInfo::length).sum());

        assertThat(explain("v > 400 AND s LIKE 'S1%'"))
                .contains("looked at 5000 records", "read 0", "3 of 3 blocks by columns");
        assertThat(columns()).allMatch(each -> each.scans() == 1 && each.idleNs() == 0);
        pass(1_000);
        assertThat(columns()).allMatch(each -> each.idleNs() >= 1_000_000_000L);
        assertThat(columns()).extracting(ColumnInfo::texts).containsExactly(20, 0);
    }

    @Test
    void shouldBeBroughtUpToDateWhenRowsChange() {
        start(TOPIC.withColumns("v"));
        publish(ROW_COUNT);
        keep();
        for (int i = 0; i < 300; i++) {
            client.publish("o", "{\"id\":" + i + ",\"v\":" + 1_000 + "}");
        }
        assertThat(client.delete("o", "id = 4000")).isOne();
        keep();
        assertThat(listed()).contains("v named 4999");
        assertThat(explain("v = 1000")).contains("300 matched, read 0");
    }

    @Test
    void shouldBeMadeAgainAtTheStart() {
        final UnaryOperator<BrokerConfig.Builder> journaled = builder ->
                builder.journal(JournalConfig.in(directory.toString()).withFileLength(256 * 1024));
        start(TOPIC.withColumns("v, s"), journaled);
        publish(ROW_COUNT);
        test.close();
        events.clear();
        start(TOPIC.withColumns("v, s"), journaled);
        test.settle();

        assertThat(listed()).containsExactly("s named 5000", "v named 5000");
        assertThat(lines(EventKind.COLUMNS_MADE))
                .singleElement()
                .asString()
                .contains("topic=o", "fields=\"v, s\"", "rows=5000");
        assertThat(explain("v > 400 AND s LIKE 'S1%'")).contains("read 0");
    }

    @Test
    void shouldBeThereWhenARuleNamesThem() {
        start(new TopicConfig(".", true, "json", TopicConfig.SHARD_BY_HASH, "id", 0, true, "v"));
        publish(ROW_COUNT);
        keep();
        assertThat(listed()).containsExactly("v named 5000");
        assertThat(test.broker.monitor().columns("")).hasSize(1);
        assertThat(test.broker.monitor().columns("p")).isEmpty();
    }

    @Test
    void shouldFollowTheConfigurationWhenItIsReadAgain() {
        start(TOPIC);
        publish(ROW_COUNT);
        explain("w > 3");
        assertThat(listed()).containsExactly("w 5000");

        assertThat(reload(TOPIC.withColumns("v, w")).applied())
                .singleElement()
                .asString()
                .contains("columns=v, w");
        keep();
        assertThat(listed()).containsExactly("v named 5000", "w named 5000");
        reload(TOPIC.withColumns("v"));
        keep();
        assertThat(listed()).containsExactly("v named 5000", "w 5000");
        reload(TOPIC);
        keep();
        assertThat(listed()).containsExactly("v 5000", "w 5000");
    }

    @Test
    void shouldNotRestWhenTheConfigurationIsReadAgain() {
        start(TOPIC);
        publish(ROW_COUNT);
        keep();
        reload(TOPIC.withColumns("v"));
        test.settle();
        assertThat(listed()).containsExactly("v named 5000");
        reload(TOPIC.withColumns("w"));
        test.settle();
        assertThat(listed()).containsExactly("v 5000", "w named 5000");
    }

    private ReloadReport reload(final TopicConfig topic) {
        return test.broker.reload(
                test.broker.config().toBuilder().topics(List.of(topic)).build());
    }

    @Test
    void shouldNotGiveWayToThoseOfQueries() {
        start(TOPIC.withColumns("v"), columnLengthMax(LENGTH_OF_ONE + 3 * 6_144));
        publish(ROW_COUNT);
        keep();
        for (int i = 0; i < 2; i++) {
            pass(11_000);
            assertThat(explain("w > 3")).contains("read 5000");
            assertThat(explain("w > 4")).contains("read 0");
            pass(11_000);
            assertThat(explain("id > 3")).contains("read 5000");
        }
        assertThat(listed()).containsExactly("id 5000", "v named 5000");
    }

    @Test
    void shouldSayWhatHasNoMemory() {
        start(TOPIC.withColumns("v, w"), columnLengthMax(LENGTH_OF_ONE));
        publish(ROW_COUNT);
        keep();
        keep();
        assertThat(listed()).contains("v named 5000");
        assertThat(lines(EventKind.COLUMNS_SHORT))
                .singleElement()
                .asString()
                .contains("without=w", "state.columnLengthMax");
        assertThat(explain("v > 3")).contains("read 0");
        assertThat(test.broker.counter("columnLength")).isLessThanOrEqualTo(LENGTH_OF_ONE);
    }

    @Test
    void shouldNotSayThatADroppedColumnHasNoMemory() {
        start(TOPIC.withColumns("v, w, s"), columnLengthMax(LENGTH_OF_ONE));
        publish(ROW_COUNT);
        test.clock.advance(TimeUnit.SECONDS.toNanos(1));
        // There was no memory for the one before.
        while (columns().stream().noneMatch(each -> each.field().equals("s"))) {
            test.cycle();
        }
        assertThat(drop("w")).isEqualTo(1);
        keep();

        assertThat(lines(EventKind.COLUMNS_SHORT)).singleElement().asString().contains("without=s ");
    }

    @Test
    void shouldTakeTheMemoryOfColumnsThatNobodyUses() {
        start(TOPIC, columnLengthMax(LENGTH_OF_ONE));
        publish(ROW_COUNT);
        explain("w > 3");
        reload(TOPIC.withColumns("v"));
        keep();
        assertThat(lines(EventKind.COLUMNS_SHORT)).hasSize(1);
        pass(12_000);
        keep();
        assertThat(listed()).containsExactly("v named 5000");
        assertThat(explain("v > 3")).contains("read 0");
    }

    @Test
    void shouldBeMadeAgainByAQueryWhenDropped() {
        start(TOPIC.withColumns("v"));
        publish(ROW_COUNT);
        explain("w > 3");
        keep();
        assertThat(drop("w")).isEqualTo(1);
        assertThat(drop("w")).as("going").isZero();
        test.settle();
        assertThat(listed()).containsExactly("v named 5000");
        assertThat(explain("w > 3")).contains("read 5000");
        assertThat(explain("w > 4")).contains("read 0");
        assertThat(test.broker.counter("columnsDropped")).isEqualTo(1);
        assertThat(lines(EventKind.ADMINISTRATION)).singleElement().asString().contains("drop columns of o: /w");
        assertThat(test.broker.monitor().dropColumns("none", null, ADMINISTRATOR))
                .isZero();
    }

    @Test
    void shouldNotBeMadeAheadAgainWhenANamedOneIsDropped() {
        start(TOPIC.withColumns("v, s"));
        publish(ROW_COUNT);
        explain("w > 3");
        keep();
        final Administrator by = ADMINISTRATOR;
        assertThat(test.broker.monitor().dropColumns("o", null, by)).isEqualTo(3);
        keep();
        assertThat(listed()).isEmpty();
        assertThat(test.broker.counter("columnLength")).isZero();
        publish(10);
        keep();
        assertThat(listed()).isEmpty();
        assertThat(explain("v > 3")).contains("read 5000");
        assertThat(listed()).containsExactly("v 5000");
        reload(TOPIC.withColumns("v"));
        keep();
        assertThat(listed()).containsExactly("v named 5000");
    }

    @Test
    void shouldGoWhenTheLastQueryIsDoneWithIt() {
        start(TOPIC);
        publish(ROW_COUNT, "t".repeat(500));
        explain("v >= 0");
        client.paused = true;
        client.offer(() -> client.session.offerSow(
                7, SowRequest.topic("o").filter("v >= 0").batchSize(10)));
        test.settle();
        final Reader other = new Reader(test);
        assertThat(drop("v")).isEqualTo(1);
        keep();
        assertThat(listed()).containsExactly("v 5000 going");
        assertThat(other.explain(SowRequest.topic("o").filter("v >= 2"))).contains("read 5000");
        assertThat(other.explain(SowRequest.topic("o").filter("v >= 3"))).contains("read 0");
        assertThat(listed()).containsExactlyInAnyOrder("v 5000 going", "v 5000");
        client.paused = false;
        test.settle();
        keep();
        assertThat(client.deliveries.stream().filter(each -> each.id() == 7)).hasSize(ROW_COUNT);
        assertThat(listed()).containsExactly("v 5000");
    }

    @Test
    void shouldGoWithTheTopic() {
        start(new TopicConfig("o.*", true, "json", TopicConfig.SHARD_BY_HASH, "id", 0, true, "v"));
        publish(ROW_COUNT);
        keep();
        assertThat(columns()).hasSize(1);
        test.logOn("raw").deleteTopic(2, "o");
        test.settle();
        keep();
        assertThat(columns()).isEmpty();
        assertThat(test.broker.counter("columnLength")).isZero();
        publish(100);
        keep();
        assertThat(listed()).containsExactly("v named 100");
    }

    @Test
    void shouldSayWhatIsWrongWithTheConfiguration() {
        assertThatThrownBy(() -> TopicConfig.topic("o", "json").withColumns("v"))
                .hasMessage("topics.columns: a topic without state: o (give its key, or leave this out)");
        assertThat(mistakes(builder -> builder.topic(TOPIC.withColumns("v,"))))
                .singleElement()
                .asString()
                .startsWith("topics: o: columns: expected");
        assertThat(mistakes(builder -> columnLengthMax(0).apply(builder.topic(TOPIC.withColumns("v")))))
                .containsExactly(
                        "topics: o: columns: there is no memory for any (raise state.columnLengthMax, or leave this"
                                + " out)");
        assertThat(mistakes(builder -> builder.topic(TOPIC.withColumns("v, /s/t"))))
                .isEmpty();
    }

    private static List<String> mistakes(final UnaryOperator<BrokerConfig.Builder> configure) {
        return ConfigCheck.settings(configure.apply(BrokerConfig.builder()).build()).stream()
                .map(ConfigCheck.Finding::text)
                .toList();
    }

    /** A client that keeps explanations. */
    private static final class Reader extends StateClient {
        private final StringBuilder text = new StringBuilder();

        Reader(final TestBroker broker) {
            super(broker);
        }

        @Override
        public void onExplanation(final long commandId, final long queryId, final String part) {
            text.append(part);
        }

        private String explain(final SowRequest request) {
            text.setLength(0);
            sow(request.explain());
            return text.toString();
        }
    }
}
