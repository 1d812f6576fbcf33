package io.penstock.broker.session.connect;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.audit.AuditTrail;
import io.penstock.broker.session.client.PendingCommand;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionAudit;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.client.SessionTimeouts;
import io.penstock.broker.shard.command.FindPublisher;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.LogonDecoder;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Lets clients in and gives them their names. Confined to one I/O agent. */
public final class LogonHandler {
    private static final int CLIENT_NAME_LENGTH_MAX = 255;

    private final SessionContext context;
    private final ClientDirectory directory;
    private final ReplacedHandler onReplaced;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final LogonDecoder logonCommand = new LogonDecoder();

    /** Makes it for the sessions of one I/O agent; a session that loses its name is notified through its own agent. */
    public LogonHandler(
            final SessionContext context, final ClientDirectory directory, final ReplacedHandler onReplaced) {
        this.context = context;
        this.directory = directory;
        this.onReplaced = onReplaced;
    }

    /** Lets a client in, or ends its session. */
    public void onLogon(final Session session, final DirectBuffer buffer, final int offset) {
        final LogonDecoder command = logonCommand.wrapAndApplyHeader(buffer, offset, header);
        final long commandId = command.commandId();
        final int heartbeatIntervalMs = command.heartbeatIntervalMs();
        final String name = command.clientName();
        final String user = command.user();
        final String password = command.password();
        if (session.state() != Session.State.CONNECTED) {
            context.fail(
                    session, commandId, ErrorCode.NOT_LOGGED_ON, "logon: a second one (connect anew to log on anew)");
        } else if (!isName(name) || !isName(user)) {
            context.fail(
                    session,
                    commandId,
                    ErrorCode.BAD_TEXT,
                    "logon: client name or user is not text or too long (use at most " + CLIENT_NAME_LENGTH_MAX
                            + " printable characters)");
        } else {
            session.profile().onClaimed(user, name);
            final Principal principal = context.gate()
                    .admit(new Logon(
                            name,
                            user,
                            password,
                            session.connection().peer(),
                            session.connection().isLocal(),
                            session.connection().peerIdentity()));
            if (context.gate().audit().refuses()) {
                refuseUnrecorded(session, commandId);
            } else if (principal == null) {
                context.fail(
                        session,
                        commandId,
                        ErrorCode.AUTHENTICATION_FAILED,
                        "logon: refused for user '" + user + "' (check user and password)");
            } else if (principal.equals(Principal.ANONYMOUS) && !user.isEmpty() && !user.equals(principal.name())) {
                context.fail(
                        session,
                        commandId,
                        ErrorCode.AUTHENTICATION_FAILED,
                        "logon: the broker knows no user '" + user + "' (log on without one, or as one that it knows)");
            } else {
                session.profile().onAdmitted(command.actingVersion(), principal);
                session.times().heartbeatIntervalNs(heartbeatIntervalNs(heartbeatIntervalMs));
                context.time().onTimeout(session.times().heartbeatIntervalNs());
                logOn(session, commandId, name);
            }
        }
    }

    /** A session is closed: its name is free. */
    public void onClosed(final Session session) {
        context.publishers().onClosed(session);
        SessionAudit.closed(context.gate().audit(), session);
        if (!session.profile().name().isEmpty()) {
            directory.giveBack(
                    session.profile().user(),
                    session.profile().name(),
                    new ClientDirectory.Holder(context.settings().ioAgent(), session.id()));
        }
    }

    private void logOn(final Session session, final long commandId, final String name) {
        if (name.isEmpty()) {
            acknowledge(session, commandId, 0);
            return;
        }
        session.state(Session.State.LOGGING_ON);
        session.profile().onNamed(name);
        final ClientDirectory.@Nullable Holder before = directory.take(
                session.profile().user(),
                name,
                new ClientDirectory.Holder(context.settings().ioAgent(), session.id()));
        if (before != null) {
            onReplaced.onReplaced(before.ioAgent(), before.sessionId());
        }
        final long[] highest = new long[1];
        session.commands()
                .pending(new PendingCommand(
                        context.shards().count(),
                        (of, reply) -> highest[0] = Math.max(highest[0], ((FindPublisher) reply).lastSequence()),
                        done -> acknowledge(done, commandId, highest[0])));
        for (int shard = 0; shard < context.shards().count(); shard++) {
            context.shards()
                    .submit(
                            shard,
                            new FindPublisher(
                                    context.settings().ioAgent(),
                                    session.id(),
                                    session.profile().publisherName()));
        }
    }

    private void refuseUnrecorded(final Session session, final long commandId) {
        context.fail(session, commandId, ErrorCode.AUTHENTICATION_FAILED, "logon: " + AuditTrail.REFUSAL);
    }

    private void acknowledge(final Session session, final long commandId, final long publisherSequence) {
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
                        context.settings().broker());
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

    /** Is notified that a client's name was taken by another. */
    @FunctionalInterface
    public interface ReplacedHandler {
        void onReplaced(int ioAgent, long sessionId);
    }
}
