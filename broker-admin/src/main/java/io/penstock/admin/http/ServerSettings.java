package io.penstock.admin.http;

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

    String scheme() {
        return tls == null ? "http" : "https";
    }
}
