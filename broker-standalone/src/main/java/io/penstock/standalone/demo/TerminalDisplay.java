package io.penstock.standalone.demo;

import java.io.PrintWriter;
import java.util.List;

/** A few lines of a terminal that are redrawn in place. */
final class TerminalDisplay implements Display {
    private static final int WIDTH_MAX = 100;
    private static final int BAR_LENGTH = 40;
    private static final String ERASE_TO_LINE_END = "\033[K";

    private final PrintWriter out;
    private final int width;
    private int lineCount;

    TerminalDisplay(final PrintWriter out, final int columns) {
        this.out = out;
        width = Math.min(WIDTH_MAX, columns) - 1;
    }

    @Override
    public void show(final State state) {
        if (lineCount > 0) {
            out.print("\033[" + lineCount + "A");
        }
        lineCount = 0;
        for (int i = 0; i < state.feeds().size(); i++) {
            final Feed feed = state.feeds().get(i);
            line(String.format(
                    "%-12s %s %,7d of %,d",
                    feed.topic(),
                    bar(state.published().get(i), feed.count()),
                    state.published().get(i),
                    feed.count()));
        }
        line(String.format("%,8.0f messages a second, %s", state.rate(), state.latency()));
        line("");
        for (final MatchCounter counter : state.counters()) {
            line(String.format("%,6d  %s", counter.matches(), counter.watch()));
            line("        " + counter.newest());
        }
        line("");
        line(String.format(
                "%,6d  queries, of which: %s",
                state.answers(), state.inquiry().question().title()));
        final List<String> rows = state.inquiry().newest();
        for (int i = 0; i <= Scenario.ROWS_MAX; i++) {
            line(i < rows.size() ? "        " + rows.get(i) : "");
        }
        out.flush();
    }

    @Override
    public void finish() {
        out.println();
        out.flush();
    }

    private static String bar(final long part, final long whole) {
        final int filled = (int) (BAR_LENGTH * part / whole);
        return "[" + "#".repeat(filled) + "-".repeat(BAR_LENGTH - filled) + "]";
    }

    private void line(final String text) {
        out.print((text.length() > width ? text.substring(0, width) : text) + ERASE_TO_LINE_END + "\n");
        lineCount++;
    }
}
