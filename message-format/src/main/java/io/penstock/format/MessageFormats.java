package io.penstock.format;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The message formats on the class path, by name. Each is there once; safe on any thread. A format that cannot be
 * loaded is missing, and the error for a missing name says why.
 */
public final class MessageFormats {
    /** Most formats that may fail to load before the rest is given up. */
    private static final int FAILURE_COUNT_MAX = 64;

    private static final List<Throwable> FAILURES = new ArrayList<>();
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
            throw unknown(name);
        }
        return format;
    }

    private static IllegalArgumentException unknown(final String name) {
        final StringBuilder text = new StringBuilder("format: not known: " + name + " (use one of " + names() + ")");
        for (final Throwable failure : FAILURES) {
            text.append("; one could not be loaded: ").append(failure);
        }
        final IllegalArgumentException unknown = new IllegalArgumentException(text.toString());
        FAILURES.forEach(unknown::addSuppressed);
        return unknown;
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
        final Iterator<MessageFormat> found = ServiceLoader.load(
                        MessageFormat.class, MessageFormats.class.getClassLoader())
                .iterator();
        boolean isAtEnd = false;
        while (!isAtEnd && FAILURES.size() < FAILURE_COUNT_MAX) {
            try {
                isAtEnd = !found.hasNext();
                if (!isAtEnd) {
                    final MessageFormat format = found.next();
                    formats.put(format.name(), format);
                }
            } catch (final ServiceConfigurationError | LinkageError | RuntimeException e) {
                FAILURES.add(e);
            }
        }
        return Collections.unmodifiableMap(formats);
    }
}
