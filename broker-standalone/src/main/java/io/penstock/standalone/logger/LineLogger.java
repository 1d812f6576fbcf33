package io.penstock.standalone.logger;

import io.penstock.broker.event.Event;
import java.text.MessageFormat;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** Writes lines of one area. */
final class LineLogger implements System.Logger {
    private static final String OURS = "io.penstock.";
    private static final String BROKER = "io.penstock.broker.";

    private final String name;
    private final String area;

    LineLogger(final String name) {
        this.name = name;
        area = name.startsWith(BROKER)
                ? name.substring(BROKER.length())
                : name.startsWith(OURS) ? name.substring(OURS.length()) : name;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public boolean isLoggable(final Level level) {
        return ProcessLog.isLoggable(level);
    }

    @Override
    public void log(final Level level, final Object said) {
        if (said instanceof Event event) {
            if (isLoggable(level)) {
                ProcessLog.write(LogLine.of(area, event));
            }
        } else {
            log(level, (ResourceBundle) null, said.toString(), (Throwable) null);
        }
    }

    @Override
    public void log(
            final Level level,
            final @Nullable ResourceBundle bundle,
            final @Nullable String message,
            final @Nullable Throwable failure) {
        if (isLoggable(level)) {
            ProcessLog.write(LogLine.of(System.currentTimeMillis(), level, area, translated(bundle, message), failure));
        }
    }

    @Override
    public void log(
            final Level level,
            final @Nullable ResourceBundle bundle,
            final @Nullable String format,
            final @Nullable Object... values) {
        if (isLoggable(level)) {
            log(level, null, formatted(translated(bundle, format), values), (Throwable) null);
        }
    }

    private static String formatted(final String format, final @Nullable Object @Nullable [] values) {
        if (values == null || values.length == 0) {
            return format;
        }
        try {
            return MessageFormat.format(format, values);
        } catch (final IllegalArgumentException e) {
            // No pattern: better as it is than not at all.
            return format;
        }
    }

    private static String translated(final @Nullable ResourceBundle bundle, final @Nullable String message) {
        final String text = String.valueOf(message);
        try {
            return bundle == null ? text : bundle.getString(text);
        } catch (final MissingResourceException | ClassCastException e) {
            return text;
        }
    }
}
