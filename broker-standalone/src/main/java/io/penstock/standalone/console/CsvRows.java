package io.penstock.standalone.console;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Rows as comma-separated values by RFC 4180. The columns are those that were asked for, else those of the first row. */
final class CsvRows implements Rows {
    private static final Cell MISSING = new Cell("", true, false);
    private static final String LINE_END = "\r\n";

    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean isChosen;
    private List<String> columns;
    private boolean isWarned;
    private boolean isHeadPrinted;

    CsvRows(final PrintWriter out, final PrintWriter err, final List<String> columns) {
        this.out = out;
        this.err = err;
        this.columns = columns;
        isChosen = !columns.isEmpty();
    }

    @Override
    public void add(final String json) {
        final Map<String, Cell> cells = Cell.of(json);
        if (!isHeadPrinted) {
            columns = isChosen ? columns : new ArrayList<>(cells.keySet());
            line(columns);
            isHeadPrinted = true;
        }
        warnOfOthers(cells);
        line(columns.stream()
                .map(name -> cells.getOrDefault(name, MISSING).text())
                .toList());
    }

    /** Says once that a later row has what the first had not. */
    private void warnOfOthers(final Map<String, Cell> cells) {
        if (isChosen || isWarned) {
            return;
        }
        for (final String name : cells.keySet()) {
            if (!columns.contains(name)) {
                err.println(Colour.warning() + " --csv: a row has a field that the first has not, which is left out: "
                        + name + " (name the columns with --columns)");
                err.flush();
                isWarned = true;
                return;
            }
        }
    }

    private void line(final List<String> values) {
        out.print(values.stream().map(CsvRows::quoted).collect(Collectors.joining(",")) + LINE_END);
    }

    private static String quoted(final String text) {
        return text.matches("[^\",\\r\\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    @Override
    public void flush() {
        out.flush();
    }

    @Override
    public void close() {
        out.flush();
    }
}
