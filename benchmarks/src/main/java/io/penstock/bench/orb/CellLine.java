package io.penstock.bench.orb;

import io.penstock.standalone.console.Json;
import java.util.Locale;

/** The line of one cell, printed when it is measured: as JSON, or in columns of fixed width. */
final class CellLine {
    private static final int NAME_WIDTH = 10;
    private static final int OPERATION_WIDTH = 9;
    private static final int[] CELL_WIDTHS = {7, 5};
    private static final int[] FIGURE_WIDTHS = {9, 8, 9, 9, 9, 5, 7, 6, 4};
    private static final int[] RATIO_WIDTHS = {6, 6, 6};

    private CellLine() {}

    static String header() {
        return left("KIND", NAME_WIDTH) + "  " + figureHeader() + right(RATIO_WIDTHS, "RATIO", "BEST", "P99");
    }

    /** Without the name and what is beside it. */
    static String figureHeader() {
        return left("OPERATION", OPERATION_WIDTH)
                + right(CELL_WIDTHS, "THREADS", "SIZE")
                + right(
                        FIGURE_WIDTHS,
                        "CALLS/S",
                        "MB/S",
                        "P50_US",
                        "P99_US",
                        "MAX_US",
                        "CONNS",
                        "SERVING",
                        "FAILED",
                        "LATE");
    }

    static String row(final CellFigures of) {
        final String row = left(of.name(), NAME_WIDTH) + "  " + figureRow(of);
        return of.failure() != null || of.besideName() == null
                ? row.stripTrailing()
                : row
                        + right(
                                RATIO_WIDTHS,
                                number("%.2f", of.ratio()),
                                number("%.2f", of.ratioBest()),
                                number("%.2f", of.p99Ratio()));
    }

    static String figureRow(final CellFigures of) {
        final Cell cell = of.cell();
        final String place = left(cell.operation(), OPERATION_WIDTH)
                + right(CELL_WIDTHS, Integer.toString(cell.threadCount()), cell.size());
        if (of.failure() != null) {
            return place + "  failed: " + of.failure();
        }
        return place
                + right(
                        FIGURE_WIDTHS,
                        number("%.0f", of.median(Measured::callsPerS)),
                        number("%.1f", mbPerS(of)),
                        number("%.0f", of.median(Measured::p50Us)),
                        number("%.0f", of.median(Measured::p99Us)),
                        number("%.0f", of.maxUs()),
                        number("%.0f", of.median(Measured::connectionCount)),
                        Integer.toString(of.threadCountMax()),
                        Long.toString(of.failedCount()),
                        Integer.toString(of.lateCountMax()));
    }

    static String left(final String text, final int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    /** Each with two spaces before it. */
    static String right(final int[] widths, final String... texts) {
        final StringBuilder line = new StringBuilder();
        for (int i = 0; i < texts.length; i++) {
            line.append("  ")
                    .append(" ".repeat(Math.max(0, widths[i] - texts[i].length())))
                    .append(texts[i]);
        }
        return line.toString();
    }

    private static String number(final String format, final double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
    }

    private static double mbPerS(final CellFigures of) {
        return of.median(Measured::callsPerS) * of.cell().length() / 1e6;
    }

    static String json(final CellFigures of) {
        final Json json = add(new Json().field("kind", of.name()), of);
        final String beside = of.besideName();
        if (beside != null && of.failure() == null) {
            json.field("beside", beside)
                    .field("ratio", of.ratio())
                    .field("ratio_best_quartile", of.ratioBest())
                    .field("p99_ratio", of.p99Ratio());
        }
        return json.end();
    }

    /** Adds cell and figures, or why there are none. */
    static Json add(final Json json, final CellFigures of) {
        final Cell cell = of.cell();
        json.field("operation", cell.operation())
                .field("threads", cell.threadCount())
                .field("size", cell.size());
        final String failure = of.failure();
        if (failure != null) {
            return json.field("failure", failure);
        }
        return json.field("calls_per_s", of.median(Measured::callsPerS))
                .field("mb_per_s", mbPerS(of))
                .field("p50_us", of.median(Measured::p50Us))
                .field("p99_us", of.median(Measured::p99Us))
                .field("max_us", of.maxUs())
                .field("connections", of.median(Measured::connectionCount))
                .field("server_threads", of.threadCountMax())
                .field("failed", of.failedCount())
                .field("late_threads", of.lateCountMax());
    }
}
