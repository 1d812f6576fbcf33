package io.penstock.bench.figure;

import java.util.Locale;

/** An SVG document that is being written. Its colours are those of a style sheet, for light and for dark. */
final class Svg {
    /** How many lines can be told from each other by colour, dashes and points. */
    static final int SERIES_COUNT = 5;

    private static final String STYLE = """
              <style>
                .paper { fill: #ffffff; }
                .title, .panel { fill: #1f2328; }
                .text { fill: #3d444d; }
                .axis { stroke: #6e7781; }
                .grid { stroke: #dfe3e8; }
                .line { fill: none; stroke-width: 2; }
                .s0 { stroke: #0969da; } .p0 { fill: #0969da; }
                .s1 { stroke: #c4321f; stroke-dasharray: 7 4; } .p1 { fill: #c4321f; }
                .s2 { stroke: #2c7a3f; stroke-dasharray: 2 3; } .p2 { fill: #2c7a3f; }
                .s3 { stroke: #8250df; stroke-dasharray: 9 3 2 3; } .p3 { fill: #8250df; }
                .s4 { stroke: #9a6700; stroke-dasharray: 4 4; } .p4 { fill: #9a6700; }
                @media (prefers-color-scheme: dark) {
                  .paper { fill: #0d1117; }
                  .title, .panel { fill: #e6edf3; }
                  .text { fill: #b1bac4; }
                  .axis { stroke: #8b949e; }
                  .grid { stroke: #2b323b; }
                  .s0 { stroke: #58a6ff; } .p0 { fill: #58a6ff; }
                  .s1 { stroke: #ff7b72; } .p1 { fill: #ff7b72; }
                  .s2 { stroke: #56d364; } .p2 { fill: #56d364; }
                  .s3 { stroke: #bc8cff; } .p3 { fill: #bc8cff; }
                  .s4 { stroke: #e3b341; } .p4 { fill: #e3b341; }
                }
              </style>
            """;

    private final StringBuilder out = new StringBuilder();

    /** One with a title for those who cannot see it. */
    Svg(final int width, final int height, final String title, final String description) {
        add(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                        + " font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" role=\"img\""
                        + " aria-labelledby=\"title description\">",
                width,
                height,
                width,
                height));
        add(String.format(Locale.ROOT, "  <title id=\"title\">%s</title>", escaped(title)));
        add(String.format(Locale.ROOT, "  <desc id=\"description\">%s</desc>", escaped(description)));
        out.append(STYLE);
        add(String.format(Locale.ROOT, "  <rect class=\"paper\" width=\"%d\" height=\"%d\" rx=\"8\"/>", width, height));
    }

    void text(
            final double x, final double y, final String anchor, final int size, final String kind, final String text) {
        add(String.format(
                Locale.ROOT,
                "  <text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\">%s</text>",
                kind,
                x,
                y,
                anchor,
                size,
                escaped(text)));
    }

    /** A straight line. */
    void line(final String kind, final double x, final double y, final double toX, final double toY) {
        add(String.format(
                Locale.ROOT,
                "  <line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                kind,
                x,
                y,
                toX,
                toY));
    }

    /** The line of a series. */
    void series(final int series, final String path) {
        add(String.format(Locale.ROOT, "  <path class=\"line s%d\" d=\"%s\"/>", series % SERIES_COUNT, path));
    }

    /** A point of a series, with what it says when a pointer is over it. */
    void point(final int series, final double x, final double y, final String text) {
        final int shape = series % SERIES_COUNT;
        final String path = switch (shape) {
            case 0 -> "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z";
            case 1 -> "M-3.5 -3.5h7v7h-7z";
            case 2 -> "M0 -4.5l4.5 8h-9z";
            case 3 -> "M0 -5l5 5l-5 5l-5 -5z";
            default -> "M0 4.5l4.5 -8h-9z";
        };
        add(String.format(
                Locale.ROOT,
                "  <path class=\"point p%d\" transform=\"translate(%.1f %.1f)\" d=\"%s\"><title>%s</title></path>",
                shape,
                x,
                y,
                path,
                escaped(text)));
    }

    /** All of it. */
    String end() {
        return out.append("</svg>\n").toString();
    }

    private void add(final String line) {
        out.append(line).append('\n');
    }

    private static String escaped(final String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
