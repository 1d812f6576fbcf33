package io.penstock.broker.event;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;

/**
 * The classes that the JDK's loggers need for a line with a time. One that cannot be loaded, for example since there are
 * too many open files, cannot be loaded any more for as long as the process lives.
 */
public final class LoggerClasses {
    private LoggerClasses() {}

    /** Loads them. Called at the start, on any thread. */
    public static void load() {
        final String line = String.format(
                Locale.getDefault(Locale.Category.FORMAT),
                "%1$tb %1$td, %1$tY %1$tl:%1$tM:%1$tS %1$Tp",
                Instant.EPOCH.atZone(ZoneId.systemDefault()));
        if (line.isEmpty()) {
            throw new IllegalStateException("time: has no text");
        }
    }
}
