package io.penstock.standalone.console;

import java.io.PrintWriter;

/** Rows as a text that is filled in for each. */
final class TemplateRows implements Rows {
    private final PrintWriter out;
    private final RowTemplate template;

    TemplateRows(final PrintWriter out, final RowTemplate template) {
        this.out = out;
        this.template = template;
    }

    @Override
    public void add(final String json) {
        out.print(template.text(Cell.of(json)) + '\n');
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
