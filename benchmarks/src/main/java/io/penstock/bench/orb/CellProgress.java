package io.penstock.bench.orb;

import io.penstock.standalone.console.ProgressLine;
import io.penstock.standalone.console.Terminal;
import java.util.concurrent.TimeUnit;

/** Shows the progress on standard error: on a terminal in one line, elsewhere in a line every three seconds. */
final class CellProgress implements AutoCloseable {
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(3);

    private final ProgressLine line = ProgressLine.onErr();
    private long saidNs = System.nanoTime() - INTERVAL_NS;

    void say(final String what) {
        if (Terminal.isErr()) {
            line.draw(what);
        } else if (System.nanoTime() - saidNs >= INTERVAL_NS) {
            saidNs = System.nanoTime();
            System.err.println("bench orb: " + what);
        }
    }

    /** Clears the progress before something else is printed that shows as much. */
    void clear() {
        line.clear();
        saidNs = System.nanoTime();
    }

    @Override
    public void close() {
        line.close();
    }
}
