package io.penstock.bench.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bench.BenchRun;
import io.penstock.bench.plain.PlainProgram;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatchBenchTest {
    @Test
    void shouldReportEveryFigureOfEachKindWhenAllAreMeasured() throws IOException {
        BenchRun.assumePlainLoops();

        final Map<String, @Nullable Object> figures = BenchRun.figures(
                new MatchBenchCommand(), "--subscriptions 300 --rounds 1 --publish-seconds 0.2 --seed 5");

        assertThat(figures).containsEntry("subscriptions", 300.0);
        assertPositive(figures, "clock_ghz");
        for (final String kind : List.of("equality", "range", "text", "mixed")) {
            assertPositive(
                    figures,
                    kind + ".sample_matches",
                    kind + ".msgs_per_s",
                    kind + ".msgs_per_core_per_ghz",
                    kind + ".plain_msgs_per_core_per_ghz",
                    kind + ".ratio_to_plain",
                    kind + ".subscribe_p50_us",
                    kind + ".subscribe_p99_us",
                    kind + ".unsubscribe_max_us",
                    kind + ".quiet_stall_us_max",
                    kind + ".stall_us_max");
            assertThat(figures).containsKey(kind + ".bytes_per_filter");
        }
        assertPositive(figures, "equality.lookup_msgs_per_s", "mixed.ratio_to_lookup");
        assertThat(figures).doesNotContainKeys("range.lookup_msgs_per_s", "text.lookup_msgs_per_s");
    }

    @Test
    void shouldMatchOnceForEachMessageWhenFiltersAreEqualities() throws IOException {
        BenchRun.assumePlainLoops();

        final Map<String, @Nullable Object> figures = BenchRun.figures(
                new MatchBenchCommand(), "--subscriptions 1 --kind equality --rounds 1 --publish-seconds 0.1");

        assertThat(figures).containsEntry("equality.matches_per_msg", 1.0);
        assertThat(figures.keySet()).noneMatch(name -> name.startsWith("range"));
    }

    @Test
    void shouldFailWhenFiltersMatchOthersThanThePlainLoopCounts() throws IOException {
        BenchRun.assumePlainLoops();
        final MatchPlan plan = new MatchPlan(100, List.of(MatchKind.RANGE), 1, 0.1, 1);
        try (PlainProgram plain = PlainProgram.start(PlainProgram.MATCH)) {
            plain.ask(new MatchWorkload(MatchKind.RANGE, 100, 1, false).command());
            final double right = plain.ask("match 0 1000").number("count");
            plain.ask(new MatchWorkload(MatchKind.RANGE, 100, 2, false).command());

            assertThat(plain.ask("match 0 1000").number("count")).isNotEqualTo(right);
            assertThatThrownBy(() -> MatchRun.agree(plan.kinds().get(0), 1_000, (long) right, (long) right + 1))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("filters match 1000 messages, not");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --subscriptions 0 | --subscriptions: out of range: 0 (use 1 to 1000000)
                    --subscriptions 1000001 | --subscriptions: out of range: 1000001 (use 1 to 1000000)
                    --kind x | --kind: no such choice: x (use equality, range, text, mixed or all)
                    --rounds 0 | --rounds: out of range: 0 (use 1 to 100)
                    --publish-seconds 0 | --publish-seconds: out of range: 0 (use 0.1 to 600)
                    """)
    void shouldNameWhatIsWrongWhenOptionsAreBad(final String options, final String message) {
        assertThatThrownBy(() -> BenchRun.run(new MatchBenchCommand(), options))
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
