package io.penstock.admin.api;

import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.ProblemException;
import io.penstock.admin.http.Request;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.transport.PeerIdentity;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Decides who asks, and whether they may, by the broker's gate. Safe on any thread. */
final class Callers {
    private static final String BASIC = "Basic ";
    private static final int CREDENTIALS_LENGTH_MAX = 1024;

    private final AccessGate gate;
    private final CookieSessions sessions;
    private final Workers workers;

    Callers(final AccessGate gate, final CookieSessions sessions, final Workers workers) {
        this.gate = gate;
        this.sessions = sessions;
        this.workers = workers;
    }

    /** Finds out who asks, and goes on with that; on a worker when a password has to be proved. */
    void identify(final Exchange exchange, final Consumer<Caller> then) {
        final Request request = exchange.request();
        final CookieSessions.Session session = sessions.find(request);
        if (session != null) {
            then.accept(new Caller(session.proof(), request.isLocal(), request.peer(), session.expiresMs()));
            return;
        }
        final String authorization = request.header("Authorization");
        if (authorization == null && !request.sender().certificates().isEmpty()) {
            workers.run(exchange, () -> then.accept(caller(exchange, admitByCertificate(request))));
            return;
        }
        if (authorization == null) {
            then.accept(caller(exchange, admit(request, "", "")));
            return;
        }
        final String[] credentials = credentials(authorization);
        workers.run(exchange, () -> then.accept(caller(exchange, admit(request, credentials[0], credentials[1]))));
    }

    /** Whether somebody is who it says; null when not. */
    @Nullable
    Admitted admit(final Request request, final String user, final String password) {
        return gate.admit(logon(request, user, password));
    }

    /** The user with the certificate of the connection; whoever may do without a user when there is none. */
    private @Nullable Admitted admitByCertificate(final Request request) {
        final Admitted user = gate.admitByConnection(logon(request, "", ""));
        return user == null ? admit(request, "", "") : user;
    }

    private static Logon logon(final Request request, final String user, final String password) {
        return new Logon(
                "admin",
                user,
                password,
                request.peer(),
                request.isLocal(),
                new PeerIdentity(
                        request.sender().isEncrypted(),
                        request.sender().certificates(),
                        PeerIdentity.UNKNOWN_USER));
    }

    private static Caller caller(final Exchange exchange, final @Nullable Admitted admitted) {
        final Request request = exchange.request();
        if (admitted == null) {
            throw unknown(exchange);
        }
        return new Caller(admitted, request.isLocal(), request.peer(), 0);
    }

    /** The error for somebody who is not known. */
    static ProblemException unknown(final Exchange exchange) {
        // A browser would ask for a password itself, and keep it.
        exchange.header(
                "WWW-Authenticate",
                exchange.request().isFromScript() ? "Cookie realm=\"penstock\"" : "Basic realm=\"penstock\"");
        return new ProblemException(
                401, "NOT_LOGGED_ON", "caller: not known, or the password is wrong (log on with user and password)");
    }

    private static String[] credentials(final String authorization) {
        if (authorization.regionMatches(true, 0, BASIC, 0, BASIC.length())
                && authorization.length() <= CREDENTIALS_LENGTH_MAX) {
            try {
                final String text = new String(
                        Base64.getDecoder()
                                .decode(authorization.substring(BASIC.length()).strip()),
                        StandardCharsets.UTF_8);
                final int colon = text.indexOf(':');
                if (colon > 0) {
                    return new String[] {text.substring(0, colon), text.substring(colon + 1)};
                }
            } catch (final IllegalArgumentException e) {
                // Said below.
            }
        }
        throw new ProblemException(
                400, "BAD_CREDENTIALS", "Authorization: not user and password (send Basic with both of them)");
    }

    /** Throws a problem unless somebody may ask for something. */
    void check(final Caller caller, final Access access) {
        if (!allows(caller, access)) {
            throw refused(caller, access.name());
        }
    }

    private boolean allows(final Caller caller, final Access access) {
        return switch (access) {
            case NONE, CONNECT -> true;
            case STAT -> gate.allows(caller.principal(), Action.STAT, "");
            case LIST_TOPICS -> gate.allows(caller.principal(), Action.LIST_TOPICS, "");
            case READ -> allows(caller, Action.ADMIN_READ, "");
            case WRITE -> allows(caller, Action.ADMIN_WRITE, "");
        };
    }

    /** Whether somebody may do what is an administrator's. */
    boolean allows(final Caller caller, final Action action, final String about) {
        return gate.allowsAdministration(caller.principal(), caller.isLocal(), action, about);
    }

    /** Whether somebody may read counters. */
    boolean mayReadCounters(final Caller caller) {
        return gate.allows(caller.principal(), Action.STAT, "");
    }

    /** Whether somebody may know that there is a topic. */
    boolean maySee(final Caller caller, final String topic) {
        return gate.allows(caller.principal(), Action.SUBSCRIBE, topic)
                || gate.allows(caller.principal(), Action.QUERY, topic);
    }

    /** Whether somebody may see all messages of a topic, or all its records. */
    boolean maySeeAll(final Caller caller, final String topic) {
        return "".equals(gate.condition(caller.principal(), List.of(Action.SUBSCRIBE), topic))
                || "".equals(gate.condition(caller.principal(), List.of(Action.QUERY), topic));
    }

    /** Whether somebody may do something at all. */
    boolean allowsPlain(final Caller caller, final Action action) {
        return gate.allows(caller.principal(), action, "");
    }

    /** The error for somebody who may not. */
    static ProblemException refused(final Caller caller, final String what) {
        return new ProblemException(
                403,
                "NOT_AUTHORIZED",
                "caller: not allowed for " + caller.principal().name() + ": " + what
                        + " (log on as an administrator, or see security.anonymousAdministration)");
    }
}
