package io.penstock.standalone.logger;

import io.penstock.broker.event.Event;
import io.penstock.broker.event.EventText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of the log.
 *
 * @param timeMs  in milliseconds since 1970.
 * @param level   of the line.
 * @param area    it is about.
 * @param label   what has happened, in a word; null when a text says it.
 * @param values  by key.
 * @param failure whose stack follows; null for none.
 */
record LogLine(
        long timeMs,
        Level level,
        String area,
        @Nullable String label,
        Map<String, Object> values,
        @Nullable Throwable failure) {
    private static final int STACK_LINES_MAX = 200;
    private static final int STACK_LINE_LENGTH_MAX = 512;
    private static final int STACK_LENGTH_MAX = 64 * 1024;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    static LogLine of(final String area, final Event event) {
        return new LogLine(
                event.timeMs(), event.kind().level(), area, event.kind().label(), event.values(), null);
    }

    static LogLine of(
            final long timeMs,
            final Level level,
            final String area,
            final String message,
            final @Nullable Throwable failure) {
        final Map<String, Object> values = new LinkedHashMap<>();
        values.put("message", message);
        if (failure != null) {
            values.put("exception", failure.getClass().getName());
            values.put("reason", String.valueOf(failure.getMessage()));
        }
        return new LogLine(timeMs, level, area, null, values, failure);
    }

    /** Time, level and area, what has happened, and pairs; below it the stack, if there is one. */
    String text() {
        final StringBuilder line = new StringBuilder(TIME.format(Instant.ofEpochMilli(timeMs)))
                .append(' ')
                .append(level)
                .append(' ')
                .append(area);
        if (label != null) {
            line.append(' ').append(label);
        }
        EventText.append(line, values);
        line.append('\n');
        if (failure != null) {
            // Indented and escaped: a message with line breaks is no line of its own.
            stack(failure).lines().limit(STACK_LINES_MAX).forEach(each -> {
                line.append("    ");
                EventText.appendEscaped(line, each.strip(), STACK_LINE_LENGTH_MAX);
                line.append('\n');
            });
        }
        return line.toString();
    }

    /** An object with the same members, and the stack in one of them. */
    String json() {
        final StringBuilder line = new StringBuilder("{\"time\":\"")
                .append(TIME.format(Instant.ofEpochMilli(timeMs)))
                .append("\",\"level\":\"")
                .append(level)
                .append("\",\"area\":");
        EventText.appendQuoted(line, area);
        if (label != null) {
            line.append(",\"event\":");
            EventText.appendQuoted(line, label);
        }
        values.forEach((key, value) -> {
            line.append(',');
            EventText.appendQuoted(line, key);
            line.append(':');
            if (value instanceof Number || value instanceof Boolean) {
                line.append(value);
            } else {
                EventText.appendQuoted(line, String.valueOf(value));
            }
        });
        if (failure != null) {
            line.append(",\"stack\":");
            EventText.appendQuoted(line, stack(failure), STACK_LENGTH_MAX);
        }
        return line.append("}\n").toString();
    }

    private static String stack(final Throwable failure) {
        final StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }
}
