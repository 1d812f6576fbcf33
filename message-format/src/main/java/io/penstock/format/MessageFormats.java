package io.penstock.format;

import java.util.Collections;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The message formats on the class path, by name. Each is there once; safe on any thread. */
public final class MessageFormats {
    private static final Map<String, MessageFormat> FORMATS = load();

    private MessageFormats() {}

    /**
     * Finds a format.
     *
     * @param name of the format, as topics and commands give it.
     * @return the format, or null when no format on the class path has the name.
     */
    public static @Nullable MessageFormat find(final String name) {
        return FORMATS.get(name);
    }

    /**
     * Finds a format that must be there.
     *
     * @param name of the format, as topics and commands give it.
     * @return the format.
     * @throws IllegalArgumentException when no format on the class path has the name.
     */
    public static MessageFormat formatFor(final String name) {
        final MessageFormat format = find(name);
        if (format == null) {
            throw new IllegalArgumentException("format: not known: " + name + " (use one of " + names() + ")");
        }
        return format;
    }

    /**
     * The names there are.
     *
     * @return names in order.
     */
    public static Set<String> names() {
        return FORMATS.keySet();
    }

    private static Map<String, MessageFormat> load() {
        final TreeMap<String, MessageFormat> formats = new TreeMap<>();
        for (final MessageFormat format :
                ServiceLoader.load(MessageFormat.class, MessageFormats.class.getClassLoader())) {
            formats.put(format.name(), format);
        }
        return Collections.unmodifiableMap(formats);
    }
}
