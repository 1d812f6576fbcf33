package io.penstock.admin.http;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bounds of a server.
 *
 * @param address            to listen on.
 * @param hosts              names by which it may be called, beside {@code localhost}.
 * @param connectionCountMax connections at a time; more get status 503.
 * @param bodyLengthMax      of a request, in bytes.
 * @param requestTimeoutMs   in which a request has to come whole.
 * @param idleTimeoutMs      after which a connection without a request, or of whose answer nothing is taken, is closed.
 * @param tls                encrypts; null for plain HTTP.
 */
public record ServerSettings(
        InetSocketAddress address,
        List<String> hosts,
        int connectionCountMax,
        int bodyLengthMax,
        int requestTimeoutMs,
        int idleTimeoutMs,
        @Nullable Encryption tls) {
    public ServerSettings {
        hosts = List.copyOf(hosts);
    }

    boolean isEncrypted() {
        return tls != null;
    }

    /** The other end of a connection, with the scheme. */
    String peer(final Channel channel) {
        if (!(channel.remoteAddress() instanceof InetSocketAddress remote)) {
            return "gone";
        }
        final String host = remote.getAddress().getHostAddress();
        return (tls == null ? "http" : "https") + "://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":"
                + remote.getPort();
    }
}
