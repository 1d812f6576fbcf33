package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("one-jdk")
class BenchTest {
    private static final String ORDERS =
            Path.of("..", "..", "examples", "data", "orders-183.ndjson").toString();

    /** A machine that stands still for a moment keeps no rate. */
    private static final int TRIES = 5;

    @Test
    void shouldReportEveryFigureWhenMessagesHaveARate() throws Exception {
        Penstock.Result result = measureAtARate();
        for (int i = 1; i < TRIES && Math.abs(figure(result, "msgs_per_s") - 2_000) > 200; i++) {
            result = measureAtARate();
        }

        assertThat(figure(result, "msgs_per_s")).isBetween(1_800.0, 2_200.0);
        assertThat(figure(result, "deliveries_per_s")).isBetween(1_800.0, 2_200.0);
        assertThat(figure(result, "copies_per_msg")).isBetween(1.0, 4.0);
        assertThat(figure(result, "broker_cpu_us_per_msg")).isPositive();
        assertThat(figure(result, "broker_allocated_bytes_per_msg")).isNotNegative();
        assertThat(figure(result, "p50_us")).isPositive().isLessThanOrEqualTo(figure(result, "p99_us"));
        assertThat(figure(result, "p99_us")).isLessThanOrEqualTo(figure(result, "p999_us"));
        assertThat(figure(result, "p9999_us")).isLessThanOrEqualTo(figure(result, "max_us"));
        assertThat(figure(result, "slowest5pct_mean_us")).isGreaterThanOrEqualTo(figure(result, "p50_us"));
    }

    private static Penstock.Result measureAtARate() throws Exception {
        final Penstock.Result result =
                Penstock.measure("--rate", "2000/s", "--seconds", "1", "--warm-up", "0.2", "--json");
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result;
    }

    @Test
    void shouldDeliverToEachSubscriberWhatMatchesWhenThereIsAFilter() throws Exception {
        final Penstock.Result result = Penstock.measure(
                "--input",
                ORDERS,
                "--format",
                "json",
                "--filter",
                "symbol = 'IBM' AND price > 100 AND side IN ('B','S')",
                "--subscribers",
                "2",
                "--transport",
                "inproc",
                "--seconds",
                "1",
                "--warm-up",
                "0.2",
                "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(figure(result, "deliveries_per_s")).isPositive().isLessThan(figure(result, "msgs_per_s"));
    }

    @Test
    void shouldForwardEveryMessageOfAnyLengthWhenMeasuredBesideAForwarder() throws Exception {
        for (final String payload : List.of("8", "100", "100000")) {
            final Penstock.Result result = Penstock.measure(
                    "--beside",
                    "forwarder",
                    "--payload",
                    payload,
                    "--subscribers",
                    "2",
                    "--rounds",
                    "1",
                    "--seconds",
                    "1",
                    "--warm-up",
                    "0.2",
                    "--json");

            assertThat(result.exitCode()).as(result.err()).isZero();
            assertThat(result.out()).contains("\"forwarder\"").contains("\"ratio\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "dedicated", "invoker"})
    void shouldDeliverALogBesideAPlainLoop(final String threading) throws Exception {
        final Penstock.Result result = Penstock.measure(
                "journal",
                "--replay",
                "20000",
                "--rounds",
                "2",
                "--threading",
                threading,
                "--idle",
                "blocking",
                "--directory",
                System.getProperty("java.io.tmpdir"),
                "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(figure(result, "messages")).isEqualTo(20_000);
        assertThat(figure(result, "messages_per_s")).isPositive();
        assertThat(figure(result, "raw_messages_per_s")).isPositive();
        assertThat(figure(result, "ratio_to_raw_median")).isPositive();
        assertThat(figure(result, "subscriber_cpu_ns_per_msg")).isPositive();
        assertThat(result.out().contains("replayer_cpu_ns_per_msg")).isNotEqualTo(threading.equals("invoker"));
    }

    @Test
    void shouldStartFromTheLogsOfSeveralShards() throws Exception {
        final Penstock.Result result = Penstock.measure(
                "journal",
                "--recover",
                "20000",
                "--keys",
                "100",
                "--shards",
                "2",
                "--rounds",
                "1",
                "--directory",
                System.getProperty("java.io.tmpdir"),
                "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(figure(result, "messages")).isEqualTo(20_000);
        assertThat(figure(result, "shards")).isEqualTo(2);
        assertThat(figure(result, "start_s")).isPositive();
    }

    @Test
    void shouldNameWhatIsWrongWhenALogIsToBeStartedFromAndDelivered() throws Exception {
        final Penstock.Result result = Penstock.run("bench", "journal", "--replay", "10", "--recover", "10");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .isEqualTo(
                        "penstock bench journal: --replay: goes with neither --recover nor --keys (leave those out)");
    }

    @Test
    void shouldNameWhatIsMissingWhenAFilterHasNoFields() throws Exception {
        final Penstock.Result result = Penstock.run("bench", "--filter", "a > 1");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .isEqualTo("penstock bench: --filter: the payload is opaque (give --input FILE with --format json)");
    }

    @Test
    void shouldCompareAStoreWithPlainLoopsWhenAskedForItAlone() throws Exception {
        final Penstock.Result result =
                Penstock.measure("state", "--store", "--rows", "20000", "--rounds", "1", "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(figure(result, "rows")).isEqualTo(20_000);
        assertThat(figure(result, "matches")).isBetween(2_000.0, 6_000.0);
        assertThat(figure(result, "key_and_message_bytes")).isBetween(150.0, 210.0);
        assertThat(figure(result, "scan_ratio_to_filter_in_cache")).isPositive();
        assertThat(figure(result, "scan_two_threads_ratio")).isPositive();
        for (final String name : List.of("load", "lookup", "scan", "order_by_top_n", "group_by", "update")) {
            assertThat(result.out()).contains("\"" + name + "\":{\"");
        }
    }

    @Test
    void shouldQueryABrokerBesidePlainLoopsWhenAskedForState() throws Exception {
        final Penstock.Result result = Penstock.measure(
                "state", "--rows", "3000", "--rounds", "1", "--queries", "scan,together,group", "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(figure(result, "rows")).isEqualTo(3_000);
        assertThat(figure(result, "clock_ghz")).isPositive();
        assertThat(figure(result, "plain_rows_per_core_per_ghz")).isPositive();
        for (final String name : List.of("load", "scan", "queries_together", "group_by")) {
            assertThat(result.out()).contains("\"" + name + "\":{\"");
        }
    }

    @Test
    void shouldMatchMessagesBesidePlainLoopsWhenThereAreManySubscriptions() throws Exception {
        final Penstock.Result result = Penstock.measure(
                "match",
                "--subscriptions",
                "200",
                "--kind",
                "mixed",
                "--rounds",
                "1",
                "--publish-seconds",
                "0.2",
                "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(figure(result, "subscriptions")).isEqualTo(200);
        assertThat(figure(result, "msgs_per_core_per_ghz")).isPositive();
        assertThat(figure(result, "sample_matches")).isPositive();
    }

    @Test
    void shouldFindEveryAnswerRightWhenStateIsUpdatedMeanwhile() throws Exception {
        final Penstock.Result result =
                Penstock.measure("state", "--rows", "5000", "--updates-per-second", "2000", "--seconds", "1", "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(figure(result, "updates")).isGreaterThan(2_000);
        assertThat(figure(result, "checked_values")).isGreaterThan(100);
        assertThat(figure(result, "cycles")).isPositive();
        assertThat(figure(result, "max_us")).isPositive();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --rows 10 | --rows: out of range: 10 (use 1000 to 100000000)
                    --rounds 0 | --rounds: out of range: 0 (use 1 to 100)
                    --seconds 5 | --seconds: nothing is timed so (give --updates-per-second too, or leave it out)
                    --updates-per-second 0 | --updates-per-second: out of range: 0 (use 1 to 10000000)
                    --updates-per-second 9 --rounds 2 | --rounds: there is one round with --updates-per-second (give --seconds)
                    --updates-per-second 9 --threading x | --threading: no such choice: x (use shared or dedicated)
                    """)
    void shouldNameWhatIsWrongWhenStateCannotBeMeasuredSo(final String options, final String message) throws Exception {
        final Penstock.Result result = Penstock.run(("bench state " + options).split(" ", -1));

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).isEqualTo("penstock bench state: " + message);
    }

    @Test
    void shouldPairRoundsWhenQueriesAreAskedFor() throws Exception {
        final Penstock.Result result = Penstock.measure(
                "--keys",
                "2000",
                "--rate",
                "1000/s",
                "--queries",
                "1",
                "--rounds",
                "1",
                "--seconds",
                "1",
                "--warm-up",
                "0.2",
                "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("\"with_queries\":{\"queries_per_s\":");
        assertThat(figure(result, "queries_per_s")).isPositive();
        assertThat(figure(result, "p99_ratio_median")).isPositive();
    }

    @Test
    void shouldPairRoundsWhenFiltersAreAskedFor() throws Exception {
        final Penstock.Result result = Penstock.measure(
                "--rate",
                "1000/s",
                "--filters",
                "200",
                "--rounds",
                "1",
                "--seconds",
                "1",
                "--warm-up",
                "0.2",
                "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("\"with_filters\":{\"filters_per_s\":");
        assertThat(figure(result, "filters_per_s")).isPositive();
        assertThat(figure(result, "p999_ratio_median")).isPositive();
    }

    @Test
    void shouldPairRoundsWhenIdleConnectionsAreAskedFor() throws Exception {
        final Penstock.Result result = Penstock.measure(
                "--rate",
                "1000/s",
                "--idle-connections",
                "5",
                "--rounds",
                "1",
                "--seconds",
                "1",
                "--warm-up",
                "0.2",
                "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(figure(result, "idle_connections")).isEqualTo(5);
        assertThat(figure(result, "p50_ratio_median")).isPositive();
    }

    @Test
    void shouldPairRoundsWhenSnapshotsAreAskedFor(@TempDir final Path directory) throws Exception {
        final Penstock.Result result = Penstock.measure(
                "--keys",
                "2000",
                "--rate",
                "1000/s",
                "--journal",
                directory.toString(),
                "--snapshots",
                "--rounds",
                "1",
                "--seconds",
                "1",
                "--warm-up",
                "0.2",
                "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(figure(result, "snapshots_per_s")).isPositive();
        assertThat(figure(result, "p99_ratio_median")).isPositive();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldCountEveryDeliveryWhenSubscriptionsFollowState() throws Exception {
        final Penstock.Result result = Penstock.measure(
                "fan-out", "--keys", "500", "--subscriptions", "5", "--seconds", "1", "--warm-up", "0.2", "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("\"share_5\":{\"subscriptions\":5,", "\"all_5\":{\"subscriptions\":5,");
        assertThat(figure(result, "matches_per_msg")).isEqualTo(1);
        assertThat(figure(result, "oof_per_msg")).isBetween(0.7, 0.9);
    }

    @Test
    void shouldCallTheBridgeBesidePlainRmi() throws Exception {
        final Penstock.Result result = Penstock.measure(
                "orb",
                "--kinds",
                "rmi,rmi_pooled",
                "--operations",
                "publish",
                "--threads",
                "2",
                "--sizes",
                "1KiB",
                "--warm-up",
                "0",
                "--ms",
                "20",
                "--rounds",
                "1",
                "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out().lines())
                .hasSize(4)
                .anyMatch(line -> line.startsWith("{\"kind\":\"plain\",\"operation\":\"publish\",\"threads\":2,"))
                .anyMatch(line -> line.contains("\"kind\":\"rmi_pooled\"") && line.contains("\"failed\":0"));
        assertThat(figure(result, "calls_per_s")).isPositive();
        assertThat(figure(result, "connections")).isEqualTo(2);
        assertThat(figure(result, "ratio")).isPositive();
        assertThat(figure(result, "rmi_ratio_geometric_mean")).isPositive();
        assertThat(figure(result, "rmi_pooled_server_threads_max")).isPositive();
        assertThat(figure(result, "failed_cells")).isZero();
    }

    /** What is named as a server ends at once. */
    @Test
    void shouldGoOnAndSayWhichCellsHaveFailedWhenAProcessEnds() throws Exception {
        final Penstock.Result result = Penstock.measure(
                "orb",
                "--kinds",
                "iiop",
                "--omniorb",
                "/bin/false",
                "--glassfish",
                Penstock.jar().toString(),
                "--operations",
                "echo",
                "--threads",
                "1",
                "--sizes",
                "1KiB,64KiB",
                "--rounds",
                "1",
                "--json");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out().lines().filter(line -> line.contains("\"failure\":\"")))
                .hasSize(4);
        assertThat(figure(result, "failed_cells")).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --warm-up -1 | bench: --warm-up: out of range: -1.0 (use 0 to 3600)
                    --queries 1 | bench: --queries: there is no state to query (give --keys)
                    --keys 9 --queries 1 --round-trip | bench: --queries: go with neither --idle-connections nor --round-trip (leave those out)
                    fan-out --subscriptions 1,1001 | bench fan-out: --subscriptions: out of range: 1001 (use 1 to 1000)
                    orb --threads 0 | bench orb: --threads: out of range: 0 (use 1 to 1000)
                    orb --kinds plain | bench orb: --kinds: no such choice: plain (use rmi, rmi_pooled or iiop)
                    orb --kinds iiop | bench orb: --omniorb: no program that calls by CORBA (make one: sh jmh/src/main/cpp/build.sh FOLDER)
                    orb --omniorb /no/such | bench orb: --omniorb: no program: /no/such (make one: sh jmh/src/main/cpp/build.sh FOLDER)
                    fan-out --keys 0 | bench fan-out: --keys: out of range: 0 (use 1 to 10000000)
                    """)
    void shouldNameWhatIsWrongWhenItCannotBeMeasuredSo(final String options, final String message) throws Exception {
        final Penstock.Result result = Penstock.run(("bench " + options).split(" ", -1));

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).isEqualTo("penstock " + message);
    }

    private static double figure(final Penstock.Result result, final String name) {
        final Matcher matcher = Pattern.compile("\"" + name + "\":([0-9.]+)").matcher(result.out());
        assertThat(matcher.find()).as("%s in %s", name, result.out()).isTrue();
        return Double.parseDouble(matcher.group(1));
    }
}
