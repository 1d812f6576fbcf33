package io.penstock.bench.figure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Lines over named steps, in panels side by side with one legend, as SVG. */
public final class Chart {
    private static final List<String> COLOURS = List.of("#1b6ca8", "#d1495b", "#3a7d44", "#8a5a9e", "#c77d0a");
    private static final int COLUMNS = 2;
    private static final int PANEL_WIDTH = 420;
    private static final int PANEL_HEIGHT = 250;
    private static final int LEFT = 68;
    private static final int RIGHT = 16;
    private static final int TOP = 34;
    private static final int BOTTOM = 44;
    private static final int HEAD = 64;
    private static final int TICK_COUNT = 5;

    private final String title;
    private final String stepTitle;
    private final List<String> steps;
    private final List<Panel> panels = new ArrayList<>();

    private record Panel(String title, Map<String, double[]> lines) {}

    /**
     * Without panels.
     *
     * @param title     of all.
     * @param stepTitle what the steps are.
     * @param steps     from left to right.
     */
    public Chart(final String title, final String stepTitle, final List<String> steps) {
        this.title = title;
        this.stepTitle = stepTitle;
        this.steps = List.copyOf(steps);
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
        final int width = COLUMNS * PANEL_WIDTH;
        final int height = HEAD + (panels.size() + COLUMNS - 1) / COLUMNS * PANEL_HEIGHT;
        final StringBuilder out = new StringBuilder();
        out.append(String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">",
                        width,
                        height))
                .append("\n");
        out.append(String.format(Locale.ROOT, "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", width, height))
                .append("\n");
        text(out, 16, 24, "start", 16, "#111111", title);
        final List<String> names = panels.stream()
                .flatMap(each -> each.lines.keySet().stream())
                .distinct()
                .toList();
        double x = 16;
        for (int i = 0; i < names.size(); i++) {
            out.append(String.format(
                            Locale.ROOT,
                            "<rect x=\"%.0f\" y=\"40\" width=\"14\" height=\"4\" fill=\"%s\"/>",
                            x,
                            colour(i)))
                    .append("\n");
            text(out, x + 19, 47, "start", 12, "#333333", names.get(i));
            x += 19 + names.get(i).length() * 7.0 + 22;
        }
        for (int i = 0; i < panels.size(); i++) {
            draw(out, panels.get(i), names, i % COLUMNS * PANEL_WIDTH, HEAD + i / COLUMNS * PANEL_HEIGHT);
        }
        return out.append("</svg>\n").toString();
    }

    private void draw(
            final StringBuilder out, final Panel panel, final List<String> names, final int left, final int top) {
        final double x0 = left + LEFT;
        final double y0 = top + PANEL_HEIGHT - BOTTOM;
        final double plotWidth = PANEL_WIDTH - LEFT - RIGHT;
        final double plotHeight = PANEL_HEIGHT - TOP - BOTTOM;
        final double tick = tick(panel);
        text(out, left + 16, top + 18, "start", 13, "#111111", panel.title);
        for (int i = 0; i <= TICK_COUNT; i++) {
            final double y = y0 - plotHeight * i / TICK_COUNT;
            out.append(String.format(
                            Locale.ROOT,
                            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>",
                            x0,
                            y,
                            x0 + plotWidth,
                            y,
                            i == 0 ? "#666666" : "#dddddd"))
                    .append("\n");
            text(out, x0 - 6, y + 4, "end", 11, "#333333", number(tick * i));
        }
        for (int i = 0; i < steps.size(); i++) {
            text(out, x(x0, plotWidth, i), y0 + 16, "middle", 11, "#333333", steps.get(i));
        }
        text(out, x0 + plotWidth / 2, y0 + 32, "middle", 11, "#333333", stepTitle);
        for (final Map.Entry<String, double[]> line : panel.lines.entrySet()) {
            line(
                    out,
                    line.getValue(),
                    colour(names.indexOf(line.getKey())),
                    x0,
                    y0,
                    plotWidth,
                    plotHeight / (tick * TICK_COUNT));
        }
    }

    private void line(
            final StringBuilder out,
            final double[] values,
            final String colour,
            final double x0,
            final double y0,
            final double plotWidth,
            final double scale) {
        final StringBuilder path = new StringBuilder();
        for (int i = 0; i < values.length; i++) {
            if (!Double.isNaN(values[i])) {
                final double x = x(x0, plotWidth, i);
                final double y = y0 - values[i] * scale;
                final boolean isStart = i == 0 || Double.isNaN(values[i - 1]);
                path.append(String.format(Locale.ROOT, "%s%.1f %.1f ", isStart ? "M" : "L", x, y));
                out.append(String.format(
                                Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>", x, y, colour))
                        .append("\n");
            }
        }
        out.append(String.format(
                        Locale.ROOT,
                        "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>",
                        path.toString().strip(),
                        colour))
                .append("\n");
    }

    private double x(final double x0, final double plotWidth, final int step) {
        return x0 + plotWidth * (step + 0.5) / steps.size();
    }

    private static String colour(final int i) {
        return COLOURS.get(i % COLOURS.size());
    }

    /** A round number, so that a few of them hold the greatest value. */
    private static double tick(final Panel panel) {
        final double max = panel.lines.values().stream()
                .flatMapToDouble(Arrays::stream)
                .filter(value -> !Double.isNaN(value))
                .max()
                .orElse(1);
        return tick(max);
    }

    static double tick(final double max) {
        final double least = Math.max(max, 1e-6) / TICK_COUNT;
        final double power = Math.pow(10, Math.floor(Math.log10(least)));
        for (final double each : new double[] {1, 2, 2.5, 5}) {
            if (each * power >= least) {
                return each * power;
            }
        }
        return 10 * power;
    }

    private static String number(final double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%.4g", value).replaceAll("\\.?0+$", "");
    }

    private static void text(
            final StringBuilder out,
            final double x,
            final double y,
            final String anchor,
            final int size,
            final String colour,
            final String text) {
        out.append(String.format(
                        Locale.ROOT,
                        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"%s\">%s</text>",
                        x,
                        y,
                        anchor,
                        size,
                        colour,
                        text.replace("&", "&amp;").replace("<", "&lt;")))
                .append("\n");
    }
}
