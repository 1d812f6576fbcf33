package io.penstock.standalone.demo;

import java.io.PrintWriter;
import java.util.stream.Collectors;

/** A line every two seconds and a table every four, for logs and pipes. */
final class PlainDisplay implements Display {
    private static final double INTERVAL_S = 2;
    private static final int LINES_PER_TABLE = 2;

    private final PrintWriter out;
    private int lineCount;
    private double nextS = INTERVAL_S;

    PlainDisplay(final PrintWriter out) {
        this.out = out;
    }

    @Override
    public void show(final State state) {
        if (state.elapsedS() >= nextS) {
            nextS += INTERVAL_S;
            out.printf(
                    "%3.0f s: %,d published (%,.0f a second), matches %s, %,d queries, %s%n",
                    state.elapsedS(),
                    state.publishedInAll(),
                    state.rate(),
                    state.counters().stream()
                            .map(counter -> String.valueOf(counter.matches()))
                            .collect(Collectors.joining(" ")),
                    state.answers(),
                    state.latency());
            if (++lineCount % LINES_PER_TABLE == 0) {
                out.printf("       %s:%n", state.inquiry().question().title());
                state.inquiry().newest().forEach(line -> out.println("         " + line));
            }
            out.flush();
        }
    }

    @Override
    public void finish() {
        out.flush();
    }
}
