package io.penstock.standalone.console;

import java.io.PrintWriter;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Rows as a text that is filled in for each. */
final class TemplateRows implements Rows {
    private final PrintWriter out;
    private final PrintWriter err;
    private final RowTemplate template;
    private final WantedColumns wanted;
    private final UnaryOperator<String> shown;

    TemplateRows(final PrintWriter out, final PrintWriter err, final RowTemplate template, final boolean isSeen) {
        this.out = out;
        this.err = err;
        this.template = template;
        wanted = new WantedColumns("--template", template.fields());
        shown = isSeen ? ControlCharacters::escaped : UnaryOperator.identity();
    }

    @Override
    public void add(final String json) {
        final Map<String, Cell> cells = Cell.of(json);
        wanted.onRow(cells);
        out.print(template.text(cells, shown) + '\n');
    }

    @Override
    public void flush() {
        out.flush();
    }

    @Override
    public void close() {
        out.flush();
        wanted.warn(err);
    }
}
