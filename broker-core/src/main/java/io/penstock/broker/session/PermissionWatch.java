package io.penstock.broker.session;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.subscribe.PermissionChange;
import io.penstock.protocol.ErrorCode;

/**
 * Notices that the permissions have changed, and has the change hold for all sessions: for as many in each duty cycle as cost
 * no more than others can wait for. Nothing is read from the others meanwhile, and nothing sent to them. Confined to one I/O
 * agent.
 */
final class PermissionWatch {
    /** What the looks of one duty cycle may cost, but for the last one: each session, its subscriptions and its topics. */
    static final int LOOK_BUDGET = 256;

    /** Slots of the table that one duty cycle looks at, most of which may be free. */
    private static final int SLOT_LIMIT = 4096;

    private final SessionContext context;
    private final SessionTable table;
    private final SendSchedule schedule;
    private final PermissionChange change;
    private long version;
    private int nextSlot;
    private boolean isLooking;

    /** Left of this duty cycle. */
    private int budget = LOOK_BUDGET;

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
        budget = LOOK_BUDGET;
        final long present = context.gate().version();
        if (present != version) {
            version = present;
            nextSlot = 0;
            isLooking = true;
        } else if (!isLooking) {
            return;
        }
        final int slotEnd = Math.min(table.slotLimit(), nextSlot + SLOT_LIMIT);
        while (nextSlot < slotEnd && budget > 0) {
            final Session session = table.at(nextSlot);
            nextSlot++;
            if (session != null && isKnown(session)) {
                decide(session);
                schedule.add(session);
            }
        }
        if (nextSlot >= table.slotLimit()) {
            isLooking = false;
            context.gate().onApplied(context.settings().ioAgent(), present);
        }
    }

    /** Whether there are sessions for which the last change does not hold yet. */
    boolean isLooking() {
        return isLooking;
    }

    /** Whether the last change holds for a session, or does now. If not, it waits for the next duty cycle. */
    boolean isDecided(final Session session) {
        if (session.topics().lookedAt() != version && isKnown(session)) {
            if (budget <= 0) {
                return false;
            }
            decide(session);
        }
        return true;
    }

    /** Has the last change hold for a session, unless it does. */
    void decide(final Session session) {
        if (session.topics().lookedAt() != version && isKnown(session)) {
            budget -=
                    1 + session.subscriptions().byId().size() + session.topics().count();
            session.topics().lookedAt(version);
            apply(session);
        }
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
