package io.penstock.broker.session;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.Session.State;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.client.SessionTimeouts;
import io.penstock.broker.session.client.SessionTimes;
import io.penstock.broker.session.sink.SinkHandler;
import io.penstock.protocol.ErrorCode;

/**
 * Ends sessions whose clients are silent or do not log on, and sends heartbeats to the others, each when it is due: who
 * is not due costs nothing. Confined to one I/O agent.
 */
final class SessionTimers {
    /** Looks at each session in the shortest time for which a client waits. */
    private static final int LOOK_COUNT = 20;

    /** What the looks of one duty cycle may cost, so that many ends at once keep nobody waiting. */
    private static final int LOOK_BUDGET = 64;

    /** An end is a message, an event and calls of the system. */
    private static final int END_COST = 8;

    private static final long TICK_NS_MIN = 1_000_000;
    private static final long TICK_NS_MAX = 100_000_000;

    private final SessionContext context;
    private final SessionTable table;
    private final SendSchedule schedule;
    private final SinkHandler sinkHandler;
    private final Revocation revocation;
    private final LookWheel wheel;
    private final LookWheel.Looker looker = this::look;

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
        wheel = new LookWheel(
                context.settings().limits().sessionCountMax(),
                context.time().clock().nanoTime());
        context.time().listener(this::onTimeout);
    }

    /** A client has connected. */
    void onConnect(final Session session) {
        scheduleNext(session);
    }

    /** A session waits for another time than before. */
    private void onTimeout(final int slot) {
        final Session session = table.at(slot);
        if (session != null) {
            scheduleNext(session);
        }
    }

    /** The longest wait after which nobody is looked at too late. */
    long tickIntervalNs() {
        return Math.max(TICK_NS_MIN, Math.min(TICK_NS_MAX, context.time().shortestTimeoutNs() / LOOK_COUNT));
    }

    /** Looks after the sessions that are due, as many as have room in a duty cycle. Returns the work done. */
    int doWork() {
        return wheel.poll(context.nowNs(), looker, LOOK_BUDGET);
    }

    private int look(final int slot) {
        final Session session = table.at(slot);
        if (session == null) {
            // It has ended before this was due.
            return 1;
        }
        final boolean wasOpen = session.isOpen();
        onDue(session);
        scheduleNext(session);
        return wasOpen && !session.isOpen() ? END_COST : 1;
    }

    private void scheduleNext(final Session session) {
        final SessionTimeouts timeouts = context.settings().timeouts();
        final SessionTimes times = session.times();
        // Half finished frames and blocks are looked for as well, of which each session may have some at any time.
        long nextNs = context.nowNs() + timeouts.heartbeatIntervalNs() / 2;
        if (session.state() == State.CONNECTED) {
            nextNs = Math.min(nextNs, times.connectedNs() + timeouts.logonTimeoutNs() + 1);
        }
        final long sentNs = session.state() == State.ACTIVE ? times.lastSentNs() : context.nowNs();
        nextNs = Math.min(nextNs, sentNs + times.heartbeatIntervalNs() / 2);
        nextNs = Math.min(nextNs, times.lastReceivedNs() + patienceNs(session) + 1);
        nextNs = Math.min(nextNs, session.profile().validUntilNs());
        if (nextNs <= context.nowNs()) {
            // It could not be done yet, as a heartbeat for who takes nothing.
            nextNs = context.nowNs() + Math.min(times.heartbeatIntervalNs(), timeouts.logonTimeoutNs()) / LOOK_COUNT;
        }
        wheel.schedule(session.slot(), nextNs);
    }

    private static long patienceNs(final Session session) {
        return session.times().heartbeatIntervalNs() * SessionTimeouts.HEARTBEATS_MISSED_MAX;
    }

    private void onDue(final Session session) {
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
        if (revocation.endIfExpired(session)) {
            return;
        }
        // A longer heartbeat interval of the client does not extend the time for which it may hold memory for a frame.
        final long framePatienceNs =
                context.settings().timeouts().heartbeatIntervalNs() * SessionTimeouts.HEARTBEATS_MISSED_MAX;
        if (session.times().silentNs(context.time().awakeNs()) > patienceNs(session)
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
