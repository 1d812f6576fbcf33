package io.penstock.broker;

import io.penstock.transport.Transports;
import io.penstock.transport.tls.ClientCertificates;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;

/** Which endpoints other machines can reach, and whether they may. */
final class ListenCheck {
    private ListenCheck() {}

    static void check(final BrokerConfig config) {
        for (final URI endpoint : config.listen()) {
            if (!config.security().allowInsecureListen() && isInsecure(config, endpoint)) {
                throw new IllegalArgumentException("listen: other machines can reach " + endpoint + ", and "
                        + missing(config, endpoint)
                        + " (listen on 127.0.0.1, or use an encrypted endpoint such as tcps with security.users,"
                        + " security.tokens, an authenticator or tls.clientCertificates: required, or set security.allowInsecureListen if the network is"
                        + " trusted)");
            }
        }
    }

    private static String missing(final BrokerConfig config, final URI endpoint) {
        if (isEncrypted(endpoint)) {
            return "nothing is authenticated";
        }
        return "nothing is encrypted" + (isAuthenticated(config, endpoint) ? "" : " or authenticated");
    }

    /** Whether other machines can reach an endpoint without encryption, or without saying who they are. */
    static boolean isInsecure(final BrokerConfig config, final URI endpoint) {
        return !isLocal(endpoint) && !(isEncrypted(endpoint) && isAuthenticated(config, endpoint));
    }

    static boolean isEncrypted(final URI endpoint) {
        return Transports.providerFor(endpoint).isEncrypted();
    }

    static boolean isAuthenticated(final BrokerConfig config, final URI endpoint) {
        return config.security().knowsUsers()
                || (isEncrypted(endpoint) && config.tls().clientCertificates() == ClientCertificates.REQUIRED);
    }

    static boolean isLocal(final URI endpoint) {
        // Not URI.getHost(), which knows no names with an underscore: transports listen on those as well.
        final String authority = endpoint.getRawAuthority();
        if (authority == null) {
            return true;
        }
        final int colon = authority.lastIndexOf(':');
        final String host = colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
        try {
            for (final InetAddress address : InetAddress.getAllByName(host)) {
                if (!address.isLoopbackAddress()) {
                    return false;
                }
            }
            return true;
        } catch (final UnknownHostException e) {
            throw new IllegalArgumentException(
                    "listen: unknown host: " + endpoint + " (use an address of this machine)", e);
        }
    }
}
