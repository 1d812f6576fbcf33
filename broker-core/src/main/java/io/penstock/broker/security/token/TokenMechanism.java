package io.penstock.broker.security.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.AuthenticationExchange;
import io.penstock.broker.security.AuthenticationMechanism;
import io.penstock.broker.security.AuthenticationStep;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.AuthenticationStep.Refused;
import io.penstock.broker.security.AuthenticationStep.Validity;
import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.user.User;
import io.penstock.protocol.scram.Utf8;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochClock;
import org.jspecify.annotations.Nullable;

/** Clients that prove who they are by a token that an issuer has signed. Any thread. */
public final class TokenMechanism implements AuthenticationMechanism {
    private static final int LENGTH_MAX = 16 * 1024;
    private static final String START = "n,,\u0001auth=Bearer ";
    private static final String END = "\u0001\u0001";
    private static final byte[] NOTHING = {};

    private final KeySource keys;
    private final TokenRules rules;
    private final EpochClock clock;

    /**
     * Makes it.
     *
     * @param keys  of the issuer.
     * @param rules for tokens.
     * @param clock in milliseconds.
     */
    public TokenMechanism(final KeySource keys, final TokenRules rules, final EpochClock clock) {
        this.keys = keys;
        this.rules = rules;
        this.clock = clock;
    }

    @Override
    public String name() {
        return AccessGate.BEARER;
    }

    /** A token is as good as a password: it is taken where nobody else can read it. */
    @Override
    public boolean isOffered(final Logon logon) {
        return logon.local() || logon.identity().isEncrypted();
    }

    @Override
    public AuthenticationExchange begin(final Logon logon) {
        return message -> {
            try {
                return admitted(logon, message);
            } catch (final TokenRefusal e) {
                return new Refused("token: " + e.getMessage());
            }
        };
    }

    private AuthenticationStep admitted(final Logon logon, final byte[] message) throws TokenRefusal {
        final String text = message.length > LENGTH_MAX ? null : Utf8.decode(message);
        if (text == null
                || !text.startsWith(START)
                || !text.endsWith(END)
                || text.indexOf('\u0001', START.length()) != text.length() - END.length()) {
            throw new TokenRefusal("not a message with a bearer token");
        }
        final Map<String, @Nullable Object> claims =
                verified(text.substring(START.length(), text.length() - END.length()));
        final long nowMs = clock.time();
        final long expiresMs = time(claims, "exp");
        if (expiresMs == Long.MIN_VALUE) {
            throw new TokenRefusal("never expires: no exp");
        }
        if (nowMs - rules.skewMs() >= expiresMs) {
            throw new TokenRefusal("expired " + (nowMs - expiresMs) / 1000 + " s ago");
        }
        final long notBeforeMs = time(claims, "nbf");
        if (nowMs + rules.skewMs() < notBeforeMs) {
            throw new TokenRefusal("not valid for another " + (notBeforeMs - nowMs) / 1000 + " s");
        }
        if (!rules.issuer().equals(claims.get("iss"))) {
            throw new TokenRefusal("of another issuer");
        }
        final Object audience = claims.get("aud");
        if (!rules.audience().equals(audience)
                && !(audience instanceof List<?> list && list.contains(rules.audience()))) {
            throw new TokenRefusal("for another audience");
        }
        final Principal principal = principal(claims);
        if (!logon.user().isEmpty() && !logon.user().equals(principal.name())) {
            throw new TokenRefusal("of another user than the log-on names");
        }
        final long validForMs = Math.min(expiresMs + rules.skewMs() - nowMs, Long.MAX_VALUE / 8_000_000);
        return new Admitted(principal, NOTHING, TimeUnit.MILLISECONDS.toNanos(validForMs), Validity.ALWAYS);
    }

    private Map<String, @Nullable Object> verified(final String token) throws TokenRefusal {
        final String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            throw new TokenRefusal("not three parts with dots between");
        }
        final Map<String, @Nullable Object> header = json(parts[0]);
        if (!(header.get("alg") instanceof String algorithm) || !TokenKey.ALGORITHMS.contains(algorithm)) {
            throw new TokenRefusal("algorithm is not RS256, ES256 or EdDSA");
        }
        if (header.containsKey("crit") || header.containsKey("b64")) {
            throw new TokenRefusal("demands extensions");
        }
        final Object id = header.get("kid");
        if (header.containsKey("kid") && !(id instanceof String)) {
            throw new TokenRefusal("name of its key is no text");
        }
        final TokenKey key = keys.find(id instanceof String given ? given : "", algorithm);
        if (key == null) {
            throw new TokenRefusal("no such key of the issuer");
        }
        final byte[] signed = token.substring(0, token.lastIndexOf('.')).getBytes(UTF_8);
        if (!key.hasSigned(signed, TokenKey.bytes(parts[2]))) {
            throw new TokenRefusal("wrong signature");
        }
        return json(parts[1]);
    }

    private static Map<String, @Nullable Object> json(final String part) throws TokenRefusal {
        final String text = Utf8.decode(TokenKey.bytes(part));
        if (text == null) {
            throw new TokenRefusal("a part of it is not JSON in Base64url");
        }
        return JsonText.object(text);
    }

    /** In milliseconds; the smallest long when there is none. */
    private static long time(final Map<String, @Nullable Object> claims, final String name) throws TokenRefusal {
        final Object value = claims.get(name);
        if (value == null) {
            return Long.MIN_VALUE;
        }
        if (value instanceof Double seconds && seconds >= 0 && seconds < 1e12) {
            return (long) (seconds * 1000);
        }
        throw new TokenRefusal(name + " is no time");
    }

    private Principal principal(final Map<String, @Nullable Object> claims) throws TokenRefusal {
        if (!(claims.get(rules.userClaim()) instanceof String user)) {
            throw new TokenRefusal("no user: " + rules.userClaim());
        }
        final Object given = claims.get(rules.rolesClaim());
        final List<Object> named = new ArrayList<>();
        if (given instanceof List<?> list) {
            named.addAll(list);
        } else if (given instanceof String text && !text.isBlank()) {
            named.addAll(List.of(text.strip().split(" +", -1)));
        } else if (given != null && !(given instanceof String)) {
            throw new TokenRefusal("roles that are neither a list nor a text: " + rules.rolesClaim());
        }
        final Set<String> roles = new HashSet<>();
        for (final Object role : named) {
            if (!(role instanceof String name)) {
                throw new TokenRefusal("a role that is no text: " + rules.rolesClaim());
            }
            roles.add(name);
        }
        try {
            return new User(user, false, roles, Map.of(), null, List.of(), Set.of()).principal();
        } catch (final IllegalArgumentException e) {
            throw new TokenRefusal(String.valueOf(e.getMessage()));
        }
    }
}
