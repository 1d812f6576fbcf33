package io.penstock.standalone.console;

import java.io.PrintWriter;

/** Rows as they are, one a line. */
final class JsonRows implements Rows {
    private final PrintWriter out;

    JsonRows(final PrintWriter out) {
        this.out = out;
    }

    @Override
    public void add(final String json) {
        // Not a line that is flushed by itself: there may be many.
        out.print(json + '\n');
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
