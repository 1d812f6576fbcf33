package io.penstock.broker.session;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.protocol.ErrorCode;

/** Ends sessions whose clients no longer are who they proved to be. Confined to one I/O agent. */
final class Revocation {
    /** What the looks of one duty cycle may cost, but for the last one. */
    static final int LOOK_BUDGET = 512;

    /** An end is a message, an event and calls of the system. */
    private static final int END_COST = 8;

    /** Slots of the table that one duty cycle looks at, most of which may be free. */
    private static final int SLOT_LIMIT = 4096;

    private final SessionContext context;
    private final SessionTable table;
    private final SendSchedule schedule;

    /** To be looked at next, since users have changed; at the end when all were. */
    private int nextSlot = Integer.MAX_VALUE;

    Revocation(final SessionContext context, final SessionTable table, final SendSchedule schedule) {
        this.context = context;
        this.table = table;
        this.schedule = schedule;
    }

    /** Users have changed: every session is looked at, some in each duty cycle. */
    void onUsersChanged() {
        nextSlot = 0;
    }

    /** Looks at some sessions after users have changed. Returns the work done. */
    int look() {
        if (nextSlot == Integer.MAX_VALUE) {
            return 0;
        }
        final int slotEnd = (int) Math.min(table.slotLimit(), (long) nextSlot + SLOT_LIMIT);
        int cost = 1;
        while (nextSlot < slotEnd && cost <= LOOK_BUDGET) {
            final Session session = table.at(nextSlot);
            nextSlot++;
            if (session != null && session.isOpen()) {
                cost += lookAt(session);
            }
        }
        if (nextSlot >= table.slotLimit()) {
            nextSlot = Integer.MAX_VALUE;
        }
        return cost;
    }

    private int lookAt(final Session session) {
        if (session.profile().isValid()) {
            return 1;
        }
        end(session, "user " + session.profile().user() + " was changed, disabled or removed (log on again)");
        return END_COST;
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
