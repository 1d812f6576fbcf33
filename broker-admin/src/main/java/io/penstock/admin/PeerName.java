package io.penstock.admin;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the name of a peer tells, such as {@code http://127.0.0.1:40112}. */
final class PeerName {
    /** A literal address alone: nothing is looked up by it. */
    private static final Pattern ADDRESS = Pattern.compile("https?://(\\[[0-9a-fA-F:.]+(?:%[^]]*)?]|[0-9.]+):\\d+");

    private PeerName() {}

    /** Whether a peer is on this machine. */
    static boolean isLocal(final String peer) {
        final Matcher matcher = ADDRESS.matcher(peer);
        if (!matcher.matches()) {
            return false;
        }
        try {
            return InetAddress.getByName(matcher.group(1)).isLoopbackAddress();
        } catch (final UnknownHostException e) {
            return false;
        }
    }
}
