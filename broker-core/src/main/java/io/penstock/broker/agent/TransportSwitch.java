package io.penstock.broker.agent;

import io.penstock.broker.monitor.TransportInfo;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Whether a transport of an I/O agent takes new connections, and how many it has. Confined to that agent. */
final class TransportSwitch {
    private final String scheme;
    private final List<URI> endpoints = new ArrayList<>();
    private boolean isEnabled = true;
    private int connectionCount;
    private long refusedCount;

    TransportSwitch(final String scheme) {
        this.scheme = scheme;
    }

    String scheme() {
        return scheme;
    }

    void onListening(final URI endpoint) {
        endpoints.add(endpoint);
    }

    void isEnabled(final boolean value) {
        isEnabled = value;
    }

    /** Whether a new connection may stay. */
    boolean admits() {
        refusedCount += isEnabled ? 0 : 1;
        return isEnabled;
    }

    void onConnections(final int count) {
        connectionCount = count;
    }

    TransportInfo info(final int ioAgent) {
        return new TransportInfo(ioAgent, scheme, endpoints, isEnabled, connectionCount, refusedCount);
    }
}
