package io.penstock.standalone.logger;

import java.lang.System.Logger.Level;

/**
 * What the process logs.
 *
 * @param format of the lines.
 * @param level  the lowest level that is written.
 */
public record LogConfig(LogFormat format, Level level) {
    /** What a broker logs unless configured. */
    public static LogConfig defaults() {
        return new LogConfig(LogFormat.TEXT, Level.INFO);
    }
}
