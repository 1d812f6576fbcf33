package io.penstock.admin.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.NetUtil;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Refuses requests that a page of another site may have caused: those to a host's name that is not ours, which is how names
 * are rebound to this machine, those from another origin, and changes without a header that other sites cannot send.
 * Immutable.
 */
public final class RequestCheck {
    /** Other sites cannot send it without being allowed to, and nobody is allowed to. */
    public static final String OWN_HEADER = "X-Penstock-Request";

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "DELETE");

    /** A name or an address, and a port; the form alone. */
    private static final Pattern HOST = Pattern.compile("(\\[[0-9A-Fa-f:.]+\\]|[^\\[\\]@:/?#\\s]+)(:\\d{1,5})?");

    private final Set<String> hosts = new HashSet<>();
    private final boolean isEncrypted;

    /**
     * Makes the check of a server.
     *
     * @param hosts       names by which it may be called, beside {@code localhost}; addresses may always be used.
     * @param isEncrypted whether it speaks https.
     */
    public RequestCheck(final List<String> hosts, final boolean isEncrypted) {
        this.hosts.add("localhost");
        hosts.forEach(host -> this.hosts.add(host.toLowerCase(Locale.ROOT)));
        this.isEncrypted = isEncrypted;
    }

    /** Throws a problem when the request is to be refused. */
    void check(final Request request) {
        if (!METHODS.contains(request.method())) {
            throw new ProblemException(
                    405,
                    "BAD_METHOD",
                    "method: not supported: " + request.method() + " (use GET, HEAD, POST or DELETE)");
        }
        final HttpHeaders headers = request.headers();
        final String host = request.header("Host");
        if (host == null) {
            throw new ProblemException(400, "BAD_HOST", "Host: missing, or there twice (send it once)");
        }
        if (!HOST.matcher(host).matches()) {
            throw new ProblemException(400, "BAD_HOST", "Host: not a name with a port: " + host + " (send HOST:PORT)");
        }
        final String name = name(host);
        if (!isAddress(name) && !hosts.contains(name.toLowerCase(Locale.ROOT))) {
            throw new ProblemException(
                    421,
                    "BAD_HOST",
                    "Host: not a name of this server: " + name
                            + " (call it by an address or localhost, or add the name to admin.hosts)");
        }
        for (final String origin : headers.getAll(HttpHeaderNames.ORIGIN)) {
            if (!isOwn(origin, host)) {
                throw new ProblemException(
                        403,
                        "CROSS_ORIGIN",
                        "Origin: another site: " + origin + " (only pages of this server may call it)");
            }
        }
        if (headers.contains("Sec-Fetch-Site", "cross-site", true)) {
            throw new ProblemException(
                    403, "CROSS_ORIGIN", "Sec-Fetch-Site: cross-site (only pages of this server may call it)");
        }
        if (!request.isRead()) {
            checkChange(request);
        }
    }

    private static void checkChange(final Request request) {
        // No other site can have a browser send a token.
        if (!request.isFromScript() && request.bearerToken() == null) {
            throw new ProblemException(
                    403, "MISSING_HEADER", OWN_HEADER + ": missing (send it with any value; other sites cannot)");
        }
        final String type = String.valueOf(request.header("Content-Type"));
        final String plain = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (request.body().length > 0 && !plain.equals("application/json")) {
            throw new ProblemException(
                    415, "BAD_MEDIA_TYPE", "Content-Type: not application/json: " + plain + " (send JSON)");
        }
    }

    /** The name in a Host header, without its port and brackets. */
    private static String name(final String host) {
        if (host.startsWith("[")) {
            final int end = host.indexOf(']');
            return end < 0 ? host : host.substring(1, end);
        }
        final int colon = host.indexOf(':');
        return colon < 0 ? host : host.substring(0, colon);
    }

    private static boolean isAddress(final String name) {
        return NetUtil.isValidIpV4Address(name) || NetUtil.isValidIpV6Address(name);
    }

    private boolean isOwn(final String origin, final String host) {
        try {
            final URI uri = URI.create(origin);
            return (isEncrypted ? "https" : "http").equals(uri.getScheme())
                    && host.equalsIgnoreCase(uri.getRawAuthority());
        } catch (final IllegalArgumentException e) {
            return false;
        }
    }
}
