package io.penstock.admin.api;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.penstock.admin.http.ProblemException;
import io.penstock.admin.http.Request;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.AuthenticationStep.Validity;
import io.penstock.broker.security.Principal;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochClock;
import org.jspecify.annotations.Nullable;

/** Those who have logged on, by the secret in their cookie. Bounded. Safe on any thread. */
final class CookieSessions {
    static final String COOKIE = "penstock_session";

    static final int COUNT_MAX = 1000;

    private static final int SECRET_LENGTH = 32;

    private final ConcurrentHashMap<String, Session> bySecret = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();
    private final EpochClock clock;
    private final int timeoutMs;
    private final boolean isEncrypted;

    /**
     * A session.
     *
     * @param principal who it is.
     * @param validity  whether its user is still what was proved.
     * @param expiresMs when it ends, in milliseconds since 1970.
     */
    record Session(Principal principal, Validity validity, long expiresMs) {}

    CookieSessions(final EpochClock clock, final int timeoutMs, final boolean isEncrypted) {
        this.clock = clock;
        this.timeoutMs = timeoutMs;
        this.isEncrypted = isEncrypted;
    }

    /** Opens a session. Returns the cookie that is to be set. */
    String open(final Admitted admitted) {
        final long nowMs = clock.time();
        if (bySecret.size() >= COUNT_MAX) {
            bySecret.values().removeIf(session -> session.expiresMs <= nowMs);
            if (bySecret.size() >= COUNT_MAX) {
                throw new ProblemException(
                        503, "TOO_MANY_SESSIONS", "session: too many: " + COUNT_MAX + " (log off, or try again later)");
            }
        }
        final byte[] secret = new byte[SECRET_LENGTH];
        random.nextBytes(secret);
        final String text = HexFormat.of().formatHex(secret);
        bySecret.put(text, new Session(admitted.principal(), admitted.validity(), nowMs + timeoutMs));
        return cookie(text, TimeUnit.MILLISECONDS.toSeconds(timeoutMs));
    }

    /** The session of a request; null when it has none. */
    @Nullable
    Session find(final Request request) {
        final String secret = secret(request);
        final Session session = secret == null ? null : bySecret.get(secret);
        if (session == null || secret == null) {
            return null;
        }
        if (session.expiresMs <= clock.time() || !session.validity.isValid()) {
            bySecret.remove(secret);
            return null;
        }
        return session;
    }

    /** Ends the session of a request. Returns the cookie that is to be set, which removes it. */
    String close(final Request request) {
        final String secret = secret(request);
        if (secret != null) {
            bySecret.remove(secret);
        }
        return cookie("", 0);
    }

    private String cookie(final String secret, final long ageS) {
        return COOKIE + "=" + secret + "; Path=/; Max-Age=" + ageS + "; HttpOnly; SameSite=Strict"
                + (isEncrypted ? "; Secure" : "");
    }

    private static @Nullable String secret(final Request request) {
        for (final String header : request.headers().getAll(HttpHeaderNames.COOKIE)) {
            for (final String pair : header.split(";", -1)) {
                final String stripped = pair.strip();
                if (stripped.startsWith(COOKIE + "=")) {
                    return stripped.substring(COOKIE.length() + 1);
                }
            }
        }
        return null;
    }
}
