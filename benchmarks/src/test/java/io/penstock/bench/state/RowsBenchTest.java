package io.penstock.bench.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bench.BenchRun;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowsBenchTest {
    private static final String SHORT = "--rows 3000 --rounds 1 --rate 2000/s --publish-seconds 0.2";

    @Test
    void shouldReportEveryFigureWhenAllQueriesAreMeasured() throws IOException {
        BenchRun.assumePlainLoops();

        final Map<String, @Nullable Object> figures = BenchRun.figures(new StateBenchCommand(), SHORT);

        assertThat(figures).containsEntry("rows", 3_000.0).containsKey("query");
        assertPositive(figures, "clock_ghz", "matches", "message_bytes", "bytes_per_row");
        for (final String name : List.of("scan", "group_by", "order_by_top_n", "update")) {
            assertPositive(
                    figures,
                    name + ".rows_per_s",
                    name + ".rows_per_core_per_ghz",
                    name + ".plain_rows_per_core_per_ghz",
                    name + ".ratio_to_plain");
        }
        assertPositive(
                figures,
                "load.rows_per_s",
                "queries_together.evaluations_per_s",
                "queries_together.plain_evaluations_per_s",
                "index.msgs_per_core_per_ghz",
                "index.ratio_to_plain",
                "scan_beside_updates.scan_ratio_to_quiet",
                "scan_beside_updates.updates_ratio_to_quiet",
                "publish_beside_queries.quiet_p50_us",
                "publish_beside_queries.p50_us",
                "publish_beside_queries.p99_us",
                "publish_beside_queries.p999_us",
                "publish_beside_queries.p99_ratio",
                "scan_on_threads.ratio_to_one_thread");
    }

    @Test
    void shouldMeasureNothingElseWhenSomeQueriesAreNamed() throws IOException {
        BenchRun.assumePlainLoops();

        final Map<String, @Nullable Object> figures =
                BenchRun.figures(new StateBenchCommand(), SHORT + " --queries scan,group --selectivity 0.2 --seed 7");

        assertThat(figures).containsKeys("scan.rows_per_s", "group_by.rows_per_s");
        assertThat(figures).doesNotContainKeys("order_by_top_n.rows_per_s", "index.msgs_per_s", "update.rows_per_s");
        assertThat((Double) figures.get("matches")).isBetween(400.0, 800.0);
    }

    @Test
    void shouldAnswerAsDuckDbDoesWhenItsDriverIsThere() throws IOException {
        BenchRun.assumePlainLoops();
        Assumptions.assumeTrue(DuckRows.isThere(null), "the driver of DuckDB is not on the class path (-Pduckdb)");

        final Map<String, @Nullable Object> figures =
                BenchRun.figures(new StateBenchCommand(), SHORT + " --queries scan,together,group,top --beside duckdb");

        assertPositive(
                figures,
                "scan.duckdb_rows_per_s",
                "queries_together.ratio_to_duckdb",
                "group_by.ratio_to_duckdb",
                "order_by_top_n.ratio_to_duckdb");
    }

    @Test
    void shouldFailWhenAnswersDiffer() throws IOException {
        BenchRun.assumePlainLoops();
        final RowQuery query = RowQuery.list(1, 0.1).get(0);
        try (PlainRows one = PlainRows.load(2_000, 1);
                PlainRows other = PlainRows.load(2_000, 2)) {
            RowsRun.agree("same", one, one.groups(), one, one.groups());

            assertThatThrownBy(() -> RowsRun.agree("counts", one, one.count(query), other, other.count(query)))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("answers differ: counts: plain");
            assertThatThrownBy(() -> RowsRun.agree("groups", one, one.groups(), other, other.groups()))
                    .isInstanceOf(CommandFailure.class);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --queries scan,x | --queries: no such choice: x (use scan, together, group, top, updates, publish, index, threads)
                    --selectivity 1.1 | --selectivity: out of range: 1.1 (use 1.0E-7 to 1)
                    --threads 1 | --threads: out of range: 1 (use 2 to 64)
                    --together 65 | --together: out of range: 65 (use 1 to 64)
                    --rate 20000000/s | --rate: out of range: 20000000 (use 1 to 10000000)
                    --publish-seconds 0 | --publish-seconds: out of range: 0 (use 0.1 to 600)
                    --beside x | --beside: no such choice: x (use duckdb)
                    --duckdb-jar x.jar | --duckdb-jar: DuckDB is not asked (give --beside duckdb)
                    --beside duckdb --duckdb-jar x.jar | --duckdb-jar: no such file: x.jar
                    --store --seed 2 | --seed: does not go with --store (leave one out)
                    --store --updates-per-second 2 | --store: there is no broker to update (leave out --updates-per-second)
                    --updates-per-second 2 --queries scan | --queries: does not go with --updates-per-second (leave one out)
                    """)
    void shouldNameWhatIsWrongWhenOptionsAreBad(final String options, final String message) {
        assertThatThrownBy(() -> BenchRun.run(new StateBenchCommand(), options))
                .isInstanceOf(CommandFailure.class)
                .hasMessage(message);
    }

    private static void assertPositive(final Map<String, @Nullable Object> figures, final String... names) {
        for (final String name : names) {
            assertThat(figures).containsKey(name);
            assertThat((Double) figures.get(name)).as(name).isPositive();
        }
    }
}
