package io.penstock.standalone.console;

import io.penstock.standalone.CommandFailure;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rows as a table, which is drawn at the end, when the widths are known. */
final class TableRows implements Rows {
    private static final int ROWS_MAX = 100_000;
    private static final Cell MISSING = new Cell("", true, false);

    private final PrintWriter out;
    private final PrintWriter err;
    private final List<String> columns;
    private final WantedColumns wanted;
    private final Table table = new Table();

    TableRows(final PrintWriter out, final PrintWriter err, final List<String> columns) {
        this.out = out;
        this.err = err;
        this.columns = columns;
        wanted = new WantedColumns("--columns", columns);
    }

    @Override
    public void add(final String json) {
        if (table.rowCount() == ROWS_MAX) {
            throw CommandFailure.failed(
                    String.format("--table: more than %,d rows (ask for fewer, or use --csv)", ROWS_MAX));
        }
        final Map<String, Cell> cells = Cell.of(json);
        if (columns.isEmpty()) {
            table.add(cells);
            return;
        }
        wanted.onRow(cells);
        final Map<String, Cell> chosen = new LinkedHashMap<>();
        columns.forEach(name -> chosen.put(name, cells.getOrDefault(name, MISSING)));
        table.add(chosen);
    }

    @Override
    public void close() {
        final List<String> lines = table.lines();
        for (int i = 0; i < lines.size(); i++) {
            out.println(i == 0 ? Colour.BOLD.on(lines.get(i), Terminal.isOut()) : lines.get(i));
        }
        out.flush();
        wanted.warn(err);
    }
}
