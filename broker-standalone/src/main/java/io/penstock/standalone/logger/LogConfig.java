package io.penstock.standalone.logger;

import java.lang.System.Logger.Level;

/**
 * The log of the process.
 *
 * @param format of the lines.
 * @param level  the lowest level that is written.
 */
public record LogConfig(LogFormat format, Level level) {
    /** The defaults of a broker's log. */
    public static LogConfig defaults() {
        return new LogConfig(LogFormat.TEXT, Level.INFO);
    }
}
