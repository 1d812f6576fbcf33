package io.penstock.broker.session.client;

import io.penstock.broker.security.Principal;
import io.penstock.broker.security.audit.AuditClient;
import io.penstock.broker.security.audit.AuditKind;
import io.penstock.broker.security.audit.AuditTrail;
import java.util.concurrent.TimeUnit;

/** Records what clients do for the broker's audit, each with who it is. Called by the I/O agent of the session. */
public final class SessionAudit {
    private static final long TALLY_NS = TimeUnit.MINUTES.toNanos(1);

    private SessionAudit() {}

    /** Who a client is: what it has proved, or before that what it claims. */
    public static AuditClient client(final Session session) {
        final ClientProfile profile = session.profile();
        if (!profile.origin().isOwn()) {
            return new AuditClient(
                    session.identity(),
                    profile.principal().equals(Principal.ANONYMOUS) ? "" : profile.user(),
                    profile.origin().client(),
                    profile.origin().peer());
        }
        return new AuditClient(
                session.identity(),
                profile.user().isEmpty() ? profile.claimedUser() : profile.user(),
                profile.name().isEmpty() ? profile.claimedName() : profile.name(),
                session.connection().peer());
    }

    /** A client logs on; false when it is not to, as that cannot be recorded. Who it acts for has logged on before. */
    public static boolean loggedOn(final AuditTrail trail, final Session session) {
        return !trail.isUsed()
                || !session.profile().origin().isOwn()
                || trail.record(AuditKind.LOGGED_ON, client(session), false, 0, "logon", "");
    }

    static void logonRefused(final AuditTrail trail, final Session session, final String reason) {
        refused(trail, session, AuditKind.LOGON_REFUSED, reason);
    }

    static void refused(final AuditTrail trail, final Session session, final String reason) {
        refused(trail, session, AuditKind.REFUSED, reason);
    }

    private static void refused(
            final AuditTrail trail, final Session session, final AuditKind kind, final String reason) {
        if (trail.isUsed()) {
            trail.record(kind, client(session), true, 0, "", reason);
        }
    }

    /** Records of a topic were deleted, all by one command. */
    public static void deleted(
            final AuditTrail trail, final Session session, final String topic, final String which, final long count) {
        if (trail.isUsed()) {
            trail.record(AuditKind.DELETED, client(session), false, count, "records of " + topic + " by " + which, "");
        }
    }

    /**
     * A record is deleted by its key, which may happen as often as publishing: the first is recorded at once, others are
     * counted and recorded together once a minute, and when the session ends.
     */
    public static void keyDeleted(
            final AuditTrail trail, final Session session, final TopicAccess access, final long nowNs) {
        if (trail.isUsed() && access.onKeyDeleted(nowNs, TALLY_NS)) {
            tallied(trail, session, access);
        }
    }

    /** A session has ended. */
    public static void closed(final AuditTrail trail, final Session session) {
        if (trail.isUsed()) {
            session.topics().forEach(access -> tallied(trail, session, access));
        }
    }

    private static void tallied(final AuditTrail trail, final Session session, final TopicAccess access) {
        final long count = access.takeKeyDeletes();
        if (count > 0) {
            deleted(trail, session, access.topic().name(), "key", count);
        }
    }
}
