package io.penstock.transport.tls;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Finds the engine that {@link TlsConfig#engine()} asks for.
 *
 * @param engines that it is.
 * @param text    which engine that is, and why not the native one if that is on the class path, for people.
 */
record EngineSelection(TlsEngines engines, String text) {
    /** A class loader that always fails may never come to its end. */
    private static final int FAILURE_COUNT_MAX = 100;

    private static final String NOT_USED = "tls.engine: native cannot be used: ";
    private static final String REMEDY = " (use auto or jdk)";

    /**
     * Selects an engine.
     *
     * @param config   the settings.
     * @param material that they are made of; null when the program gives a context of the JDK.
     * @param jdk      that is used when there is no other one.
     * @throws TlsException when the native one is asked for and cannot be used.
     */
    static EngineSelection of(final TlsConfig config, final @Nullable TlsMaterial material, final JdkEngines jdk)
            throws TlsException {
        if (config.engine() == EngineChoice.JDK) {
            return new EngineSelection(jdk, jdk.name());
        }
        final boolean isRequired = config.engine() == EngineChoice.NATIVE;
        final List<String> failures = new ArrayList<>();
        final TlsEngineProvider provider = provider(failures);
        if (provider == null) {
            if (isRequired) {
                throw new TlsException(NOT_USED + "no provider of it can be loaded: " + failures + REMEDY);
            }
            return new EngineSelection(jdk, jdk.name());
        }
        final String reason = material == null
                ? "the program gives its certificates as a context of the JDK (give files)"
                : provider.whyNot(material);
        if (reason == null && material != null) {
            try {
                final TlsEngines engines = provider.open(material);
                return new EngineSelection(engines, engines.name());
            } catch (final TlsException e) {
                return instead(jdk, isRequired, provider, String.valueOf(e.getMessage()));
            }
        }
        return instead(jdk, isRequired, provider, String.valueOf(reason));
    }

    private static EngineSelection instead(
            final JdkEngines jdk, final boolean isRequired, final TlsEngineProvider provider, final String reason)
            throws TlsException {
        if (isRequired) {
            throw new TlsException(NOT_USED + reason + REMEDY);
        }
        return new EngineSelection(
                jdk, provider.isPresent() ? jdk.name() + ", since native cannot be used: " + reason : jdk.name());
    }

    /** The first one that can be loaded; null for none. */
    private static @Nullable TlsEngineProvider provider(final List<String> failures) {
        final Iterator<TlsEngineProvider> found = ServiceLoader.load(
                        TlsEngineProvider.class, TlsEngineProvider.class.getClassLoader())
                .iterator();
        while (failures.size() < FAILURE_COUNT_MAX) {
            try {
                return found.hasNext() ? found.next() : null;
            } catch (final ServiceConfigurationError | LinkageError | RuntimeException e) {
                failures.add(e.toString());
            }
        }
        return null;
    }
}
