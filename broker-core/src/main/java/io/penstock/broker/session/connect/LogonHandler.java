package io.penstock.broker.session.connect;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.security.AuthenticationStep;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.broker.security.IdentityUses.Attachment;
import io.penstock.broker.security.audit.AuditTrail;
import io.penstock.broker.session.client.Admission;
import io.penstock.broker.session.client.PendingCommand;
import io.penstock.broker.session.client.PendingLogon;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionAudit;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.client.SessionNotice.Replaced;
import io.penstock.broker.session.client.SessionTimeouts;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AuthResponseDecoder;
import io.penstock.protocol.codec.LogonDecoder;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Lets clients in and gives them their names. Confined to one I/O agent. */
public final class LogonHandler {
    private static final int CLIENT_NAME_LENGTH_MAX = 255;
    private static final int MECHANISM_VERSION = 3;

    private final SessionContext context;
    private final ClientDirectory directory;
    private final NoticePort notices;
    private final LogonProof proof;
    private final Newcomers newcomers;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final LogonDecoder logonCommand = new LogonDecoder();
    private final AuthResponseDecoder responseCommand = new AuthResponseDecoder();

    /** Makes it for the sessions of one I/O agent; a session that loses its name is notified through its own agent. */
    public LogonHandler(
            final SessionContext context,
            final ClientDirectory directory,
            final Admission admission,
            final NoticePort notices) {
        this.context = context;
        this.directory = directory;
        this.notices = notices;
        proof = new LogonProof(context, admission, notices);
        newcomers = new Newcomers(context.settings().limits().sessionCountMax());
    }

    /** A client has connected. If there are too many that have not logged on, the oldest of them ends. */
    public void onConnect(final Session session) {
        final Newcomers.Excess excess = newcomers.add(session);
        if (excess != null) {
            final Session ended = excess.session();
            context.fail(
                    ended,
                    0,
                    ErrorCode.LIMIT_REACHED,
                    "session: too many connections of " + excess.whose() + " have not logged on: " + excess.count()
                            + " (log on right after connecting, or raise sessions.sessionCountMax)");
            context.ready().mark(ended.slot());
        }
    }

    /** Lets a client in, asks it for more, or ends its session. */
    public void onLogon(final Session session, final DirectBuffer buffer, final int offset) {
        final LogonDecoder command = logonCommand.wrapAndApplyHeader(buffer, offset, header);
        final long commandId = command.commandId();
        final int heartbeatIntervalMs = command.heartbeatIntervalMs();
        final String name = command.clientName();
        final String user = command.user();
        final String password = command.password();
        final int version = command.actingVersion();
        final String mechanism = version < MECHANISM_VERSION ? "" : command.mechanism();
        final byte[] token = new byte[version < MECHANISM_VERSION ? 0 : command.tokenLength()];
        if (token.length > 0) {
            command.getToken(token, 0, token.length);
        }
        if (session.state() != Session.State.CONNECTED || session.profile().logon() != null) {
            context.fail(
                    session, commandId, ErrorCode.NOT_LOGGED_ON, "logon: a second one (connect anew to log on anew)");
            return;
        }
        if (!isName(name) || !isName(user)) {
            context.fail(
                    session,
                    commandId,
                    ErrorCode.BAD_TEXT,
                    "logon: client name or user is not text or too long (use at most " + CLIENT_NAME_LENGTH_MAX
                            + " printable characters)");
            return;
        }
        final PendingLogon pending = new PendingLogon(
                commandId,
                version,
                heartbeatIntervalMs,
                new Logon(
                        name,
                        user,
                        password,
                        session.connection().peer(),
                        session.connection().isLocal(),
                        session.connection().peerIdentity()));
        session.profile().onClaimed(user, name);
        if (context.gate().audit().refuses()) {
            refuseUnrecorded(session, commandId);
            return;
        }
        final Admitted admitted = proof.begin(session, pending, mechanism, token);
        if (admitted != null) {
            onAdmitted(session, pending, admitted);
        }
    }

    /** Takes another message of a client that proves who it is. */
    public void onAuthResponse(final Session session, final DirectBuffer buffer, final int offset) {
        final AuthResponseDecoder command = responseCommand.wrapAndApplyHeader(buffer, offset, header);
        final long commandId = command.commandId();
        final String mechanism = command.mechanism();
        final byte[] token = new byte[command.tokenLength()];
        command.getToken(token, 0, token.length);
        final PendingLogon pending = session.profile().logon();
        if (session.state() != Session.State.CONNECTED || pending == null) {
            context.fail(
                    session,
                    commandId,
                    ErrorCode.NOT_LOGGED_ON,
                    "auth response: nothing was asked (send it after an AuthChallenge)");
            return;
        }
        proof.go(session, pending, mechanism, token);
    }

    /** A message of a client was checked. */
    public void onChecked(final Session session, final AuthenticationStep step) {
        final PendingLogon pending = session.profile().logon();
        if (pending != null && session.state() == Session.State.CONNECTED) {
            final Admitted admitted = proof.onChecked(session, pending, step);
            if (admitted != null) {
                onAdmitted(session, pending, admitted);
            }
        }
    }

    /** A session is closed: its name is free. */
    public void onClosed(final Session session) {
        newcomers.remove(session);
        context.publishers().onClosed(session);
        session.commands().endTrace();
        if (session.profile().isAttached()) {
            context.gate().identities().detach(session.profile().use(), context.nowNs());
        }
        SessionAudit.closed(context.gate().audit(), session);
        if (!session.profile().name().isEmpty()) {
            directory.giveBack(
                    session.profile().user(),
                    session.profile().name(),
                    new ClientDirectory.Holder(context.settings().ioAgent(), session.id()));
        }
    }

    private void onAdmitted(final Session session, final PendingLogon pending, final Admitted admitted) {
        newcomers.remove(session);
        session.profile().logon(null);
        session.profile().onAdmitted(pending.version(), admitted.principal());
        session.profile().onProved(admitted, context.nowNs());
        if (!attach(session, pending)) {
            return;
        }
        session.times().heartbeatIntervalNs(heartbeatIntervalNs(pending.heartbeatIntervalMs()));
        context.time().onTimeout(session.slot(), session.times().heartbeatIntervalNs());
        logOn(session, pending.commandId(), pending.logon().clientName(), admitted.message());
    }

    /** Counts a client; false when it is refused, as its identity has too many. */
    private boolean attach(final Session session, final PendingLogon pending) {
        final String name = pending.logon().clientName();
        final Attachment attached = context.gate()
                .identities()
                .attach(
                        session.identity(),
                        session.profile().principal(),
                        !name.isEmpty() && directory.isTaken(session.profile().user(), name),
                        context.nowNs());
        if (attached.isTaken()) {
            session.profile().onAttached(attached.use());
            return true;
        }
        context.counters().quotasReached().incrementPlain();
        context.fail(
                session,
                pending.commandId(),
                ErrorCode.LIMIT_REACHED,
                attached.use().connectionRefusal());
        return false;
    }

    private void logOn(final Session session, final long commandId, final String name, final byte[] token) {
        if (name.isEmpty()) {
            acknowledge(session, commandId, 0, token);
            return;
        }
        session.state(Session.State.LOGGING_ON);
        session.profile().onNamed(name);
        final ClientDirectory.@Nullable Holder before = directory.take(
                session.profile().user(),
                name,
                new ClientDirectory.Holder(context.settings().ioAgent(), session.id()));
        if (before != null) {
            notices.offer(before.ioAgent(), new Replaced(before.sessionId()));
        }
        final PublisherSequences sequences = new PublisherSequences(context);
        session.commands()
                .pending(new PendingCommand(
                        sequences.replyCount(),
                        sequences::onReply,
                        done -> acknowledge(done, commandId, sequences.highest(), token)));
        sequences.ask(session);
    }

    private void refuseUnrecorded(final Session session, final long commandId) {
        context.fail(session, commandId, ErrorCode.AUTHENTICATION_FAILED, "logon: " + AuditTrail.REFUSAL);
    }

    private void acknowledge(
            final Session session, final long commandId, final long publisherSequence, final byte[] token) {
        if (!SessionAudit.loggedOn(context.gate().audit(), session)) {
            refuseUnrecorded(session, commandId);
            return;
        }
        session.publishing().publisherSequence(publisherSequence);
        session.state(Session.State.ACTIVE);
        session.profile().onLoggedOn();
        context.report(EventKind.LOGGED_ON, session, "logon");
        context.counters().sessions().incrementRelease();
        context.answers()
                .logonAck(
                        session.outbox(),
                        commandId,
                        session.id(),
                        publisherSequence,
                        (int) TimeUnit.NANOSECONDS.toMillis(session.times().heartbeatIntervalNs()),
                        context.settings().limits().messageLengthMax(),
                        context.shards().count(),
                        context.settings().broker(),
                        token);
    }

    private long heartbeatIntervalNs(final int askedMs) {
        if (askedMs <= 0) {
            return context.settings().timeouts().heartbeatIntervalNs();
        }
        return TimeUnit.MILLISECONDS.toNanos(Math.max(
                SessionTimeouts.HEARTBEAT_INTERVAL_MS_MIN,
                Math.min(SessionTimeouts.HEARTBEAT_INTERVAL_MS_MAX, askedMs)));
    }

    /** Whether a client or a user may have the name: printable characters, not too many. */
    static boolean isName(final String text) {
        if (text.length() > CLIENT_NAME_LENGTH_MAX) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            final char c = text.charAt(i);
            if (Character.isISOControl(c) || c == '\uFFFD') {
                return false;
            }
        }
        return true;
    }
}
