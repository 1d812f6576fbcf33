package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class BenchTest {
    private static final String ORDERS =
            Path.of("..", "..", "examples", "data", "orders-183.ndjson").toString();

    @Test
    void shouldReportEveryFigureWhenMessagesHaveARate() throws Exception {
        final Penstock.Result result = Penstock.run("bench", "--rate", "2000", "--seconds", "1", "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
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

    @Test
    void shouldDeliverToEachSubscriberWhatMatchesWhenThereIsAFilter() throws Exception {
        final Penstock.Result result = Penstock.run(
                "bench",
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
                "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(figure(result, "deliveries_per_s")).isPositive().isLessThan(figure(result, "msgs_per_s"));
    }

    @Test
    void shouldNameWhatIsMissingWhenAFilterHasNoFields() throws Exception {
        final Penstock.Result result = Penstock.run("bench", "--filter", "a > 1");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .isEqualTo("penstock bench: --filter: the payload is opaque (give --input FILE with --format json)");
    }

    private static double figure(final Penstock.Result result, final String name) {
        final Matcher matcher = Pattern.compile("\"" + name + "\":([0-9.]+)").matcher(result.out());
        assertThat(matcher.find()).as("%s in %s", name, result.out()).isTrue();
        return Double.parseDouble(matcher.group(1));
    }
}
