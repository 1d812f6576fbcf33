package io.penstock.broker.session;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.protocol.ErrorCode;

/** Ends sessions whose clients no longer are who they proved to be. Confined to one I/O agent. */
final class Revocation {
    private final SessionContext context;
    private final SessionTable table;
    private final SendSchedule schedule;

    Revocation(final SessionContext context, final SessionTable table, final SendSchedule schedule) {
        this.context = context;
        this.table = table;
        this.schedule = schedule;
    }

    /** Users have changed: looks at every session. */
    void onUsersChanged() {
        for (int slot = 0; slot < table.slotLimit(); slot++) {
            final Session session = table.at(slot);
            if (session != null && session.isOpen() && !session.profile().isValid()) {
                end(session, "user " + session.profile().user() + " was changed, disabled or removed (log on again)");
            }
        }
    }

    /** Ends a session whose proof has expired. Returns whether it has. */
    boolean endIfExpired(final Session session) {
        if (!session.profile().isExpired(context.nowNs())) {
            return false;
        }
        end(
                session,
                "what user " + session.profile().user()
                        + " proved itself with has expired (log on again with a new token)");
        return true;
    }

    private void end(final Session session, final String text) {
        context.fail(session, 0, ErrorCode.SESSION_REVOKED, "session: " + text);
        schedule.add(session);
    }
}
