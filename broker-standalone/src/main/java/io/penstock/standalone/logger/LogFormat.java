package io.penstock.standalone.logger;

/** How lines of the log look. */
public enum LogFormat {
    /** Time, level and area, then pairs of {@code key=value}. */
    TEXT,

    /** An object of JSON in each line. */
    JSON
}
