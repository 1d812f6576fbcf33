package io.penstock.standalone.demo;

import java.io.PrintWriter;
import java.util.stream.Collectors;

/** A line every two seconds, for logs and pipes. */
final class PlainDisplay implements Display {
    private static final double INTERVAL_S = 2;

    private final PrintWriter out;
    private double nextS = INTERVAL_S;

    PlainDisplay(final PrintWriter out) {
        this.out = out;
    }

    @Override
    public void show(final State state) {
        if (state.elapsedS() >= nextS) {
            nextS += INTERVAL_S;
            out.printf(
                    "%3.0f s: %,d published (%,.0f a second), matches %s, %s%n",
                    state.elapsedS(),
                    state.publishedInAll(),
                    state.rate(),
                    state.counters().stream()
                            .map(counter -> String.valueOf(counter.matches()))
                            .collect(Collectors.joining(" ")),
                    state.latency());
            out.flush();
        }
    }

    @Override
    public void finish() {
        out.flush();
    }
}
