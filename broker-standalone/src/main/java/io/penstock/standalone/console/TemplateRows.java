package io.penstock.standalone.console;

import java.io.PrintWriter;
import java.util.function.UnaryOperator;

/** Rows as a text that is filled in for each. */
final class TemplateRows implements Rows {
    private final PrintWriter out;
    private final RowTemplate template;
    private final UnaryOperator<String> shown;

    TemplateRows(final PrintWriter out, final RowTemplate template, final boolean isSeen) {
        this.out = out;
        this.template = template;
        shown = isSeen ? ControlCharacters::escaped : UnaryOperator.identity();
    }

    @Override
    public void add(final String json) {
        out.print(template.text(Cell.of(json), shown) + '\n');
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
