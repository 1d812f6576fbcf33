package io.penstock.transport.inproc;

import java.io.IOException;
import java.net.URI;

/** Reads the name out of an endpoint. */
final class InprocEndpoint {
    static final String SCHEME = "inproc";

    private InprocEndpoint() {}

    static String nameOf(final URI endpoint) throws IOException {
        String name = endpoint.getSchemeSpecificPart();
        if (name.startsWith("//")) {
            name = name.substring(2);
        }
        if (!SCHEME.equals(endpoint.getScheme()) || name.isEmpty() || name.indexOf('?') >= 0) {
            throw new IOException("endpoint: not an in-process name: " + endpoint + " (use inproc:name)");
        }
        return name;
    }

    static URI endpointOf(final String name) {
        return URI.create(SCHEME + ":" + name);
    }
}
