package io.penstock.broker;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;

/** Which endpoints other machines can reach, and whether they may. */
final class ListenCheck {
    private ListenCheck() {}

    static void check(final BrokerConfig config) {
        final SecurityConfig security = config.security();
        for (final URI endpoint : config.listen()) {
            if (!security.allowInsecureListen() && !isLocal(endpoint)) {
                throw new IllegalArgumentException("listen: other machines can reach " + endpoint
                        + ", and nothing is encrypted"
                        + (security.knowsUsers() ? "" : " or authenticated")
                        + " (listen on 127.0.0.1, or set security.allowInsecureListen if the network is trusted)");
            }
        }
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
