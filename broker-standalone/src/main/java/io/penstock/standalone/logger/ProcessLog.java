package io.penstock.standalone.logger;

import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** Where the lines of all loggers of this process go. */
public final class ProcessLog {
    /** Commands other than {@code serve} speak for themselves: what they print is what was asked for. */
    private static final AtomicReference<LogConfig> CONFIG =
            new AtomicReference<>(new LogConfig(LogFormat.TEXT, Level.WARNING));

    private ProcessLog() {}

    /**
     * Changes what is logged from now on.
     *
     * @param config of the process.
     */
    public static void configure(final LogConfig config) {
        CONFIG.set(config);
    }

    static boolean isLoggable(final Level level) {
        final Level lowest = config().level();
        return level != Level.OFF && lowest != Level.OFF && level.getSeverity() >= lowest.getSeverity();
    }

    static void write(final LogLine line) {
        final PrintStream err = System.err;
        // Written in one call, so that lines of several threads do not mix.
        err.print(config().format() == LogFormat.JSON ? line.json() : line.text());
        err.flush();
    }

    private static LogConfig config() {
        return Objects.requireNonNull(CONFIG.get());
    }
}
