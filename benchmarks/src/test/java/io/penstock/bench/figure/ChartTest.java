package io.penstock.bench.figure;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bench.DrawnChart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChartTest {
    private static final Pattern STROKE = Pattern.compile("\\.s(\\d) \\{ stroke: (#[0-9a-f]{6});");

    @TempDir
    private Path folder;

    @Test
    void shouldDrawAPointForEachValueThatThereIs() throws IOException {
        final Chart chart = new Chart("R & D", "step", List.of("1", "2", "3"));
        chart.panel("a < b", Map.of("one", new double[] {1, Double.NaN, 3}));
        chart.panel("b", Map.of("one", new double[] {0, 0, 0}));

        final DrawnChart drawn = drawn(chart);

        assertThat(drawn.points())
                .containsExactly("one", "one, 1: 1", "one, 3: 3", "one, 1: 0", "one, 2: 0", "one, 3: 0");
        assertThat(chart.svg()).containsPattern("class=\"line s0\" d=\"M[0-9.]+ [0-9.]+ M[0-9.]+ [0-9.]+\"");
        assertThat(drawn.texts("title")).containsExactly("R & D");
        assertThat(drawn.texts("panel")).containsExactly("a < b", "b");
    }

    @Test
    void shouldHaveEqualDistancesForEqualFactorsWhenStepsAreNumbers() {
        final Chart chart = Chart.ofCurve("some", "rows", List.of(Step.of(1), Step.of(100), Step.of(1_000)));
        chart.panel("each", Map.of("one", new double[] {1_000, 10, 1}));

        final List<MatchResult> found = Pattern.compile("class=\"point p0\" transform=\"translate\\((\\S+) (\\S+)\\)")
                .matcher(chart.svg())
                .results()
                // The first one is that of the legend.
                .skip(1)
                .toList();

        for (int axis = 1; axis <= 2; axis++) {
            final double first = Double.parseDouble(found.get(0).group(axis));
            final double second = Double.parseDouble(found.get(1).group(axis));
            final double third = Double.parseDouble(found.get(2).group(axis));
            assertThat((second - first) / (third - second)).isBetween(1.98, 2.02);
        }
    }

    @Test
    void shouldStandOutFromThePaperInLightAndInDark() {
        final String svg = new Chart("some", "step", List.of("1")).svg();
        final int dark = svg.indexOf("prefers-color-scheme: dark");

        assertThat(dark).isPositive();
        assertColours(svg.substring(0, dark), 1.0);
        assertColours(svg.substring(dark), luminance("#0d1117"));
    }

    private static void assertColours(final String style, final double paper) {
        final List<MatchResult> colours = STROKE.matcher(style).results().toList();
        assertThat(colours).hasSize(Svg.SERIES_COUNT);
        for (final MatchResult colour : colours) {
            final double luminance = luminance(colour.group(2));
            final double contrast = (Math.max(paper, luminance) + 0.05) / (Math.min(paper, luminance) + 0.05);
            assertThat(contrast).as(colour.group()).isGreaterThan(3);
        }
    }

    /** As WCAG defines it. */
    private static double luminance(final String colour) {
        final double[] parts = new double[3];
        for (int i = 0; i < parts.length; i++) {
            final double part = Integer.parseInt(colour.substring(1 + 2 * i, 3 + 2 * i), 16) / 255.0;
            parts[i] = part <= 0.03928 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    }

    private DrawnChart drawn(final Chart chart) throws IOException {
        return DrawnChart.read(Files.writeString(folder.resolve("chart.svg"), chart.svg()));
    }
}
