package io.penstock.transport.stream;

import io.penstock.transport.TransportContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * An endpoint {@code scheme://host:port?option=value}, taken apart.
 *
 * @param uri     as it was given.
 * @param scheme  of it.
 * @param host    a name or an address, without brackets.
 * @param port    0 for any free one.
 * @param options by name.
 */
public record StreamEndpoint(URI uri, String scheme, String host, int port, Map<String, String> options) {
    /** An option of media with bounded units: the most bytes of one call to send. */
    public static final String UNIT = "unit";

    /** The least unit that makes sense. */
    public static final int UNIT_MIN = 1024;

    private static final int PORT_MAX = 0xFFFF;

    public StreamEndpoint {
        options = Map.copyOf(options);
    }

    /**
     * Takes an endpoint apart.
     *
     * @param uri    as it was given.
     * @param medium that it must belong to.
     * @return its parts.
     * @throws IOException when it is malformed, or has options that the medium does not know.
     */
    public static StreamEndpoint parse(final URI uri, final StreamMedium medium) throws IOException {
        // Not URI.getHost(): it knows no names with an underscore, which container networks are full of.
        final String authority = uri.getRawAuthority();
        final int colon = authority == null ? -1 : authority.lastIndexOf(':');
        final String scheme = medium.scheme();
        if (!scheme.equals(uri.getScheme()) || authority == null || colon <= 0) {
            throw malformed(uri, scheme);
        }
        final String host = authority.substring(0, colon);
        final boolean isIpv6Literal = host.startsWith("[") && host.endsWith("]");
        if (!isIpv6Literal && host.indexOf(':') >= 0) {
            throw malformed(uri, scheme);
        }
        final int port;
        try {
            port = Integer.parseInt(authority.substring(colon + 1));
        } catch (final NumberFormatException ex) {
            throw malformed(uri, scheme);
        }
        if (port < 0 || port > PORT_MAX) {
            throw malformed(uri, scheme);
        }
        final String name = isIpv6Literal ? host.substring(1, host.length() - 1) : host;
        final StreamEndpoint endpoint = new StreamEndpoint(uri, scheme, name, port, options(uri, medium));
        endpoint.sendLengthMax(medium);
        return endpoint;
    }

    private static IOException malformed(final URI uri, final String scheme) {
        return new IOException("endpoint: not a host and a port: " + uri + " (use " + scheme + "://host:port)");
    }

    private static Map<String, String> options(final URI uri, final StreamMedium medium) throws IOException {
        final Map<String, String> options = new TreeMap<>();
        if (uri.getQuery() == null) {
            return options;
        }
        final TreeSet<String> known = new TreeSet<>(medium.options());
        final boolean hasUnits = medium.sendLengthMax() != StreamMedium.UNBOUNDED;
        if (hasUnits) {
            known.add(UNIT + "=BYTES");
        }
        for (final String option : uri.getQuery().split("&", -1)) {
            final int equals = option.indexOf('=');
            final String name = equals < 0 ? option : option.substring(0, equals);
            if (equals < 0 || !(medium.options().contains(option) || (hasUnits && name.equals(UNIT)))) {
                throw new IOException("endpoint: an option is not known: " + option + " of " + uri
                        + (known.isEmpty() ? " (use none)" : " (use " + String.join(", ", known) + ")"));
            }
            options.put(name, option.substring(equals + 1));
        }
        return options;
    }

    /** The most bytes of one call to send on connections of this endpoint. */
    int sendLengthMax(final StreamMedium medium) throws IOException {
        final String text = options.get(UNIT);
        if (text == null) {
            return medium.sendLengthMax();
        }
        final int unitMax = Math.min(medium.sendLengthMax(), TransportContext.FRAGMENT_LENGTH_MIN);
        try {
            final int unit = Integer.parseInt(text);
            if (unit >= UNIT_MIN && unit <= unitMax) {
                return unit;
            }
        } catch (final NumberFormatException ex) {
            // Said below.
        }
        throw new IOException("endpoint: unit is out of range: " + text + " of " + uri + " (use " + UNIT_MIN + " to "
                + unitMax + " bytes)");
    }

    /**
     * The addresses of the host.
     *
     * @return at least one.
     * @throws IOException when nobody knows it.
     */
    public InetAddress[] resolve() throws IOException {
        try {
            return InetAddress.getAllByName(host);
        } catch (final UnknownHostException ex) {
            throw new IOException(uri + ": unknown host: " + host + " (correct the name, or use an address)", ex);
        }
    }

    /** The same endpoint with the port that was bound. */
    URI bound(final int boundPort) {
        final String query = uri.getRawQuery();
        return URI.create(scheme + "://" + hostText(host) + ":" + boundPort + (query == null ? "" : "?" + query));
    }

    static String textOf(final String scheme, final InetSocketAddress address) {
        return scheme + "://" + hostText(address.getAddress().getHostAddress()) + ":" + address.getPort();
    }

    private static String hostText(final String host) {
        return host.indexOf(':') < 0 ? host : "[" + host + "]";
    }
}
