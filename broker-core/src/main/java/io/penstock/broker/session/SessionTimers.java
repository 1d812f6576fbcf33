package io.penstock.broker.session;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.Session.State;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.client.SessionTimeouts;
import io.penstock.broker.session.sink.SinkHandler;
import io.penstock.protocol.ErrorCode;

/**
 * Ends sessions whose clients are silent or do not log on, and sends heartbeats to the others. Confined to one I/O agent.
 */
final class SessionTimers {
    private static final int TICK_COUNT = 10;
    private static final long TICK_NS_MIN = 1_000_000;
    private static final long TICK_NS_MAX = 100_000_000;

    private final SessionContext context;
    private final SessionTable table;
    private final SendSchedule schedule;
    private final SinkHandler sinkHandler;
    private final Revocation revocation;
    private int tickSlot;

    SessionTimers(
            final SessionContext context,
            final SessionTable table,
            final SendSchedule schedule,
            final SinkHandler sinkHandler) {
        this.context = context;
        this.table = table;
        this.schedule = schedule;
        this.sinkHandler = sinkHandler;
        revocation = new Revocation(context, table, schedule);
    }

    /** Such that each session is looked after twice before the shortest timer of any of them. */
    long tickIntervalNs() {
        return Math.max(TICK_NS_MIN, Math.min(TICK_NS_MAX, context.time().shortestTimeoutNs() / (2 * TICK_COUNT)));
    }

    /** Looks after some of the sessions; all of them are looked after within {@link #TICK_COUNT} ticks. */
    void onTick() {
        final int slotLimit = table.slotLimit();
        final int count = slotLimit / TICK_COUNT + 1;
        for (int i = 0; i < count; i++) {
            tickSlot = tickSlot + 1 < slotLimit ? tickSlot + 1 : 0;
            final Session session = table.at(tickSlot);
            if (session != null) {
                onTick(session);
            }
        }
    }

    private void onTick(final Session session) {
        final long nowNs = context.nowNs();
        if (session.state() == State.CLOSING) {
            schedule.add(session);
            return;
        }
        if (session.state() == State.CONNECTED
                && nowNs - session.times().connectedNs()
                        > context.settings().timeouts().logonTimeoutNs()) {
            context.fail(
                    session, 0, ErrorCode.TIMED_OUT, "session: no logon for too long (log on right after connecting)");
            schedule.add(session);
            return;
        }
        if (revocation.onTick(session)) {
            return;
        }
        // A longer heartbeat interval of the client does not extend the time for which it may hold memory for a frame.
        final long framePatienceNs =
                context.settings().timeouts().heartbeatIntervalNs() * SessionTimeouts.HEARTBEATS_MISSED_MAX;
        final long patienceNs = session.times().heartbeatIntervalNs() * SessionTimeouts.HEARTBEATS_MISSED_MAX;
        if (nowNs - session.times().lastReceivedNs() > patienceNs
                || sinkHandler.isStuck(session, framePatienceNs)
                || session.assembler().isStalled(context.time().readableNs(), framePatienceNs)) {
            context.fail(
                    session,
                    0,
                    ErrorCode.TIMED_OUT,
                    "session: silent for " + SessionTimeouts.HEARTBEATS_MISSED_MAX
                            + " heartbeats, or a frame or block took as long (send heartbeats)");
            schedule.add(session);
        } else if (session.state() == State.ACTIVE
                && nowNs - session.times().lastSentNs() >= session.times().heartbeatIntervalNs() / 2
                && session.outbox().isEmpty()) {
            context.answers().heartbeat(session.outbox());
            session.times().lastSentNs(nowNs);
            if (!session.outbox().isEmpty()) {
                schedule.add(session);
            }
        }
    }
}
