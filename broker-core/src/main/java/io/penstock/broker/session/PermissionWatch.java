package io.penstock.broker.session;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.subscribe.PermissionChange;
import io.penstock.protocol.ErrorCode;

/** Notices that the permissions have changed, and has the change hold for all sessions. Confined to one I/O agent. */
final class PermissionWatch {
    private final SessionContext context;
    private final SessionTable table;
    private final SendSchedule schedule;
    private final PermissionChange change;
    private long version;

    PermissionWatch(
            final SessionContext context,
            final SessionTable table,
            final SendSchedule schedule,
            final PermissionChange change) {
        this.context = context;
        this.table = table;
        this.schedule = schedule;
        this.change = change;
    }

    /** Looks, once in each duty cycle, before anything is read or sent. */
    void look() {
        final long present = context.gate().version();
        if (present == version) {
            return;
        }
        version = present;
        for (int slot = 0; slot < table.slotLimit(); slot++) {
            final Session session = table.at(slot);
            if (session != null && isKnown(session)) {
                apply(session);
                schedule.add(session);
            }
        }
        context.gate().onApplied(context.settings().ioAgent(), present);
    }

    /** A shard has answered a client. What has begun by this may have been asked for before the last change. */
    void onReply(final Session session) {
        if (session.topics().decidedAt() < version && isKnown(session)) {
            apply(session);
        }
    }

    private void apply(final Session session) {
        try {
            change.apply(session);
        } catch (final RuntimeException e) {
            // Nobody goes on by rights that are not known.
            context.fail(
                    session,
                    0,
                    ErrorCode.NOT_AUTHORIZED,
                    "session: its permissions cannot be decided: " + e.getMessage() + " (log on again)");
            return;
        }
        if (session.commands().pending() == null) {
            session.topics().decidedAt(version);
        }
    }

    private static boolean isKnown(final Session session) {
        return session.state() == Session.State.ACTIVE || session.state() == Session.State.LOGGING_ON;
    }
}
