package io.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bench.match.MatchBenchCommand;
import io.penstock.bench.state.StateBenchCommand;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each curve, with so few rows and filters that only the charts are looked at. */
class CurvesTest {
    private static final List<String> ROW_SOURCES = List.of("Penstock", "loop in C");

    @TempDir
    private Path folder;

    @Test
    void shouldDrawEachQueryByRowsWhenRowsAreChanged() throws IOException {
        final DrawnChart chart = state("rows", "--rows 5000");

        assertThat(chart.texts("panel"))
                .containsExactlyInAnyOrder(
                        "count of those that a filter finds", "count and mean price by symbol", "the ten dearest");
        assertThat(chart.texts("text")).contains("rows of the topic", "1k", "5k");
        assertPoints(chart, 3, ROW_SOURCES, List.of("1k", "5k"));
    }

    @Test
    void shouldDrawFromFewToAllWhenSelectivityIsChanged() throws IOException {
        final DrawnChart chart = state("selectivity", "--rows 2000");

        assertThat(chart.texts("panel")).containsExactly("count of those that a filter finds");
        assertThat(chart.texts("text")).contains("part of 2,000 rows that the filter finds");
        assertPoints(chart, 1, ROW_SOURCES, List.of("0.01 %", "0.1 %", "1 %", "10 %", "100 %"));
    }

    @Test
    void shouldDrawUpTo64WhenQueriesAtOnceAreChanged() throws IOException {
        final DrawnChart chart = state("queries", "--rows 2000");

        assertThat(chart.texts("panel")).containsExactly("counts, each with a filter");
        assertThat(chart.texts("text")).contains("queries of 2,000 rows at once");
        assertPoints(chart, 1, ROW_SOURCES, List.of("1", "2", "4", "8", "16", "32", "64"));
    }

    @Test
    void shouldDrawDuckDbBesideWhenItsDriverIsThere() throws IOException {
        Assumptions.assumeTrue(
                getClass().getResource("/org/duckdb/DuckDBDriver.class") != null,
                "the driver of DuckDB is not on the class path (-Pduckdb)");

        final DrawnChart chart = state("selectivity", "--rows 2000 --beside duckdb");

        assertPoints(
                chart,
                1,
                List.of("Penstock", "loop in C", "DuckDB"),
                List.of("0.01 %", "0.1 %", "1 %", "10 %", "100 %"));
    }

    @Test
    void shouldDrawEachKindWhenFiltersAreChanged() throws IOException {
        BenchRun.assumePlainLoops();

        BenchRun.run(
                new MatchBenchCommand(), "--curve filters --subscriptions 30 --rounds 1 --json --output " + folder);

        final DrawnChart chart = DrawnChart.read(folder.resolve("match-filters.svg"));
        final List<String> steps = List.of("1", "10", "30");
        assertThat(chart.texts("panel")).containsExactly("equality", "range", "text", "mixed");
        assertThat(chart.texts("text")).contains("filters, each of a subscription", "hash table in C");
        assertThat(chart.points()).filteredOn(point -> !point.contains(": ")).hasSize(3);
        // The hash table finds equalities, which two kinds have.
        assertThat(chart.lines()).isEqualTo(4 * 2 + 2);
        for (final String step : steps) {
            assertThat(count(chart, "Penstock", step)).isEqualTo(4);
            assertThat(count(chart, "loop in C", step)).isEqualTo(4);
            assertThat(count(chart, "hash table in C", step)).isEqualTo(2);
        }
        assertThat(folder.resolve("match-filters.json")).content().contains("\"equality: Penstock\":");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --curve filters | --curve: no such choice: filters (use rows, selectivity, queries)
                    --output x | --output: there is no chart (give --curve)
                    """)
    void shouldSayWhatIsWrongWhenOptionsAreBad(final String options, final String message) {
        assertThatThrownBy(() -> BenchRun.run(new StateBenchCommand(), options))
                .isInstanceOf(CommandFailure.class)
                .hasMessage(message);
    }

    private DrawnChart state(final String curve, final String options) throws IOException {
        BenchRun.assumePlainLoops();
        final Path output = folder.resolve("charts");

        BenchRun.run(new StateBenchCommand(), options + " --rounds 1 --json --curve " + curve + " --output " + output);

        assertThat(output.resolve("state-" + curve + ".json")).content().contains("\"curve\":\"" + curve + "\"");
        return DrawnChart.read(output.resolve("state-" + curve + ".svg"));
    }

    /** That each panel has a line of each source, with a point for each step. */
    private static void assertPoints(
            final DrawnChart chart, final int panels, final List<String> sources, final List<String> steps) {
        assertThat(chart.lines()).isEqualTo((long) panels * sources.size());
        final List<String> expected = new ArrayList<>(sources);
        for (int panel = 0; panel < panels; panel++) {
            for (final String source : sources) {
                steps.forEach(step -> expected.add(source + ", " + step));
            }
        }
        assertThat(chart.points().stream().map(point -> point.replaceFirst(": [0-9].*", "")))
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(chart.texts("title")).singleElement().asString().endsWith("for each GHz");
    }

    private static long count(final DrawnChart chart, final String source, final String step) {
        return chart.points().stream()
                .filter(point -> point.startsWith(source + ", " + step + ": "))
                .count();
    }
}
