package io.penstock.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads the servers that one text names, separated by commas: {@code tcp://a:9100,b:9100}, {@code
 * tcp://a:9100,tcp://b:9100} or {@code ipc:a,ipc:b}. What has no scheme has that of the first one. The names of transports
 * without hosts may have commas in them, so there each server begins with the scheme.
 */
final class Servers {
    /** More are a mistake: with each a client waits for {@link ClientConfig#connectTimeoutNs()}. */
    static final int COUNT_MAX = 64;

    private static final String HOSTS = "://";
    private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[^\\[\\]]+]|[^:@\\[\\]]+):([0-9]{1,5})");
    private static final int PORT_MAX = 0xFFFF;

    private Servers() {}

    /** At least one. */
    static List<URI> of(final String text) {
        final int colon = text.indexOf(':');
        if (text.indexOf(',') < 0 || colon < 0) {
            return List.of(uri(text));
        }
        final String scheme = text.substring(0, colon);
        final boolean hasHosts = text.startsWith(HOSTS, colon);
        final String[] parts =
                hasHosts ? text.split(",", -1) : text.split(",(?=\\s*" + Pattern.quote(scheme) + ":)", -1);
        if (parts.length > COUNT_MAX) {
            throw tooMany(parts.length);
        }
        final List<URI> servers = new ArrayList<>(parts.length);
        for (final String part : parts) {
            final String server = part.strip();
            if (server.isEmpty() || server.equals(scheme + HOSTS)) {
                throw new IllegalArgumentException("client.endpoint: a server is missing between commas: " + text
                        + " (use a list such as tcp://a:9100,b:9100)");
            }
            servers.add(uri(hasHosts && !server.contains(HOSTS) ? scheme + HOSTS + server : server));
        }
        if (servers.stream().anyMatch(Servers::hasHostAndPort)) {
            servers.forEach(Servers::checkHostAndPort);
        }
        return servers;
    }

    /** All must be right before one is needed, which may be much later. */
    private static void checkHostAndPort(final URI server) {
        if (!hasHostAndPort(server)) {
            throw new IllegalArgumentException("client.endpoint: not a host and a port: " + server + " (use "
                    + server.getScheme() + "://host:port, with brackets around an IPv6 address)");
        }
    }

    private static boolean hasHostAndPort(final URI server) {
        final var parts = HOST_AND_PORT.matcher(String.valueOf(server.getRawAuthority()));
        if (!parts.matches()) {
            return false;
        }
        final int port = Integer.parseInt(parts.group(2));
        return port > 0 && port <= PORT_MAX;
    }

    /** A copy of a list that is as it should be. */
    static List<URI> checked(final URI endpoint, final List<URI> servers) {
        if (servers.size() > COUNT_MAX) {
            throw tooMany(servers.size());
        }
        for (final URI server : servers) {
            if (!String.valueOf(server.getScheme()).equals(endpoint.getScheme())) {
                throw new IllegalArgumentException("client.servers: of different schemes: " + endpoint + ", " + server
                        + " (use servers of one transport)");
            }
        }
        return List.copyOf(servers);
    }

    private static IllegalArgumentException tooMany(final int count) {
        return new IllegalArgumentException("client.servers: too many: " + count + " (use " + COUNT_MAX + " at most)");
    }

    private static URI uri(final String endpoint) {
        try {
            final URI uri = new URI(endpoint);
            if (uri.getScheme() == null) {
                throw new IllegalArgumentException(
                        "client.endpoint: has no scheme: " + endpoint + " (use one such as tcp://127.0.0.1:9100)");
            }
            return uri;
        } catch (final URISyntaxException e) {
            throw new IllegalArgumentException(
                    "client.endpoint: not a URI: " + endpoint + " (use one such as tcp://127.0.0.1:9100)", e);
        }
    }
}
