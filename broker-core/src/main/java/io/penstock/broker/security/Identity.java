package io.penstock.broker.security;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Clients that share one quota: those of an authenticated user; else all anonymous clients of a machine, as names and
 * ports cost nothing. A host with IPv6 may have any number of addresses, most often 2^64 with one prefix, so the prefix
 * counts.
 */
public final class Identity {
    private static final int PREFIX_LENGTH = 8;

    private Identity() {}

    /**
     * Who a client counts as.
     *
     * @param principal that it was proved to be.
     * @param peer      name of its end of the connection.
     * @param isLocal   whether it is on this machine.
     * @return the same for all that count as one.
     */
    public static String of(final Principal principal, final String peer, final boolean isLocal) {
        if (!principal.equals(Principal.ANONYMOUS)) {
            return "user " + principal.name();
        }
        return isLocal ? "clients of this machine" : "clients at " + host(peer);
    }

    /** The host in the name of a peer, with its scheme; of an IPv6 address the first 64 bits. */
    public static String host(final String peer) {
        final int port = peer.lastIndexOf(':');
        final String host = port > peer.indexOf(':') ? peer.substring(0, port) : peer;
        final int start = host.indexOf('[');
        final int end = host.indexOf(']', start + 1);
        return start < 0 || end < 0 ? host : host.substring(0, start) + prefix(host.substring(start + 1, end));
    }

    private static String prefix(final String literal) {
        final int scope = literal.indexOf('%');
        final InetAddress address;
        try {
            // In brackets it is never looked up as a name.
            address = InetAddress.getByName('[' + (scope < 0 ? literal : literal.substring(0, scope)) + ']');
        } catch (final UnknownHostException e) {
            return '[' + literal + ']';
        }
        // All hosts of a link have the same prefix there.
        if (!(address instanceof Inet6Address) || address.isLinkLocalAddress()) {
            return '[' + literal + ']';
        }
        final byte[] bytes = address.getAddress();
        final StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < PREFIX_LENGTH; i += 2) {
            text.append(Integer.toHexString(((bytes[i] & 0xff) << 8) | (bytes[i + 1] & 0xff)))
                    .append(':');
        }
        return text.append(":]/64").toString();
    }
}
