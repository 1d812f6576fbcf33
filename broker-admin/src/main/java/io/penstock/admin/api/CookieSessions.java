package io.penstock.admin.api;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.penstock.admin.http.ProblemException;
import io.penstock.admin.http.Request;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochClock;
import org.jspecify.annotations.Nullable;

/** Those who have logged on, by the secret in their cookie. Bounded. Safe on any thread. */
final class CookieSessions {
    static final String COOKIE = "penstock_session";

    static final int COUNT_MAX = 1000;

    /** A further one ends the oldest. */
    static final int COUNT_OF_USER_MAX = 20;

    private static final int SECRET_LENGTH = 32;

    private final ConcurrentHashMap<String, Session> bySecret = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();
    private final EpochClock clock;
    private final int timeoutMs;
    private final boolean isEncrypted;

    /**
     * A session.
     *
     * @param proof     of who it is, and whether that still holds.
     * @param expiresMs when it ends, in milliseconds since 1970.
     */
    record Session(Admitted proof, long expiresMs) {
        boolean isOver(final long nowMs) {
            return expiresMs <= nowMs || !proof.validity().isValid();
        }
    }

    CookieSessions(final EpochClock clock, final int timeoutMs, final boolean isEncrypted) {
        this.clock = clock;
        this.timeoutMs = timeoutMs;
        this.isEncrypted = isEncrypted;
    }

    /** Opens a session. Returns the cookie that is to be set. */
    String open(final Admitted admitted) {
        final long nowMs = clock.time();
        if (bySecret.size() >= COUNT_MAX) {
            bySecret.values().removeIf(session -> session.isOver(nowMs));
            if (bySecret.size() >= COUNT_MAX) {
                throw new ProblemException(
                        503, "TOO_MANY_SESSIONS", "session: too many: " + COUNT_MAX + " (log off, or try again later)");
            }
        }
        limit(admitted.principal().name());
        final byte[] secret = new byte[SECRET_LENGTH];
        random.nextBytes(secret);
        final String text = HexFormat.of().formatHex(secret);
        bySecret.put(text, new Session(admitted, nowMs + timeoutMs));
        return cookie(text, TimeUnit.MILLISECONDS.toSeconds(timeoutMs));
    }

    /** Ends the session of a user that would end first, when there are too many of that user. */
    private void limit(final String user) {
        final List<Map.Entry<String, Session>> own = bySecret.entrySet().stream()
                .filter(each -> each.getValue().proof.principal().name().equals(user))
                .toList();
        if (own.size() >= COUNT_OF_USER_MAX) {
            own.stream()
                    .min(Comparator.comparingLong(each -> each.getValue().expiresMs))
                    .ifPresent(each -> bySecret.remove(each.getKey()));
        }
    }

    /** The session of a request; null when it has none. */
    @Nullable
    Session find(final Request request) {
        final String secret = secret(request);
        final Session session = secret == null ? null : bySecret.get(secret);
        if (session == null || secret == null) {
            return null;
        }
        if (session.isOver(clock.time())) {
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
