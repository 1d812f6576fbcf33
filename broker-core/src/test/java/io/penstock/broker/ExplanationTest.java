package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static io.penstock.broker.GuardedBroker.traders;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.PermissionRule;
import io.penstock.client.SowRequest;
import io.penstock.protocol.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients are told of how their queries were answered, and what not. */
@Timeout(60)
class ExplanationTest {
    private static final String SECRET = "desk = 'E' AND v < 1000000";
    private static final String FILTER = "v > 100 AND v * 2 < 400 AND HEADER('h') IS NULL AND s LIKE 'S1%'";

    private TestBroker test;
    private Explained root;
    private Explained trader;

    @AfterEach
    void close() {
        test.close();
    }

    private void start(final PermissionRule... rules) {
        test = GuardedBroker.start(traders(rules), builder -> builder.topic(TopicConfig.keyed("o", "json", "id")));
        root = new Explained(test, "root");
        trader = new Explained(test, "trader-E");
    }

    private void publish(final int first, final int count, final String desk) {
        for (int i = first; i < first + count; i++) {
            root.publish(
                    "o",
                    "{\"id\":" + i + ",\"desk\":\"" + desk + "\",\"v\":" + (i - first) % 500 + ",\"s\":\"S" + i % 20
                            + "\"}");
        }
        root.flush();
    }

    @Test
    void shouldSayWhatAnswersEachTest() {
        start(allow("read", "o", SECRET));
        publish(0, 6_000, "E");
        root.explain(SowRequest.topic("o").filter(FILTER));
        final String text = root.explain(
                SowRequest.topic("o").filter(FILTER).orderBy("v DESC").top(3));

        assertThat(text.lines().toList())
                .anyMatch(line -> line.matches("query: .*\\d+ us"))
                .anyMatch(line ->
                        line.matches("o in shard \\d: 6000 rows, looked at 6000 records, \\d+ matched, read \\d+"))
                .anyMatch(line -> line.matches("  rows: 3 of 3 blocks by columns, 0 passed over .*"))
                .contains("    all of")
                .contains("      v * 2 < 400: filter (arithmetic)")
                .contains("      HEADER('h') IS NULL: filter (header)")
                .anyMatch(line -> line.matches("      v > 100: column, values of \\d of 3 blocks"))
                .anyMatch(line -> line.matches("      s LIKE 'S1%': column, values of 3 of 3 blocks"))
                .anyMatch(line -> line.matches("  column s: text, \\d+ bytes, 20 texts"))
                .anyMatch(line -> line.matches("  column v: number, \\d+ bytes"))
                .contains("order: by keys of records that match, of which the first 3 are kept");
    }

    @Test
    void shouldSayThatBlocksArePassedOver() {
        start(allow("read", "o", SECRET));
        publish(0, 6_000, "E");
        root.explain(SowRequest.topic("o").filter("v > 5000"));

        assertThat(root.explain(SowRequest.topic("o").filter("v > 5000")))
                .contains("looked at 6000 records, 0 matched, read 0")
                .contains("rows: 3 of 3 blocks by columns, 3 passed over")
                .contains("v > 5000: column, values of 0 of 3 blocks");
    }

    @Test
    void shouldSayWhyThereAreNoColumns() {
        start(allow("read", "o", SECRET));
        publish(0, 100, "E");

        assertThat(root.explain(SowRequest.topic("o").filter("v > 10")))
                .contains("rows: by records (less than 4096 rows)")
                .contains("v > 10: filter (less than 4096 rows)");
        assertThat(root.explain(SowRequest.topic("o"))).contains("rows: by records (less than 4096 rows)");
        assertThat(root.explain(
                        SowRequest.topic("o").keys(List.of("{\"id\":1}")).filter("v > 0")))
                .contains("(keys are asked for)");
        publish(100, 5_000, "E");
        assertThat(root.explain(SowRequest.topic("o").filter("v * 2 > 10 OR LENGTH(s) > v")))
                .contains("rows: by records (no test that a column could answer)")
                .contains("any of")
                .contains("v * 2 > 10: filter (arithmetic)")
                .contains("LENGTH(s) > v: filter (function)");
    }

    @ParameterizedTest
    @ValueSource(strings = {FILTER, "v > 5000", "desk = 'W'", ""})
    void shouldTellNothingOfHiddenRecords(final String filter) {
        String before = null;
        for (final int hiddenCount : new int[] {0, 10, 5_000, 20_000}) {
            if (test != null) {
                test.close();
            }
            start(allow("read", "o", SECRET));
            publish(0, 50, "E");
            publish(1_000, hiddenCount, "W");
            for (int i = 0; i < 3; i++) {
                final String text = trader.explain(
                                SowRequest.topic("o").filter(filter).select("COUNT(*)"))
                        .replaceAll("\\d+ us", "? us");
                assertThat(text).isEqualTo(before == null ? text : before);
                before = text;
            }
        }
        assertThat(before)
                .contains("a condition of your permissions")
                .doesNotContain("1000000")
                .doesNotContain("desk = 'E'");
    }

    @Test
    void shouldTellNothingOfAnEmptyTopicThatMayNotBeSeen() {
        start(allow("read", "o", SECRET));
        final String before =
                trader.explain(SowRequest.topic("o").filter("v > 1")).replaceAll("\\d+ us", "");
        publish(0, 5_000, "W");

        assertThat(trader.explain(SowRequest.topic("o").filter("v > 1")).replaceAll("\\d+ us", ""))
                .isEqualTo(before)
                .contains("v > 1: column or filter");
    }

    @Test
    void shouldShowTheConditionToWhoMaySeePermissions() {
        start(allow("read", "o", SECRET), allow("admin-read", "*", ""));
        publish(0, 50, "E");
        publish(1_000, 5_000, "W");

        assertThat(trader.explain(SowRequest.topic("o").filter("v > 1")))
                .contains("a condition of your permissions")
                .contains("desk = 'E': column or filter")
                .contains("v < 1000000")
                .doesNotContain("5050")
                .doesNotContain("blocks");
    }

    @Test
    void shouldSayThatFieldsAreHidden() {
        start(allow("read", "o", "").hiding(List.of("s")));
        publish(0, 5_000, "E");

        assertThat(trader.explain(SowRequest.topic("o").filter("v > 1")))
                .contains("v > 1: filter (fields are hidden)")
                .doesNotContain("blocks");
    }

    @Test
    void shouldExplainWhatHasNoEndOfItsOwnPartByPart() {
        start(allow("read", "o", SECRET));
        publish(0, 10, "E");
        final StringBuilder filter = new StringBuilder("v * 2 > 0");
        for (int i = 1; i < 100; i++) {
            filter.append(" OR v * 2 > ").append(i).append(" + LENGTH('äöü€😀')");
        }

        final String text = root.explain(SowRequest.topic("o").filter(filter.toString()));
        assertThat(root.partCount).isGreaterThan(3);
        assertThat(text.lines().filter(line -> line.contains("v * 2 >")).count())
                .isEqualTo(100);
        assertThat(text).contains("äöü€😀").doesNotContain("\uFFFD");
    }

    @Test
    void shouldSendNoneWhenNotAskedOrWhenTheQueryFails() {
        start(allow("read", "o", SECRET));
        publish(0, 10, "E");
        root.sow(SowRequest.topic("o"));
        assertThat(root.partCount).isZero();
        trader.offer(() -> trader.session.offerSow(9, SowRequest.topic("none").explain()));
        test.settle();
        assertThat(trader.partCount).isZero();
        assertThat(trader.errors).extracting(each -> each.errorCode()).doesNotContain(ErrorCode.NOT_SUPPORTED);
    }

    /** A client that keeps the explanation of its last query. */
    static final class Explained extends StateClient {
        private final StringBuilder text = new StringBuilder();
        private int partCount;

        Explained(final TestBroker broker, final String user) {
            super(broker, user);
        }

        @Override
        public void onExplanation(final long commandId, final long queryId, final String part) {
            text.append(part);
            partCount++;
        }

        String explain(final SowRequest request) {
            text.setLength(0);
            sow(request.explain());
            return text.toString();
        }
    }
}
