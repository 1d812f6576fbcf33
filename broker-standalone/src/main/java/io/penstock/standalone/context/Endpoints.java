package io.penstock.standalone.context;

import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds endpoints that no broker can have, before one is asked. */
public final class Endpoints {
    private static final Set<String> SOCKETS = Set.of("tcp", "tcps");
    private static final Pattern HOST_AND_PORT = Pattern.compile("(?:\\[[^\\]]+\\]|[^:\\[\\]]+):([0-9]{1,5})");
    private static final int PORT_MAX = 0xFFFF;

    private Endpoints() {}

    /**
     * Checks those of TCP.
     *
     * @param servers to be connected to.
     * @throws IllegalArgumentException when one has no host and port.
     */
    public static void check(final List<URI> servers) {
        for (final URI server : servers) {
            if (SOCKETS.contains(String.valueOf(server.getScheme())) && !hasHostAndPort(server)) {
                throw new IllegalArgumentException("not a host and a port: " + server + " (use " + server.getScheme()
                        + "://host:port, with a" + " port from 1 to " + PORT_MAX + ")");
            }
        }
    }

    private static boolean hasHostAndPort(final URI server) {
        final Matcher parts = HOST_AND_PORT.matcher(String.valueOf(server.getRawAuthority()));
        if (!parts.matches()) {
            return false;
        }
        final int port = Integer.parseInt(parts.group(1));
        return port > 0 && port <= PORT_MAX;
    }
}
