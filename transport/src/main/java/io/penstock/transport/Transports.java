package io.penstock.transport;

import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** Finds the transport for a URI among those on the class path. */
public final class Transports {
    /** A class loader that always fails may never come to its end. */
    private static final int FAILURE_COUNT_MAX = 100;

    private Transports() {}

    /**
     * Finds the provider for an endpoint. Providers that cannot be loaded keep nobody from the others.
     *
     * @param endpoint whose scheme decides.
     * @return the provider.
     * @throws IllegalArgumentException when no provider on the class path serves the scheme; suppressed are the failures of
     *     those that could not be loaded.
     */
    public static TransportProvider providerFor(final URI endpoint) {
        final String scheme = endpoint.getScheme();
        final TreeSet<String> schemes = new TreeSet<>();
        final List<Throwable> failures = new ArrayList<>();
        final Iterator<TransportProvider> found =
                ServiceLoader.load(TransportProvider.class).iterator();
        boolean isAtEnd = false;
        while (!isAtEnd && failures.size() < FAILURE_COUNT_MAX) {
            try {
                isAtEnd = !found.hasNext();
                if (!isAtEnd) {
                    final TransportProvider provider = found.next();
                    if (provider.scheme().equals(scheme)) {
                        return provider;
                    }
                    schemes.add(provider.scheme());
                }
            } catch (final ServiceConfigurationError | LinkageError | RuntimeException e) {
                failures.add(e);
            }
        }
        final IllegalArgumentException none = new IllegalArgumentException("endpoint: no transport for its scheme: "
                + endpoint + " (use one of " + schemes + ")"
                + (failures.isEmpty() ? "" : "; could not be loaded: " + failures));
        failures.forEach(none::addSuppressed);
        throw none;
    }
}
