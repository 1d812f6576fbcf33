package io.penstock.bench.figure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;

/** Lines over steps, in panels side by side with one legend, as SVG that can be read in light and in dark. */
public final class Chart {
    private static final int PANEL_WIDTH = 420;
    private static final int PANEL_HEIGHT = 250;
    private static final int ALONE_WIDTH = 640;
    private static final int ALONE_HEIGHT = 340;
    private static final int LEFT = 68;
    private static final int RIGHT = 16;
    private static final int TOP = 34;
    private static final int BOTTOM = 46;
    private static final int HEAD = 64;
    private static final int MARGIN = 16;
    private static final double SPARE = 0.05;
    private static final String START = "start";
    private static final String TEXT = "text";

    private final String title;
    private final String stepTitle;
    private final List<String> labels;
    /** From 0 to 1; where the labels are. */
    private final double[] places;

    private final boolean isCurve;
    private final List<Panel> panels = new ArrayList<>();

    private record Panel(String title, Map<String, double[]> lines) {
        /** All values that there are. */
        double[] values() {
            return lines.values().stream()
                    .flatMapToDouble(Arrays::stream)
                    .filter(value -> !Double.isNaN(value))
                    .toArray();
        }
    }

    /** Where a panel's lines are, in pixels. */
    private record Plot(double left, double bottom, double width, double height) {}

    private Chart(
            final String title,
            final String stepTitle,
            final List<String> labels,
            final double[] places,
            final boolean isCurve) {
        this.title = title;
        this.stepTitle = stepTitle;
        this.labels = List.copyOf(labels);
        this.places = places;
        this.isCurve = isCurve;
    }

    /**
     * Without panels, over names in equal distances, with values from 0 on.
     *
     * @param title     of all.
     * @param stepTitle what the steps are.
     * @param steps     from left to right.
     */
    public Chart(final String title, final String stepTitle, final List<String> steps) {
        this(title, stepTitle, steps, even(steps.size()), false);
    }

    /**
     * Without panels, over numbers on a logarithmic axis, with values on such a one where they are far apart.
     *
     * @param title     of all.
     * @param stepTitle what the steps are.
     * @param steps     from the least to the greatest, above 0.
     * @return the chart.
     */
    static Chart ofCurve(final String title, final String stepTitle, final List<Step> steps) {
        final double[] values = steps.stream().mapToDouble(Step::value).toArray();
        final double first = values[0];
        final double last = values[values.length - 1];
        final double[] places = first == last
                ? even(values.length)
                : DoubleStream.of(values)
                        .map(value -> SPARE + (1 - 2 * SPARE) * Math.log(value / first) / Math.log(last / first))
                        .toArray();
        return new Chart(title, stepTitle, steps.stream().map(Step::label).toList(), places, true);
    }

    private static double[] even(final int count) {
        final double[] places = new double[count];
        Arrays.setAll(places, i -> (i + 0.5) / count);
        return places;
    }

    /**
     * Adds a panel.
     *
     * @param panelTitle with the unit.
     * @param lines      by name, with a value for each step; NaN = none. A name has the same colour in all panels.
     */
    public void panel(final String panelTitle, final Map<String, double[]> lines) {
        panels.add(new Panel(panelTitle, new LinkedHashMap<>(lines)));
    }

    /**
     * Draws it.
     *
     * @return an SVG document.
     */
    public String svg() {
        final int columns = Math.min(2, Math.max(1, panels.size()));
        final int panelWidth = columns == 1 ? ALONE_WIDTH : PANEL_WIDTH;
        final int panelHeight = columns == 1 ? ALONE_HEIGHT : PANEL_HEIGHT;
        final List<String> names = panels.stream()
                .flatMap(each -> each.lines.keySet().stream())
                .distinct()
                .toList();
        final Svg svg = new Svg(
                columns * panelWidth,
                HEAD + (panels.size() + columns - 1) / columns * panelHeight,
                title,
                String.join("; ", panels.stream().map(Panel::title).toList()) + "; by " + stepTitle + ": "
                        + String.join(", ", names));
        svg.text(MARGIN, 26, START, 16, "title", title);
        legend(svg, names);
        for (int i = 0; i < panels.size(); i++) {
            final int left = i % columns * panelWidth;
            final int row = i / columns;
            final int top = HEAD + row * panelHeight;
            svg.text(left + MARGIN, top + 18, START, 13, "panel", panels.get(i).title);
            draw(
                    svg,
                    panels.get(i),
                    names,
                    new Plot(
                            left + LEFT,
                            top + panelHeight - BOTTOM,
                            panelWidth - LEFT - RIGHT,
                            panelHeight - TOP - BOTTOM));
        }
        return svg.end();
    }

    private static void legend(final Svg svg, final List<String> names) {
        double x = MARGIN;
        for (int i = 0; i < names.size(); i++) {
            svg.series(i, String.format(Locale.ROOT, "M%.1f 43L%.1f 43", x, x + 28));
            svg.point(i, x + 14, 43, names.get(i));
            svg.text(x + 34, 47, START, 12, TEXT, names.get(i));
            x += 34 + names.get(i).length() * 7.0 + 20;
        }
    }

    private void draw(final Svg svg, final Panel panel, final List<String> names, final Plot plot) {
        final Axis axis = isCurve ? Axis.fitting(panel.values()) : Axis.linear(panel.values());
        for (final double tick : axis.ticks()) {
            final double y = plot.bottom - plot.height * axis.place(tick);
            svg.line("grid", plot.left, y, plot.left + plot.width, y);
            svg.text(plot.left - 6, y + 4, "end", 11, TEXT, Axis.label(tick));
        }
        svg.line("axis", plot.left, plot.bottom, plot.left + plot.width, plot.bottom);
        for (int i = 0; i < labels.size(); i++) {
            final double x = x(plot, i);
            svg.line("axis", x, plot.bottom, x, plot.bottom + 4);
            svg.text(x, plot.bottom + 17, "middle", 11, TEXT, labels.get(i));
        }
        svg.text(plot.left + plot.width / 2, plot.bottom + 34, "middle", 11, TEXT, stepTitle);
        panel.lines.forEach((name, values) -> line(svg, axis, plot, names.indexOf(name), name, values));
    }

    private void line(
            final Svg svg,
            final Axis axis,
            final Plot plot,
            final int series,
            final String name,
            final double[] values) {
        final StringBuilder path = new StringBuilder();
        for (int i = 0; i < values.length; i++) {
            if (!Double.isNaN(values[i])) {
                final boolean isStart = i == 0 || Double.isNaN(values[i - 1]);
                path.append(String.format(
                        Locale.ROOT, "%s%.1f %.1f ", isStart ? "M" : "L", x(plot, i), y(axis, plot, values[i])));
            }
        }
        svg.series(series, path.toString().strip());
        for (int i = 0; i < values.length; i++) {
            if (!Double.isNaN(values[i])) {
                svg.point(
                        series,
                        x(plot, i),
                        y(axis, plot, values[i]),
                        name + ", " + labels.get(i) + ": "
                                + Axis.label(Digits.of(values[i]).doubleValue()));
            }
        }
    }

    private double x(final Plot plot, final int step) {
        return plot.left + plot.width * places[step];
    }

    private static double y(final Axis axis, final Plot plot, final double value) {
        return plot.bottom - plot.height * axis.place(value);
    }
}
