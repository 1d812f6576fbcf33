package io.penstock.admin.api;

import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.ProblemException;
import io.penstock.admin.http.Request;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.AuthenticationStep;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.AuthenticationStep.Refused;
import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.broker.security.LogonTurns;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.audit.AuditTrail;
import io.penstock.format.FieldSelection;
import io.penstock.transport.PeerIdentity;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.concurrent.EpochClock;
import org.jspecify.annotations.Nullable;

/** Decides who asks, and whether they may, by the broker's gate. Safe on any thread. */
final class Callers {
    private static final String BASIC = "Basic ";
    private static final int CREDENTIALS_LENGTH_MAX = 1024;

    private final AccessGate gate;
    private final CookieSessions sessions;
    private final Workers workers;
    private final LogonTurns turns;
    private final EpochClock clock;

    Callers(final AccessGate gate, final CookieSessions sessions, final Workers workers, final EpochClock clock) {
        this.gate = gate;
        this.sessions = sessions;
        this.workers = workers;
        turns = new LogonTurns(workers::execute);
        this.clock = clock;
    }

    /** Finds out who asks, and goes on with that; on a worker when something has to be proved. */
    void identify(final Exchange exchange, final Consumer<Caller> then) {
        final Request request = exchange.request();
        final String token = request.bearerToken();
        if (token != null) {
            final Runnable check = () -> workers.guarded(exchange, () -> then.accept(byToken(exchange, token)));
            inTurn(() -> gate.callerLogons().inTurn(turns, logon(request, "", ""), token, check));
            return;
        }
        final CookieSessions.Session session = sessions.find(request);
        if (session != null && request.headers().contains("Authorization")) {
            throw new ProblemException(
                    400,
                    "BAD_CREDENTIALS",
                    "Authorization: sent with the cookie of a session, which may be another user's (send one of them)");
        }
        if (session != null) {
            then.accept(new Caller(session.proof(), request.isLocal(), request.peer(), session.expiresMs()));
            return;
        }
        final String authorization = request.header("Authorization");
        if (authorization == null && request.headers().contains("Authorization")) {
            throw new ProblemException(400, "BAD_CREDENTIALS", "Authorization: there are two (send one)");
        }
        if (authorization == null && !request.sender().certificates().isEmpty()) {
            workers.run(exchange, () -> then.accept(byCertificate(exchange)));
            return;
        }
        if (authorization == null) {
            then.accept(caller(exchange, gate.callerLogons().admit(logon(request, "", ""))));
            return;
        }
        final String[] credentials = credentials(authorization);
        final Logon logon = logon(request, credentials[0], credentials[1]);
        prove(exchange, logon, () -> {
            final Caller caller = caller(exchange, gate.callerLogons().admit(logon));
            record(exchange, logon, caller.proof());
            then.accept(caller);
        });
    }

    /** Has it checked by a worker who somebody is, when it is its turn. Throws a problem when too many wait. */
    private void prove(final Exchange exchange, final Logon logon, final Runnable check) {
        inTurn(() -> gate.callerLogons().inTurn(turns, logon, () -> workers.guarded(exchange, check)));
    }

    private static void inTurn(final Runnable check) {
        try {
            check.run();
        } catch (final RejectedExecutionException e) {
            throw Workers.busy();
        }
    }

    /** Lets somebody in who logs on, on a worker; null when it is refused. */
    void logOn(
            final Exchange exchange,
            final String user,
            final String password,
            final Consumer<@Nullable Admitted> then) {
        final Logon logon = logon(exchange.request(), user, password);
        prove(exchange, logon, () -> then.accept(logOn(logon)));
    }

    private @Nullable Admitted logOn(final Logon logon) {
        final Admitted admitted = gate.callerLogons().admit(logon);
        if (admitted == null || admitted.principal().equals(Principal.ANONYMOUS)) {
            return null;
        }
        if (!gate.callerLogons().recordLogon(logon, admitted)) {
            throw unrecorded();
        }
        return admitted;
    }

    private Caller byToken(final Exchange exchange, final String token) {
        final Request request = exchange.request();
        final Logon logon = logon(request, "", "");
        final AuthenticationStep step = gate.callerLogons().admitByToken(logon, token);
        if (step instanceof Admitted admitted) {
            record(exchange, logon, admitted);
            final long validForMs = TimeUnit.NANOSECONDS.toMillis(admitted.validForNs());
            return new Caller(admitted, request.isLocal(), request.peer(), clock.time() + validForMs);
        }
        final String reason = step instanceof Refused refused ? refused.reason() : "token: refused";
        // What a token is, who sent it knows already.
        exchange.header("WWW-Authenticate", "Bearer realm=\"penstock\", error=\"invalid_token\"");
        throw new ProblemException(401, "BAD_TOKEN", reason + " (ask the issuer for another token)");
    }

    /** A connection whose requests all prove the same user is one log-on, as a connection of other clients is. */
    private void record(final Exchange exchange, final Logon logon, final Admitted admitted) {
        final boolean isAnonymous = admitted.principal().equals(Principal.ANONYMOUS);
        if (!isAnonymous
                && exchange.isNewOnConnection(admitted.principal().name())
                && !gate.callerLogons().recordLogon(logon, admitted)) {
            exchange.forgetUserOfConnection();
            throw unrecorded();
        }
    }

    private static ProblemException unrecorded() {
        return new ProblemException(503, "AUDIT_FAILED", "logon: " + AuditTrail.REFUSAL);
    }

    /** The user with the certificate of the connection; whoever may do without a user when there is none. */
    private Caller byCertificate(final Exchange exchange) {
        final Logon logon = logon(exchange.request(), "", "");
        final Admitted user = gate.callerLogons().admitByConnection(logon);
        if (user == null) {
            return caller(exchange, gate.callerLogons().admit(logon));
        }
        record(exchange, logon, user);
        return caller(exchange, user);
    }

    private static Logon logon(final Request request, final String user, final String password) {
        return new Logon(
                Caller.CLIENT,
                user,
                password,
                request.peer(),
                request.isLocal(),
                new PeerIdentity(
                        request.sender().isEncrypted(), request.sender().certificates(), PeerIdentity.UNKNOWN_USER));
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
            throw refused(caller, access.word());
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

    /** Whether somebody may read what clients send. */
    boolean mayTrace(final Caller caller) {
        return allows(caller, Access.WRITE);
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

    /** Whether no fields of a topic's messages are hidden from somebody. */
    boolean maySeeAllFields(final Caller caller, final String topic) {
        final FieldSelection hidden = gate.hidden(caller.principal(), topic);
        return hidden != null && hidden.paths().isEmpty();
    }

    /** Whether somebody may do something with one topic or another. */
    boolean allowsAnywhere(final Caller caller, final Action action) {
        final boolean isLet = switch (action) {
            case ADMIN_READ, ADMIN_WRITE, DELETE_TOPIC, RESET_PUBLISHER ->
                gate.mayAdminister(caller.principal(), caller.isLocal());
            default -> true;
        };
        return isLet && gate.allowsAnywhere(caller.principal(), action);
    }

    /** The error for somebody who may not. */
    static ProblemException refused(final Caller caller, final String what) {
        return new ProblemException(
                403,
                "NOT_AUTHORIZED",
                "caller: not allowed for " + caller.principal().name() + ": " + what
                        + (caller.isAnonymous()
                                ? " (log on as an administrator, or see security.anonymousAdministration)"
                                : " (log on as an administrator, or see the permissions of its roles)"));
    }
}
