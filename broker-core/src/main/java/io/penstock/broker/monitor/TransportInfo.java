package io.penstock.broker.monitor;

import java.net.URI;
import java.util.List;

/**
 * What is known of a transport of an I/O agent. Immutable.
 *
 * @param ioAgent     that owns it.
 * @param scheme      of its endpoints.
 * @param endpoints   that it listens on.
 * @param isEnabled   whether it takes new connections.
 * @param connections that are open.
 * @param refused     new connections that were refused because it is not enabled.
 */
public record TransportInfo(
        int ioAgent, String scheme, List<URI> endpoints, boolean isEnabled, int connections, long refused) {
    public TransportInfo {
        endpoints = List.copyOf(endpoints);
    }
}
