package io.penstock.broker.format;

import java.util.ServiceLoader;
import java.util.TreeMap;

/** Finds message formats by name among those on the class path. */
public final class MessageFormats {
    private MessageFormats() {}

    /**
     * Finds a format.
     *
     * @param name of the format, as topics and commands give it.
     * @return the format.
     * @throws IllegalArgumentException when no format on the class path has the name.
     */
    public static MessageFormat formatFor(final String name) {
        final TreeMap<String, MessageFormat> formats = new TreeMap<>();
        for (final MessageFormat format : ServiceLoader.load(MessageFormat.class)) {
            formats.put(format.name(), format);
        }
        final MessageFormat format = formats.get(name);
        if (format == null) {
            throw new IllegalArgumentException("format: not known: " + name + " (use one of " + formats.keySet() + ")");
        }
        return format;
    }
}
