package io.penstock.standalone.console;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

/** One line on a terminal, redrawn a few times a second; nothing at all elsewhere. */
public final class ProgressLine implements AutoCloseable {
    private static final long REDRAW_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final String TO_LINE_START_AND_ERASE = "\r\033[K";

    private final PrintStream out;
    private final boolean isShown;
    private long drawnNs;
    private boolean isDrawn;

    private ProgressLine(final PrintStream out, final boolean isShown) {
        this.out = out;
        this.isShown = isShown;
        drawnNs = System.nanoTime() - REDRAW_INTERVAL_NS;
    }

    /**
     * A line on standard error.
     *
     * @return shown only when that is a terminal.
     */
    public static ProgressLine onErr() {
        return new ProgressLine(System.err, Terminal.isErr());
    }

    /**
     * Whether anybody sees it.
     *
     * @return false when nothing is shown at all.
     */
    public boolean isShown() {
        return isShown;
    }

    /**
     * Whether it is time to draw again. Cheap enough to ask for each message.
     *
     * @return false when nothing is shown at all.
     */
    public boolean isDue() {
        return isShown && System.nanoTime() - drawnNs >= REDRAW_INTERVAL_NS;
    }

    /**
     * Draws the line.
     *
     * @param text short enough for a line.
     */
    public void draw(final String text) {
        if (isShown) {
            drawnNs = System.nanoTime();
            out.print(TO_LINE_START_AND_ERASE + text);
            out.flush();
            isDrawn = true;
        }
    }

    @Override
    public void close() {
        clear();
    }

    /** Takes the line away, until it is drawn again. */
    public void clear() {
        if (isDrawn) {
            out.print(TO_LINE_START_AND_ERASE);
            out.flush();
            isDrawn = false;
        }
    }
}
