package io.penstock.transport.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;

/** An endpoint {@code tcp://host:port}, taken apart. */
record TcpEndpoint(URI uri, String host, int port) {
    static final String SCHEME = "tcp";

    private static final int PORT_MAX = 0xFFFF;

    static TcpEndpoint parse(final URI uri) throws IOException {
        // Not URI.getHost(): it knows no names with an underscore, which container networks are full of.
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
        final int port;
        try {
            port = Integer.parseInt(authority.substring(colon + 1));
        } catch (final NumberFormatException ex) {
            throw malformed(uri);
        }
        if (port < 0 || port > PORT_MAX) {
            throw malformed(uri);
        }
        return new TcpEndpoint(uri, isIpv6Literal ? host.substring(1, host.length() - 1) : host, port);
    }

    private static IOException malformed(final URI uri) {
        return new IOException("endpoint: not a TCP address: " + uri + " (use tcp://host:port)");
    }

    InetAddress[] resolve() throws IOException {
        try {
            return InetAddress.getAllByName(host);
        } catch (final UnknownHostException ex) {
            throw new IOException(uri + ": unknown host: " + host + " (correct the name, or use an address)", ex);
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
