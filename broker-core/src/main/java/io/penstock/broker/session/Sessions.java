package io.penstock.broker.session;

import io.penstock.broker.concurrent.IoNotice;
import io.penstock.broker.concurrent.ReadyBits;
import io.penstock.broker.session.client.Admission;
import io.penstock.broker.session.client.AgentPorts;
import io.penstock.broker.session.client.ReadyMarks;
import io.penstock.broker.session.client.Reports;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.Session.CloseListener;
import io.penstock.broker.session.client.Session.State;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.client.SessionSettings;
import io.penstock.broker.session.connect.ClientDirectory;
import io.penstock.broker.session.connect.LogonHandler;
import io.penstock.broker.session.connect.NoticePort;
import io.penstock.broker.session.connect.StatHandler;
import io.penstock.broker.session.deliver.Deliverer;
import io.penstock.broker.session.publish.RefusalRing;
import io.penstock.broker.session.query.HistoryQueries;
import io.penstock.broker.session.query.QuerySender;
import io.penstock.broker.session.query.QueryStarter;
import io.penstock.broker.session.query.SowHandler;
import io.penstock.broker.session.sink.SinkHandler;
import io.penstock.broker.session.sink.SinkReplies;
import io.penstock.broker.session.subscribe.PaceHandler;
import io.penstock.broker.session.subscribe.ReplayHandler;
import io.penstock.broker.session.subscribe.SessionRings;
import io.penstock.broker.session.subscribe.SubscribeHandler;
import io.penstock.broker.session.subscribe.SubscriptionPacer;
import io.penstock.broker.shard.state.StateRefusal;
import io.penstock.protocol.ErrorCode;
import io.penstock.transport.Connection;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * All clients of one I/O agent: from connection to end. Confined to that agent, which passes on what transports and
 * other agents report, and calls {@link #send()} and {@link #lookAfterTimers()}.
 */
public final class Sessions implements RefusalRing.Listener {
    private final SessionContext context;
    private final ReadyMarks marks;
    private final CommandDispatcher dispatcher;
    private final QuerySender querySender;
    private final SinkHandler sinkHandler;
    private final SessionSender sender;
    private final SessionTable table;
    private final SendSchedule schedule = new SendSchedule();
    private final ReadyBits.SlotConsumer scheduleSlot = this::scheduleSlot;
    private final SessionTimers timers;
    private final SegmentRelease segmentRelease;
    private final NoticeDispatcher notices;
    private final SessionControl control;
    private final SessionDrain drain;

    /**
     * Makes an empty set of sessions.
     *
     * @param settings   bounds and names.
     * @param ports      to the agents that do what clients ask for.
     * @param clock      for deadlines of queries.
     * @param admission  that every command passes.
     * @param marks      of sessions that have something to send.
     * @param names      of clients of all I/O agents.
     * @param port       to I/O agents, this one included.
     * @param reports    where it is said what happens.
     */
    public Sessions(
            final SessionSettings settings,
            final AgentPorts ports,
            final NanoClock clock,
            final Admission admission,
            final ReadyMarks marks,
            final ClientDirectory names,
            final NoticePort port,
            final Reports reports) {
        this.marks = marks;
        context = new SessionContext(settings, ports, admission, reports, marks.agents(), clock);
        final QueryStarter queryStarter = new QueryStarter(context);
        querySender = new QuerySender(context, new HistoryQueries(context, queryStarter));
        final SessionRings rings = new SessionRings(
                marks,
                settings.limits().descriptorRingLength(),
                context.shards().count());
        final SubscribeHandler subscribeHandler = new SubscribeHandler(context, rings, queryStarter);
        final SubscriptionPacer pacer = new SubscriptionPacer(context, subscribeHandler.logSubscriber());
        final LogonHandler logonHandler = new LogonHandler(context, names, admission, port);
        sinkHandler = new SinkHandler(context, ports.sinks());
        final SinkReplies sinkReplies = new SinkReplies(context, ports.sinks());
        dispatcher = new CommandDispatcher(
                context,
                logonHandler,
                subscribeHandler,
                new ReplayHandler(context, subscribeHandler),
                new PaceHandler(context, pacer),
                new SowHandler(context, queryStarter),
                new StatHandler(context, reports.broker()),
                sinkHandler);
        final Deliverer deliverer = new Deliverer(context, subscribeHandler, pacer, rings);
        table = new SessionTable(context, logonHandler, querySender, sinkHandler);
        sender = new SessionSender(context, table, subscribeHandler, querySender, sinkReplies, deliverer);
        timers = new SessionTimers(context, table, schedule, sinkHandler);
        segmentRelease = new SegmentRelease(context, table, schedule, deliverer, rings);
        control = new SessionControl(
                new PermissionWatch(context, table, schedule, subscribeHandler.permissionChange()),
                new Revocation(context, table, schedule),
                new SessionInspector(context, table, schedule, reports.broker()));
        notices = new NoticeDispatcher(
                context, table, schedule, dispatcher, subscribeHandler, sinkReplies, deliverer, control);
        drain = new SessionDrain(context, table, subscribeHandler.logSubscriber());
    }

    /**
     * A client has connected.
     *
     * @param connection of it.
     * @param onClosed   notified when its session ends, however it does.
     * @return its session, or null when there are too many and the connection was closed.
     */
    public @Nullable Session onConnect(final Connection connection, final CloseListener onClosed) {
        final Session session = table.open(connection, onClosed);
        if (session != null) {
            timers.onConnect(session);
        }
        return session;
    }

    /**
     * A frame or a part of one came from a client.
     *
     * @param session     of the client.
     * @param buffer      holding the bytes.
     * @param offset      of the first one.
     * @param length      of the fragment.
     * @param frameOffset of the fragment in the frame.
     * @param frameLength of the frame.
     * @return false when it has to be offered again later.
     */
    public boolean onFragment(
            final Session session,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        session.times().onReceived(context.nowNs(), context.time().awakeNs());
        boolean taken = true;
        boolean handled = false;
        try {
            taken = control.permissions().isDecided(session)
                    && dispatcher.onFragment(session, buffer, offset, length, frameOffset, frameLength);
            handled = true;
        } finally {
            if (!handled) {
                // A later acknowledgement would stand for the command that was lost.
                context.fail(
                        session,
                        0,
                        ErrorCode.INTERNAL_ERROR,
                        "session: the broker failed at a command (its error log says more)");
                schedule.add(session);
            }
        }
        if (!session.commands().acks().isEmpty()
                || session.commands().entries() != null
                || !session.outbox().isEmpty()
                || session.state() == State.CLOSING) {
            schedule.add(session);
        }
        return taken;
    }

    /**
     * A client's connection has ended.
     *
     * @param session of the client.
     */
    public void onDisconnect(final Session session) {
        table.close(session);
    }

    /**
     * Takes a notice of another agent.
     *
     * @param notice about a session, which may have ended since.
     */
    public void onNotice(final IoNotice notice) {
        notices.onNotice(notice);
    }

    @Override
    public void onRefused(
            final long sessionId,
            final long commandId,
            final long publisherSequence,
            final int shard,
            final int topicId,
            final StateRefusal reason,
            final long used,
            final long limit) {
        final Session session = table.find(sessionId);
        if (session != null && session.isOpen()) {
            session.commands().refusals().add(commandId, publisherSequence, shard, topicId, reason, used, limit);
            schedule.add(session);
        }
    }

    /**
     * Sets the time for what follows in this duty cycle.
     *
     * @param nowNs of the broker's clock.
     */
    public void onTime(final long nowNs) {
        context.onTime(nowNs);
        control.permissions().look();
    }

    /**
     * Sends what is due to clients: answers, acknowledgements, deliveries.
     *
     * @return work done.
     */
    public int send() {
        int workCount = context.doWork() + sinkHandler.submitWaiting() + querySender.closeOrphans();
        workCount += control.revocation().look() + (control.permissions().isLooking() ? 1 : 0);
        marks.agents().take(scheduleSlot);
        marks.files().take(scheduleSlot);
        for (int i = schedule.size() - 1; i >= 0; i--) {
            final Session session = schedule.get(i);
            if (!control.permissions().isDecided(session)) {
                // It is sent nothing by rights that it may not have any more.
                continue;
            }
            workCount += sender.send(session);
            if (session.state() == State.CLOSED || SessionWork.isIdle(session)) {
                schedule.remove(i);
            }
        }
        return workCount;
    }

    /**
     * Releases everything before a position of a shard's log: feeds that still need it lag. A connection that has taken
     * some of it gets a little time to complete it, and is closed then: publishers wait for no consumer.
     *
     * @param shard    of the log.
     * @param position before which nothing may be read any more.
     * @return false when a connection has not completed what it has taken; to be called again.
     */
    public boolean release(final int shard, final long position) {
        return segmentRelease.release(shard, position);
    }

    /**
     * How long to wait at most before timers are looked after again.
     *
     * @return interval in nanoseconds; it falls when a client asks for shorter heartbeats.
     */
    public long tickIntervalNs() {
        return timers.tickIntervalNs();
    }

    /**
     * Looks after the sessions whose timers are due, as many as have room in a duty cycle.
     *
     * @return work done; 0 when none is due.
     */
    public int lookAfterTimers() {
        return timers.doWork();
    }

    /** Refuses new messages and subscriptions from now on. */
    public void drain() {
        drain.begin();
    }

    /**
     * Whether all messages taken from these clients were processed.
     *
     * @return true for good once it is so after {@link #drain()}.
     */
    public boolean isProcessed() {
        return drain.isProcessed();
    }

    /**
     * Whether nothing is left to be sent to any client. To be asked when no I/O agent has messages that are not
     * processed.
     *
     * @return true when no subscription lags, and all rings, outboxes and connections are empty.
     */
    public boolean isDrained() {
        return drain.isDrained();
    }

    /**
     * Whether sessions wait for their media to take more.
     *
     * @return true when there is something to send.
     */
    public boolean isSending() {
        return schedule.size() > 0;
    }

    /** Notifies every client that the broker stops, and closes. */
    public void closeAll() {
        drain.closeAll();
    }

    /** Frees what queries have taken. Called after {@link #closeAll}, when all agents have stopped. */
    public void free() {
        querySender.free();
    }

    private void scheduleSlot(final int slot) {
        final Session session = table.at(slot);
        if (session != null) {
            schedule.add(session);
        }
    }
}
