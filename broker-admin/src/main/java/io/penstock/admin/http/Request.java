package io.penstock.admin.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that is whole and well formed. Immutable.
 *
 * @param method   of it.
 * @param segments of the path, decoded.
 * @param query    parameters by name, decoded; each once.
 * @param headers  of it.
 * @param body     of it, may be empty.
 * @param peer     the other end of the connection, for example {@code http://127.0.0.1:40112}.
 * @param isLocal  whether that is on this machine.
 * @param isEncrypted whether the connection is.
 * @param certificates that the connection proves to be its, its own first; empty for none.
 */
@SuppressWarnings("ArrayRecordComponent") // It is read once, and never compared.
public record Request(
        String method,
        List<String> segments,
        Map<String, String> query,
        HttpHeaders headers,
        byte[] body,
        String peer,
        boolean isLocal,
        boolean isEncrypted,
        List<X509Certificate> certificates) {
    private static final String BEARER = "Bearer ";

    /** Whether it changes nothing: {@code GET}, or {@code HEAD} for what comes before the answer to one. */
    public boolean isRead() {
        return method.equals("GET") || isHead();
    }

    /** Whether the answer is to have no body. */
    public boolean isHead() {
        return method.equals("HEAD");
    }

    /** A header that is there once, or null. */
    public @Nullable String header(final String name) {
        final List<String> values = headers.getAll(name);
        return values.size() == 1 ? values.get(0) : null;
    }

    /** The token of an {@code Authorization: Bearer} header that is there once, or null. */
    public @Nullable String bearerToken() {
        final String authorization = header("Authorization");
        return authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? authorization.substring(BEARER.length()).strip()
                : null;
    }

    /** A parameter; empty when it is left out. */
    public String parameter(final String name) {
        return query.getOrDefault(name, "");
    }

    /** A parameter that is a whole number within bounds. */
    public int parameter(final String name, final int byDefault, final int min, final int max) {
        final String text = query.get(name);
        if (text == null) {
            return byDefault;
        }
        try {
            final int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (final NumberFormatException e) {
            // Said below.
        }
        throw new ProblemException(
                400, "BAD_PARAMETER", name + ": out of range: " + text + " (use " + min + " to " + max + ")");
    }

    /** Whether it comes from a page of this server or its scripts, not from a link or a command line. */
    public boolean isFromScript() {
        return headers.contains(RequestCheck.OWN_HEADER);
    }
}
