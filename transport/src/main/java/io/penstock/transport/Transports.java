package io.penstock.transport;

import java.net.URI;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** Finds the transport for a URI among those on the class path. */
public final class Transports {
    private Transports() {}

    /**
     * Finds the provider for an endpoint.
     *
     * @param endpoint whose scheme decides.
     * @return the provider.
     * @throws IllegalArgumentException when no provider on the class path serves the scheme.
     */
    public static TransportProvider providerFor(final URI endpoint) {
        final TreeMap<String, TransportProvider> providers = new TreeMap<>();
        for (final TransportProvider provider : ServiceLoader.load(TransportProvider.class)) {
            providers.put(provider.scheme(), provider);
        }
        final String scheme = endpoint.getScheme();
        final TransportProvider provider = scheme == null ? null : providers.get(scheme);
        if (provider == null) {
            throw new IllegalArgumentException(
                    "endpoint: no transport for its scheme: " + endpoint + " (use one of " + providers.keySet() + ")");
        }
        return provider;
    }
}
