package io.penstock.broker.session.connect;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.security.Action;
import io.penstock.broker.security.Authentication;
import io.penstock.broker.security.AuthenticationExchange;
import io.penstock.broker.security.AuthenticationStep;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.AuthenticationStep.Challenge;
import io.penstock.broker.security.AuthenticationStep.Refused;
import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.broker.security.LogonThrottle.Guesser;
import io.penstock.broker.session.client.Admission;
import io.penstock.broker.session.client.PendingLogon;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.client.SessionNotice.Checked;
import io.penstock.protocol.ErrorCode;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Has clients prove who they are, by one message or several. Each is checked by a worker, which may take its time, and
 * nothing else is read from the client meanwhile. Confined to one I/O agent.
 */
final class LogonProof {
    private static final String EXTERNAL = "EXTERNAL";

    /** How the names of the mechanisms begin by which a password is proved. */
    private static final String SCRAM = "SCRAM-";

    /** Clients of earlier versions know no challenge. */
    private static final int CHALLENGE_VERSION = 3;

    private final SessionContext context;
    private final Admission admission;
    private final NoticePort notices;

    LogonProof(final SessionContext context, final Admission admission, final NoticePort notices) {
        this.context = context;
        this.admission = admission;
        this.notices = notices;
    }

    /** A client logs on. Returns who it is, if that is known at once; else null: it is being checked, or refused. */
    @Nullable
    Admitted begin(final Session session, final PendingLogon pending, final String mechanism, final byte[] token) {
        final Logon logon = pending.logon();
        if (!mechanism.isEmpty()) {
            final Admitted unproved =
                    isWithoutProof(logon, mechanism) ? context.gate().admitAtOnce(logon) : null;
            if (unproved != null || isThrottled(session, pending)) {
                return unproved;
            }
            session.profile().logon(pending);
            choose(session, pending, mechanism, token);
        } else if (!context.gate().isDecidedAtOnce(logon)) {
            if (isThrottled(session, pending)) {
                return null;
            }
            session.profile().logon(pending);
            final byte[] plain = ('\0' + logon.user() + '\0' + logon.password()).getBytes(UTF_8);
            choose(session, pending, Authentication.PLAIN, plain);
        } else if (logon.user().isEmpty() || !isThrottled(session, pending)) {
            final Admitted admitted = context.gate().admitAtOnce(logon);
            if (admitted == null) {
                refuse(session, pending, "not known");
            }
            return admitted;
        }
        return null;
    }

    /**
     * Whether a client wants to be what its connection proves, and no connection of its kind proves a user here: then it is
     * what it would be if it had named no mechanism, if that is let in.
     */
    private boolean isWithoutProof(final Logon logon, final String mechanism) {
        return mechanism.equals(EXTERNAL)
                && logon.user().isEmpty()
                && !List.of(context.gate().offered(logon).split(" ", -1)).contains(EXTERNAL);
    }

    /** A client has sent another message. */
    void go(final Session session, final PendingLogon pending, final String mechanism, final byte[] token) {
        final AuthenticationExchange exchange = pending.exchange();
        if (exchange != null && mechanism.isEmpty()) {
            check(session, pending, exchange, token);
        } else if (exchange == null && !mechanism.isEmpty()) {
            choose(session, pending, mechanism, token);
        } else {
            context.fail(
                    session,
                    pending.commandId(),
                    ErrorCode.NOT_LOGGED_ON,
                    "auth response: mechanism '" + mechanism
                            + "' (name one after a challenge that lists them, and only then)");
        }
    }

    /** A client's message was checked. Returns what it has proved, if it has; else null. */
    @Nullable
    Admitted onChecked(final Session session, final PendingLogon pending, final AuthenticationStep step) {
        if (step instanceof Admitted admitted) {
            // Users and permissions may have changed since.
            if (!admitted.validity().isValid()) {
                refuse(session, pending, "the user has changed meanwhile");
            } else if (!context.gate().allows(admitted.principal(), Action.CONNECT, "")) {
                refuse(session, pending, "user " + admitted.principal().name() + " may not connect any more");
            } else {
                return admitted;
            }
        } else if (step instanceof Refused refused) {
            refuse(session, pending, refused.reason());
        } else if (step instanceof Challenge challenge) {
            if (pending.version() < CHALLENGE_VERSION) {
                refuse(session, pending, "it speaks a version of the protocol without challenges");
                return null;
            }
            pending.onChallenged();
            context.answers().authChallenge(session.outbox(), pending.commandId(), "", challenge.message());
        }
        return null;
    }

    private void choose(final Session session, final PendingLogon pending, final String mechanism, final byte[] token) {
        final AuthenticationExchange exchange = context.gate().begin(mechanism, pending.logon());
        if (exchange != null) {
            pending.onChosen(mechanism, exchange);
            check(session, pending, exchange, token);
            return;
        }
        final String offered = context.gate().offered(pending.logon());
        if (pending.version() < CHALLENGE_VERSION || offered.isEmpty() || !pending.onMessage()) {
            refuse(session, pending, "may not use " + quoted(mechanism));
            return;
        }
        pending.onChallenged();
        context.answers().authChallenge(session.outbox(), pending.commandId(), offered, new byte[0]);
    }

    private void check(
            final Session session,
            final PendingLogon pending,
            final AuthenticationExchange exchange,
            final byte[] token) {
        if (!pending.onMessage()) {
            refuse(session, pending, "too many messages");
            return;
        }
        final int ioAgent = context.settings().ioAgent();
        final long sessionId = session.id();
        try {
            // If there is no room for the answer, the session ends when its time to log on is up.
            final Guesser who = guesser(pending);
            // A password in clear takes long to check, and a token may wait for its issuer's keys.
            final boolean isShort = pending.mechanism().startsWith(SCRAM)
                    || pending.mechanism().equals(EXTERNAL)
                    || admission.throttle().isProved(who);
            admission
                    .turns()
                    .execute(
                            who.address(),
                            isShort,
                            () -> notices.offer(ioAgent, new Checked(sessionId, checked(pending, exchange, token))));
        } catch (final RejectedExecutionException e) {
            context.fail(
                    session,
                    pending.commandId(),
                    ErrorCode.LIMIT_REACHED,
                    "logon: too many clients log on (connect again later)");
        }
    }

    /**
     * Looks at a client's message, on a worker. Refusals count here, and are looked at before: who sends many at once is
     * slowed down as well.
     */
    private AuthenticationStep checked(
            final PendingLogon pending, final AuthenticationExchange exchange, final byte[] token) {
        final boolean isNamed = !pending.logon().user().isEmpty();
        if (isNamed && admission.throttle().delayNs(guesser(pending)) > 0) {
            pending.onCounted();
            return new Refused("too many were refused meanwhile");
        }
        final AuthenticationStep step = exchange.respond(token);
        if (isNamed && step instanceof Refused && context.gate().knowsUsers()) {
            admission.throttle().onRefused(guesser(pending));
            pending.onCounted();
        } else if (isNamed && step instanceof Admitted) {
            admission.throttle().onProved(guesser(pending));
        }
        return step;
    }

    private boolean isThrottled(final Session session, final PendingLogon pending) {
        if (pending.logon().user().isEmpty() && pending.logon().local()) {
            // What it proves itself with cannot be guessed, and others that guess names are not to keep it out.
            return false;
        }
        final long delayNs = admission.throttle().delayNs(guesser(pending));
        if (delayNs == 0) {
            return false;
        }
        context.counters().logonsRefused().incrementPlain();
        final String text = "logon: too many failed ones from this address (try again in "
                + (TimeUnit.NANOSECONDS.toSeconds(delayNs - 1) + 1) + " s)";
        context.fail(session, pending.commandId(), ErrorCode.LIMIT_REACHED, text);
        return true;
    }

    private void refuse(final Session session, final PendingLogon pending, final String reason) {
        final String user = pending.logon().user();
        final String text;
        if (!context.gate().knowsUsers() && !user.isEmpty()) {
            text = "logon: the broker knows no user " + quoted(user) + ": it has none (log on without one, or see"
                    + " security.users)";
        } else if (!context.gate().knowsUsers()) {
            text = "logon: anonymous clients are refused (see security.anonymous)";
        } else if (!user.isEmpty()) {
            text = "logon: refused for user " + quoted(user) + " (check user and password)";
        } else if (pending.mechanism().isEmpty()) {
            text = "logon: a client without a user is refused (log on as a user)";
        } else {
            text = "logon: refused by " + pending.mechanism() + " (check what the client proves itself with)";
        }
        // Tokens and certificates cannot be guessed, and all clients of this machine without a user have one address.
        final boolean isGuess = !user.isEmpty()
                || (!pending.mechanism().isEmpty() && !pending.logon().local());
        if (context.gate().knowsUsers() && isGuess && !pending.isCounted()) {
            admission.throttle().onRefused(guesser(pending));
        }
        context.counters().logonsRefused().incrementPlain();
        context.refuseLogon(session, pending.commandId(), text, reason);
    }

    private static Guesser guesser(final PendingLogon pending) {
        final Logon logon = pending.logon();
        return Guesser.of(logon.peer(), logon.local(), logon.user());
    }

    private static String quoted(final String name) {
        return "'" + (name.length() > 64 ? name.substring(0, 64) + "…" : name) + "'";
    }
}
