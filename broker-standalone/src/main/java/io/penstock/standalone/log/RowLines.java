package io.penstock.standalone.log;

import io.penstock.standalone.console.ControlCharacters;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import java.io.Closeable;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Prints findings: lines for people, or rows in the form that was asked for. */
final class RowLines implements Closeable {
    private final PrintWriter out;
    private final @Nullable Rows rows;

    /**
     * Begins.
     *
     * @param columns all that rows may have.
     */
    RowLines(final CommandSpec spec, final RowOptions options, final List<String> columns) {
        out = spec.commandLine().getOut();
        rows = options.isGiven() ? options.open(out, spec.commandLine().getErr(), columns) : null;
    }

    /** Prints one of the two. */
    void print(final Supplier<String> json, final Supplier<String> text) {
        if (rows == null) {
            out.println(ControlCharacters.onOut(text.get()));
        } else {
            rows.add(json.get());
        }
    }

    @Override
    public void close() {
        if (rows != null) {
            rows.close();
        }
        out.flush();
    }
}
