package io.penstock.standalone.config;

import io.penstock.broker.config.RecordBinder;
import io.penstock.broker.config.SecretKeys;
import io.penstock.broker.event.EventText;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes configurations as a file would have them, every key with its value. What is secret is not shown. */
public final class ConfigPrinter {
    private static final String INDENT = "  ";
    private static final int TEXT_LENGTH_MAX = 64 * 1024;

    private final StringBuilder text = new StringBuilder();

    /** Begins with nothing. */
    public ConfigPrinter() {}

    /**
     * Adds all keys of a configuration.
     *
     * @param config a record of settings.
     * @return this.
     */
    public ConfigPrinter add(final Record config) {
        entries("", config);
        return this;
    }

    /**
     * Adds all keys of a configuration below a key of its own.
     *
     * @param key    that they are below.
     * @param config a record of settings.
     * @return this.
     */
    public ConfigPrinter add(final String key, final Record config) {
        text.append(key).append(":\n");
        entries(INDENT, config);
        return this;
    }

    /** What was added so far, in YAML. */
    @Override
    public String toString() {
        return text.toString();
    }

    private void entries(final String indent, final Record record) {
        for (final Map.Entry<String, Object> entry : RecordBinder.values(record).entrySet()) {
            text.append(indent).append(entry.getKey()).append(':');
            value(indent, entry.getKey(), entry.getValue());
        }
    }

    private void value(final String indent, final String key, final Object value) {
        if (value instanceof Record nested) {
            text.append('\n');
            entries(indent + INDENT, nested);
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            text.append('\n');
            list.forEach(element -> element(indent + INDENT, key, element));
        } else {
            text.append(' ');
            scalar(key, value);
        }
    }

    private void element(final String indent, final String key, final Object element) {
        text.append(indent).append("- ");
        if (element instanceof Record record) {
            final int start = text.length();
            entries(indent + INDENT, record);
            // The first key stands behind the dash.
            text.delete(start, start + indent.length() + INDENT.length());
        } else {
            scalar(key, element);
        }
    }

    private void scalar(final String key, final Object value) {
        if (SecretKeys.contains(key)) {
            text.append("\"\" # secret, not shown");
        } else if (value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else if (value instanceof Enum<?> constant) {
            text.append(constant.name().toLowerCase(Locale.ROOT));
        } else if (value instanceof List<?>) {
            text.append("[]");
        } else {
            EventText.appendQuoted(text, value.toString(), TEXT_LENGTH_MAX);
        }
        text.append('\n');
    }
}
