package io.penstock.transport.rdma;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;

/** An endpoint {@code rdma://host:port}, taken apart. */
record RdmaEndpoint(URI uri, String host, int port) {
    static final String SCHEME = "rdma";

    private static final int PORT_MAX = 0xFFFF;

    static RdmaEndpoint parse(final URI uri) throws IOException {
        // Not URI.getHost(): it knows no names with an underscore.
        final String authority = uri.getRawAuthority();
        final int colon = authority == null ? -1 : authority.lastIndexOf(':');
        if (!SCHEME.equals(uri.getScheme()) || authority == null || colon <= 0) {
            throw malformed(uri);
        }
        final String host = authority.substring(0, colon);
        final boolean isIpv6Literal = host.startsWith("[") && host.endsWith("]");
        if (!isIpv6Literal && host.indexOf(':') >= 0) {
            throw malformed(uri);
        }
        try {
            final int port = Integer.parseInt(authority.substring(colon + 1));
            if (port >= 0 && port <= PORT_MAX) {
                return new RdmaEndpoint(uri, isIpv6Literal ? host.substring(1, host.length() - 1) : host, port);
            }
        } catch (final NumberFormatException ignored) {
            // Handled like a port out of range.
        }
        throw malformed(uri);
    }

    private static IOException malformed(final URI uri) {
        return new IOException("endpoint: not for RDMA: " + uri
                + " (use rdma://host:port, with an address of an interface that has an RDMA device)");
    }

    InetSocketAddress resolve() throws IOException {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (final UnknownHostException ex) {
            throw new IOException("unknown host: " + host + " (correct the name, or use an address)", ex);
        }
    }

    /** The same host with the port that was bound. */
    URI bound(final int boundPort) {
        return URI.create(SCHEME + "://" + hostText(host) + ":" + boundPort);
    }

    static String textOf(final InetSocketAddress address) {
        return SCHEME + "://" + hostText(address.getAddress().getHostAddress()) + ":" + address.getPort();
    }

    private static String hostText(final String host) {
        return host.indexOf(':') < 0 ? host : "[" + host + "]";
    }
}
