package io.penstock.standalone.console;

import java.io.PrintWriter;

/** Rows as they are, one a line. */
final class JsonRows implements Rows {
    private final PrintWriter out;
    private final boolean isSeen;

    JsonRows(final PrintWriter out, final boolean isSeen) {
        this.out = out;
        this.isSeen = isSeen;
    }

    @Override
    public void add(final String json) {
        // Not a line that is flushed by itself: there may be many.
        out.print((isSeen ? ControlCharacters.escapedJson(json) : json) + '\n');
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
