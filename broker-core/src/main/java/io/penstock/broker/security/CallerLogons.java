package io.penstock.broker.security;

import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.AuthenticationStep.Challenge;
import io.penstock.broker.security.AuthenticationStep.Refused;
import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.broker.security.LogonThrottle.Guesser;
import io.penstock.broker.security.audit.AuditClient;
import io.penstock.broker.security.audit.AuditKind;
import io.penstock.broker.security.audit.AuditTrail;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How callers log on that come past the broker's own transports, such as those of the admin server: guessing is slowed
 * down, and the audit has it, as with other clients. For callers with a thread of their own: proofs may take a second.
 * Safe on any thread.
 */
public final class CallerLogons {
    private final AccessGate gate;
    private final AuditTrail audit;
    private final LogonThrottle throttle;

    CallerLogons(final AccessGate gate, final AuditTrail audit, final LogonThrottle throttle) {
        this.gate = gate;
        this.audit = audit;
        this.throttle = throttle;
    }

    /**
     * Lets a client in by user and password, or as an anonymous one. For callers with a thread of their own: this may
     * take a second. Guessing is slowed down, and refused log-ons of users are in the audit, as for other clients.
     *
     * @param logon what it gave.
     * @return who it is and how long that holds, or null when it is refused.
     */
    public @Nullable Admitted admit(final Logon logon) {
        if (logon.user().isEmpty()) {
            final Admitted anonymous = proved(logon);
            if (anonymous == null) {
                recordRefusal(logon, "logon: a client without a user is refused");
            }
            return anonymous;
        }
        final Guesser who = Guesser.of(logon.peer(), logon.local(), logon.user());
        if (throttle.delayNs(who) > 0) {
            recordRefusal(logon, "logon: too many were refused");
            return null;
        }
        final Admitted admitted = proved(logon);
        if (admitted == null) {
            onRefused(who);
            recordRefusal(logon, "logon: refused");
        } else {
            throttle.onProved(who);
        }
        return admitted;
    }

    /**
     * Lets a client in as the user that its connection proves it to be, by the mechanism {@code EXTERNAL}. For callers
     * with a thread of their own.
     *
     * @param logon what it gave; without a user.
     * @return who it is and how long that holds, or null when the connection proves no user.
     */
    public @Nullable Admitted admitByConnection(final Logon logon) {
        final AuthenticationExchange exchange = gate.begin(Authentication.EXTERNAL, logon);
        return exchange != null && exchange.respond(new byte[0]) instanceof Admitted admitted ? admitted : null;
    }

    /**
     * Lets a client in by a bearer token, as one that logs on with {@link AccessGate#BEARER}. For callers with a thread of their
     * own: it may wait for the keys of the issuer. Clients of other machines are slowed down after some refused tokens;
     * on this machine, where others cannot be told apart, each token is for itself. Refusals are in the audit.
     *
     * @param logon what is known of it, without user and password.
     * @param token that it gave.
     * @return who it is, or why it is refused.
     */
    public AuthenticationStep admitByToken(final Logon logon, final String token) {
        final Guesser who = Guesser.ofToken(logon.peer(), logon.local(), token);
        final long delayNs = throttle.delayNs(who);
        final AuthenticationStep step;
        if (delayNs > 0) {
            step = new Refused("token: too many were refused (try again in "
                    + (TimeUnit.NANOSECONDS.toSeconds(delayNs - 1) + 1) + " s)");
        } else {
            step = provedByToken(logon, token);
            if (step instanceof Refused) {
                onRefused(who);
            } else {
                throttle.onProved(who);
            }
        }
        if (step instanceof Refused refused) {
            recordRefusal(logon, "logon: " + refused.reason());
        }
        return step;
    }

    /** It was a guess only if there is something to guess, and log-ons are not refused for another reason. */
    private void onRefused(final Guesser who) {
        if (gate.knowsUsers() && !audit.refuses()) {
            throttle.onRefused(who);
        }
    }

    private AuthenticationStep provedByToken(final Logon logon, final String token) {
        final AuthenticationExchange exchange = gate.begin(AccessGate.BEARER, logon);
        if (exchange == null) {
            return new Refused(
                    audit.refuses()
                            ? AuditTrail.REFUSAL
                            : "token: none is taken on this connection (see security.tokens; other machines need TLS)");
        }
        final AuthenticationStep step =
                exchange.respond(("n,,\u0001auth=Bearer " + token + "\u0001\u0001").getBytes(StandardCharsets.UTF_8));
        return step instanceof Challenge ? new Refused("token: the mechanism asks for more than a token") : step;
    }

    /**
     * Records that somebody has logged on past the broker's own transports.
     *
     * @param logon    what it gave.
     * @param admitted who it is.
     * @return false when it is to be refused, as that cannot be recorded.
     */
    public boolean recordLogon(final Logon logon, final Admitted admitted) {
        final Principal principal = admitted.principal();
        return audit.record(
                AuditKind.LOGGED_ON,
                new AuditClient(
                        Identity.of(principal, logon.peer(), logon.local()),
                        principal.name(),
                        logon.clientName(),
                        logon.peer()),
                false,
                0,
                "logon",
                "");
    }

    /**
     * Has it checked who a caller is, which {@link #admit} does, in the turn of its address. Does not block.
     *
     * @param turns of all callers.
     * @param logon what it gave.
     * @param check run once.
     * @throws java.util.concurrent.RejectedExecutionException when too many wait; it is not run then.
     */
    public void inTurn(final LogonTurns turns, final Logon logon, final Runnable check) {
        inTurn(turns, Guesser.of(logon.peer(), logon.local(), logon.user()), check);
    }

    /**
     * The same for {@link #admitByToken}: a token that was taken before does not wait, as nobody else has it.
     *
     * @param turns of all callers.
     * @param logon what is known of the caller, without user and password.
     * @param token that it gave.
     * @param check run once.
     * @throws java.util.concurrent.RejectedExecutionException when too many wait; it is not run then.
     */
    public void inTurn(final LogonTurns turns, final Logon logon, final String token, final Runnable check) {
        inTurn(turns, Guesser.ofToken(logon.peer(), logon.local(), token), check);
    }

    private void inTurn(final LogonTurns turns, final Guesser who, final Runnable check) {
        // Who has to wait is told so at once.
        turns.execute(who.address(), throttle.isProved(who) || throttle.delayNs(who) > 0, check);
    }

    private @Nullable Admitted proved(final Logon logon) {
        if (gate.isDecidedAtOnce(logon)) {
            return gate.admitAtOnce(logon);
        }
        final AuthenticationExchange exchange = gate.begin(Authentication.PLAIN, logon);
        if (exchange == null) {
            return null;
        }
        final AuthenticationStep step = exchange.respond(Authentication.plain(logon.user(), logon.password()));
        return step instanceof Admitted admitted ? admitted : null;
    }

    private void recordRefusal(final Logon logon, final String reason) {
        final String identity = Identity.of(Principal.ANONYMOUS, logon.peer(), logon.local());
        audit.record(
                AuditKind.LOGON_REFUSED,
                new AuditClient(identity, logon.user(), logon.clientName(), logon.peer()),
                true,
                0,
                "",
                reason);
    }
}
