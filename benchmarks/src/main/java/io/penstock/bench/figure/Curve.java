package io.penstock.bench.figure;

import io.penstock.standalone.console.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figures that are measured in steps, as JSON and as a chart. Confined to one thread. */
public final class Curve {
    private static final Map<String, String> TITLES =
            Map.of("", "Penstock", "plain", "loop in C", "lookup", "hash table in C", "duckdb", "DuckDB");

    private final String name;
    private final String title;
    private final String stepTitle;
    private final List<Step> steps;
    private final Map<String, Map<String, double[]>> panels = new LinkedHashMap<>();

    /**
     * Without figures.
     *
     * @param name      of its files.
     * @param title     of the chart.
     * @param stepTitle what the steps are.
     * @param steps     from the least to the greatest, above 0.
     */
    public Curve(final String name, final String title, final String stepTitle, final List<Step> steps) {
        this.name = name;
        this.title = title;
        this.stepTitle = stepTitle;
        this.steps = List.copyOf(steps);
    }

    /**
     * Adds a figure.
     *
     * @param step  one of the steps.
     * @param panel its title, with the unit.
     * @param line  its name.
     * @param value of the figure; NaN, or infinite, for none.
     */
    public void add(final Step step, final String panel, final String line, final double value) {
        panels.computeIfAbsent(panel, unused -> new LinkedHashMap<>())
                        .computeIfAbsent(line, unused -> {
                            final double[] values = new double[steps.size()];
                            Arrays.fill(values, Double.NaN);
                            return values;
                        })[steps.indexOf(step)] =
                Double.isFinite(value) ? value : Double.NaN;
    }

    /**
     * Adds what each source did, by CPU time.
     *
     * @param step   one of the steps.
     * @param panel  its title, with the unit.
     * @param figure that was measured.
     * @param unit   that paces are divided by: the clock in GHz, and as many things as one stands for.
     */
    public void add(final Step step, final String panel, final SourcedFigure figure, final double unit) {
        for (final String source : figure.sources()) {
            add(step, panel, TITLES.getOrDefault(source, source), figure.perCpuS(source) / unit);
        }
    }

    /**
     * Adds an object for each step, with all its figures: their panel, a colon, and their line.
     *
     * @param json that they are added to.
     * @return the same JSON.
     */
    public Json report(final Json json) {
        for (int i = 0; i < steps.size(); i++) {
            final int step = i;
            final Json figures = new Json();
            panels.forEach((panel, lines) ->
                    lines.forEach((line, values) -> Digits.field(figures, panel + ": " + line, values[step])));
            json.object(steps.get(i).name(), figures);
        }
        return json;
    }

    /**
     * Writes both files.
     *
     * @param directory that is made if it is not there.
     * @param json      the whole object, without its end.
     * @throws IOException when they cannot be written.
     */
    public void write(final Path directory, final String json) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve(name + ".json"), json + "\n");
        final Chart chart = Chart.ofCurve(title, stepTitle, steps);
        panels.forEach(chart::panel);
        Files.writeString(directory.resolve(name + ".svg"), chart.svg());
    }
}
