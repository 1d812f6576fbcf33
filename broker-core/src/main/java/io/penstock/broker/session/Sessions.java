package io.penstock.broker.session;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.concurrent.IoNotice;
import io.penstock.broker.concurrent.ReadyBits;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.session.Session.CloseListener;
import io.penstock.broker.session.Session.State;
import io.penstock.broker.session.SessionNotice.Recall;
import io.penstock.broker.session.SessionNotice.Replaced;
import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.shard.command.CloseSession;
import io.penstock.broker.shard.command.Hold;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.command.Subscribe;
import io.penstock.broker.shard.feed.CursorPort;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.state.StateRefusal;
import io.penstock.broker.sink.SinkPort;
import io.penstock.broker.sink.SinkReply;
import io.penstock.broker.topic.TopicRules;
import io.penstock.protocol.ErrorCode;
import io.penstock.transport.Connection;
import java.util.ArrayList;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntArrayList;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * All clients of one I/O agent: from connection to end. Confined to that agent, which tells it what transports and
 * other agents say, and calls {@link #send()} and {@link #onTick()}.
 */
public final class Sessions implements RefusalRing.Listener {
    private static final int DESCRIPTOR_LIMIT = 4 * 1024;
    private static final int ENTRY_LIMIT = 64;
    private static final int TICK_COUNT = 10;

    /** How long the log waits for a connection to complete what it has taken of a segment that is needed. */
    private static final long COMPLETION_WAIT_NS = 100_000_000;

    private static final long TICK_NS_MIN = 1_000_000;
    private static final long TICK_NS_MAX = 100_000_000;

    private final SessionContext context;
    private final ReadyBits ready;
    private final ReadyBits filesReady;
    private final CommandDispatcher dispatcher;
    private final LogonHandler logonHandler;
    private final SubscribeHandler subscribeHandler;
    private final Deliverer deliverer;
    private final QuerySender querySender;
    private final SinkHandler sinkHandler;
    private final SinkReplies sinkReplies;
    private final Long2ObjectHashMap<Session> byId = new Long2ObjectHashMap<>();
    private final @Nullable Session[] bySlot;
    private final IntArrayList freeSlots = new IntArrayList();
    private final ArrayList<Session> scheduled = new ArrayList<>();
    private final ReadyBits.SlotConsumer scheduleSlot = this::scheduleSlot;
    private final boolean[] releasing;
    private final long[] releasingSinceNs;
    private int slotCount;
    private int tickSlot;
    private long nextId;

    /**
     * Makes an empty set of sessions.
     *
     * @param settings       bounds and names.
     * @param ports          to each shard, by its number.
     * @param cursors        to the replayer.
     * @param queries        to the query agents.
     * @param sinks          to the sink agent.
     * @param clock          for deadlines of queries.
     * @param gate           that every command passes.
     * @param rules          for new topics.
     * @param ready          marked by writers of descriptors, of at least as many slots as sessions are allowed.
     * @param filesReady     the same, for the writer that is always on another thread.
     * @param directory      of all clients' names.
     * @param onReplaced     tells another I/O agent that a session of its lost its name.
     * @param brokerCounters that clients may read.
     * @param counters       of this I/O agent.
     * @param events         for those who run the broker.
     */
    public Sessions(
            final SessionSettings settings,
            final ShardPort[] ports,
            final CursorPort cursors,
            final QueryPort queries,
            final SinkPort sinks,
            final NanoClock clock,
            final AccessGate gate,
            final TopicRules rules,
            final ReadyBits ready,
            final ReadyBits filesReady,
            final ClientDirectory directory,
            final ReplacedListener onReplaced,
            final BrokerCounters brokerCounters,
            final SessionCounters counters,
            final EventLog events) {
        this.ready = ready;
        this.filesReady = filesReady;
        context = new SessionContext(settings, ports, cursors, queries, ready, clock, gate, rules, counters, events);
        final QueryStarter queryStarter = new QueryStarter(context);
        querySender = new QuerySender(context, new HistoryQueries(context, queryStarter));
        final SessionRings rings = new SessionRings(ready, filesReady, settings.descriptorRingLength());
        subscribeHandler = new SubscribeHandler(context, rings, queryStarter);
        final SubscriptionPacer pacer = new SubscriptionPacer(context, subscribeHandler.logSubscriber());
        logonHandler = new LogonHandler(
                context, directory, (ioAgent, sessionId) -> onReplaced.onReplaced(ioAgent, new Replaced(sessionId)));
        sinkHandler = new SinkHandler(context, sinks);
        sinkReplies = new SinkReplies(context, sinks);
        dispatcher = new CommandDispatcher(
                context,
                logonHandler,
                new PublishHandler(context),
                subscribeHandler,
                new ReplayHandler(context, subscribeHandler, pacer),
                new SowHandler(context, queryStarter),
                new StatHandler(context, brokerCounters),
                sinkHandler);
        deliverer = new Deliverer(context, subscribeHandler, pacer, rings);
        bySlot = new Session[settings.sessionCountMax()];
        releasing = new boolean[ports.length];
        releasingSinceNs = new long[ports.length];
        nextId = ((long) settings.ioAgent() << 48) + 1;
    }

    /**
     * A client has connected.
     *
     * @param connection of it.
     * @param onClosed   told when its session ends, however it does.
     * @return its session, or null when there are too many and the connection was closed.
     */
    public @Nullable Session onConnect(final Connection connection, final CloseListener onClosed) {
        final int slot = freeSlots.isEmpty() ? slotCount : freeSlots.removeAt(freeSlots.size() - 1);
        if (slot >= bySlot.length) {
            context.counters.fatalErrors.incrementPlain();
            context.events.report(
                    EventKind.CONNECTION_REFUSED,
                    "peer",
                    connection.peer(),
                    "reason",
                    "too many connections: " + bySlot.length);
            connection.close();
            return null;
        }
        slotCount = Math.max(slotCount, slot + 1);
        final Session session = new Session(
                nextId++,
                slot,
                connection,
                onClosed,
                context.ports.length,
                context.settings.pendingAckCountMax(),
                new FrameAssembler());
        session.connectedNs = context.nowNs;
        session.lastReceivedNs = context.nowNs;
        session.lastSentNs = context.nowNs;
        session.heartbeatIntervalNs = context.settings.heartbeatIntervalNs();
        bySlot[slot] = session;
        byId.put(session.id, session);
        context.counters.connections.incrementRelease();
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
        session.lastReceivedNs = context.nowNs;
        boolean taken = true;
        boolean handled = false;
        try {
            taken = dispatcher.onFragment(session, buffer, offset, length, frameOffset, frameLength);
            handled = true;
        } finally {
            if (!handled) {
                // A later acknowledgement would stand for the command that was lost.
                context.fail(
                        session,
                        0,
                        ErrorCode.INTERNAL_ERROR,
                        "session: the broker failed at a command (its error log says more)");
                schedule(session);
            }
        }
        if (!session.acks.isEmpty()
                || session.entries != null
                || !session.outbox.isEmpty()
                || session.state == State.CLOSING) {
            schedule(session);
        }
        return taken;
    }

    /**
     * A client's connection is gone.
     *
     * @param session of the client.
     */
    public void onDisconnect(final Session session) {
        close(session);
    }

    /**
     * Another agent has something to tell.
     *
     * @param notice about a session, which may have ended since.
     */
    public void onNotice(final IoNotice notice) {
        if (notice instanceof ShardCommand reply) {
            final Session session = byId.get(reply.sessionId());
            if (session == null || !session.isOpen()) {
                dispatcher.onLateReply(reply);
            } else if (reply instanceof Subscribe resynced && resynced.resync()) {
                subscribeHandler.onResynced(session, resynced);
                schedule(session);
            } else if (reply instanceof Hold hold && hold.isDiverted()) {
                subscribeHandler.logSubscriber().onHeld(session, hold);
                schedule(session);
            } else if (session.pending != null) {
                session.pending.onReply(session, reply);
                schedule(session);
            }
        } else if (notice instanceof SinkReply answer) {
            final Session session = byId.get(answer.sessionId());
            if (session != null && session.isOpen()) {
                sinkReplies.onReply(session, answer);
                schedule(session);
            }
        } else if (notice instanceof Recall recall) {
            final Session session = byId.get(recall.sessionId());
            if (session != null && session.isOpen()) {
                deliverer.recall(session);
                schedule(session);
            }
        } else if (notice instanceof Replaced replaced) {
            final Session session = byId.get(replaced.sessionId());
            if (session != null) {
                context.fail(
                        session,
                        0,
                        ErrorCode.REPLACED,
                        "session: another client logged on as '" + session.name + "' (give each client its own name)");
                schedule(session);
            }
        }
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
        final Session session = byId.get(sessionId);
        if (session != null && session.isOpen()) {
            session.refusals.add(commandId, publisherSequence, shard, topicId, reason, used, limit);
            schedule(session);
        }
    }

    /**
     * Sets the time for what follows in this duty cycle.
     *
     * @param nowNs of the broker's clock.
     */
    public void onTime(final long nowNs) {
        context.onTime(nowNs);
    }

    /**
     * Sends what is due to clients: answers, acknowledgements, deliveries.
     *
     * @return work done.
     */
    public int send() {
        int workCount = context.doWork() + sinkHandler.submitWaiting() + querySender.closeOrphans();
        ready.take(scheduleSlot);
        filesReady.take(scheduleSlot);
        for (int i = scheduled.size() - 1; i >= 0; i--) {
            final Session session = scheduled.get(i);
            workCount += send(session);
            if (session.state == State.CLOSED || SessionWork.isIdle(session)) {
                session.scheduled = false;
                final int last = scheduled.size() - 1;
                scheduled.set(i, scheduled.get(last));
                scheduled.remove(last);
            }
        }
        return workCount;
    }

    /**
     * Releases everything before a position of a shard's log: whoever still needs it falls behind. A connection that
     * has taken some of it gets a little time to complete it, and is closed then: publishers wait for no consumer.
     *
     * @param shard    of the log.
     * @param position before which nothing may be read any more.
     * @return false when a connection has not completed what it has taken; to be called again.
     */
    public boolean release(final int shard, final long position) {
        if (!releasing[shard]) {
            releasing[shard] = true;
            releasingSinceNs[shard] = context.nowNs;
        }
        context.releasedPositions[shard] = position;
        final boolean timeIsUp = context.nowNs - releasingSinceNs[shard] >= COMPLETION_WAIT_NS;
        boolean released = true;
        for (int i = 0; i < slotCount; i++) {
            final Session session = bySlot[i];
            if (session != null && session.liveRings[shard] != null) {
                deliverer.release(session);
                session.inFlight.onCompleted(session.connection.completedPosition());
                final boolean holds = session.inFlight.isBefore(shard, position);
                if (session.state == State.CUT_OFF || (holds && timeIsUp)) {
                    context.counters.disconnectedBehind.incrementPlain();
                    context.report(
                            EventKind.CLIENT_TOO_SLOW,
                            session,
                            "has not taken all of what is half sent, and the memory is needed");
                    close(session);
                } else {
                    released &= !holds;
                    schedule(session);
                }
            }
        }
        releasing[shard] = !released;
        return released;
    }

    /**
     * How long to wait before the next tick: so that each session is looked after twice before the shortest timer of
     * any of them.
     *
     * @return interval in nanoseconds; it falls when a client asks for shorter heartbeats.
     */
    public long tickIntervalNs() {
        return Math.max(TICK_NS_MIN, Math.min(TICK_NS_MAX, context.shortestTimeoutNs() / (2 * TICK_COUNT)));
    }

    /** Looks after some of the sessions' timers; all of them are looked after within ten ticks. */
    public void onTick() {
        final int count = slotCount / TICK_COUNT + 1;
        for (int i = 0; i < count; i++) {
            tickSlot = tickSlot + 1 < slotCount ? tickSlot + 1 : 0;
            final Session session = bySlot[tickSlot];
            if (session != null) {
                onTick(session);
            }
        }
    }

    /** Refuses new messages and subscriptions from now on. */
    public void drain() {
        context.draining = true;
    }

    /**
     * Whether all messages taken from these clients were processed.
     *
     * @return true for good once it is so after {@link #drain()}.
     */
    public boolean isProcessed() {
        for (final ShardPort port : context.ports) {
            if (port.processed() != port.submitted()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether nothing is left to be sent to any client. To be asked when no I/O agent has messages that are not
     * processed.
     *
     * @return true when nobody is behind, and all rings, outboxes and connections are empty.
     */
    public boolean isDrained() {
        for (final ShardPort port : context.ports) {
            if (port.isAnyLagging()) {
                return false;
            }
        }
        for (int i = 0; i < slotCount; i++) {
            final Session session = bySlot[i];
            if (session != null && leftOf(session) != null) {
                return false;
            }
        }
        return true;
    }

    private @Nullable String leftOf(final Session session) {
        return SessionWork.left(session, subscribeHandler.logSubscriber());
    }

    /**
     * Whether sessions wait for their media to take more.
     *
     * @return true when there is something to send.
     */
    public boolean isSending() {
        return !scheduled.isEmpty();
    }

    /** Tells every client that the broker is going, and closes. */
    public void closeAll() {
        for (int i = 0; i < slotCount; i++) {
            final Session session = bySlot[i];
            if (session != null) {
                final String left = leftOf(session);
                if (left != null) {
                    context.report(EventKind.CUT_OFF, session, left);
                }
                context.fail(
                        session, 0, ErrorCode.SHUTTING_DOWN, "session: broker is shutting down (connect again later)");
                session.outbox.flush();
                close(session);
            }
        }
    }

    private void scheduleSlot(final int slot) {
        final Session session = bySlot[slot];
        if (session != null) {
            schedule(session);
        }
    }

    private void schedule(final Session session) {
        if (!session.scheduled && session.state != State.CLOSED) {
            session.scheduled = true;
            scheduled.add(session);
        }
    }

    private int send(final Session session) {
        if (session.state == State.CLOSED) {
            return 1;
        }
        session.inFlight.onCompleted(session.connection.completedPosition());
        int workCount = 0;
        if (!session.sentPages.isEmpty()) {
            subscribeHandler.logSubscriber().giveBackPages(session);
        }
        if (session.partSent > 0) {
            workCount += deliverer.deliver(session, 0);
        }
        if (session.partQuery != null) {
            workCount += querySender.send(session);
            if (session.partQuery != null && session.isOpen()) {
                return workCount;
            }
        }
        if (!session.isOpen()) {
            return workCount + finish(session);
        }
        if (!session.outbox.flush()) {
            return workCount;
        }
        workCount += subscribeHandler.sendEnded(session) + sendEntries(session);
        workCount += session.refusals.send(session.outbox, context) + sinkReplies.sendReplies(session);
        if (session.refusals.isEmpty()) {
            workCount += session.acks.drain(context.ports, context.answers, session.outbox);
        }
        if (workCount > 0) {
            session.lastSentNs = context.nowNs;
        }
        if (session.isQuerying()) {
            workCount += querySender.send(session);
            if (session.partQuery != null) {
                return workCount;
            }
        }
        if (!session.recalled.isEmpty()) {
            workCount += subscribeHandler.logSubscriber().resumeRecalled(session);
        }
        workCount += deliverer.deliver(session, DESCRIPTOR_LIMIT);
        if (!session.superseded.isEmpty()) {
            subscribeHandler.retireFeeds(session);
        }
        return workCount;
    }

    private int finish(final Session session) {
        if (session.state == State.CUT_OFF
                || session.outbox.flush()
                || context.nowNs - session.closingNs >= context.settings.logonTimeoutNs()) {
            close(session);
            return 1;
        }
        return 0;
    }

    private int sendEntries(final Session session) {
        int count = 0;
        while (session.entries != null && session.outbox.hasRoom() && count < ENTRY_LIMIT) {
            if (!session.entries.sendNext(session)) {
                session.entries = null;
            }
            count++;
        }
        return count;
    }

    private void onTick(final Session session) {
        final long nowNs = context.nowNs;
        if (session.state == State.CLOSING) {
            schedule(session);
            return;
        }
        if (session.state == State.CONNECTED && nowNs - session.connectedNs > context.settings.logonTimeoutNs()) {
            context.fail(
                    session, 0, ErrorCode.TIMED_OUT, "session: no logon for too long (log on right after connecting)");
            schedule(session);
            return;
        }
        // A client's own wish does not stretch the time it may hold memory for a frame.
        final long framePatienceNs = context.settings.heartbeatIntervalNs() * SessionSettings.HEARTBEATS_MISSED_MAX;
        final long patienceNs = session.heartbeatIntervalNs * SessionSettings.HEARTBEATS_MISSED_MAX;
        if (nowNs - session.lastReceivedNs > patienceNs
                || sinkHandler.isStuck(session, framePatienceNs)
                || session.assembler.isStalled(context.readableNs, framePatienceNs)) {
            context.fail(
                    session,
                    0,
                    ErrorCode.TIMED_OUT,
                    "session: silent for " + SessionSettings.HEARTBEATS_MISSED_MAX
                            + " heartbeats, or a frame or block took as long (send heartbeats)");
            schedule(session);
        } else if (session.state == State.ACTIVE
                && nowNs - session.lastSentNs >= session.heartbeatIntervalNs / 2
                && session.outbox.isEmpty()) {
            context.answers.heartbeat(session.outbox);
            session.lastSentNs = nowNs;
            if (!session.outbox.isEmpty()) {
                schedule(session);
            }
        }
    }

    private void close(final Session session) {
        if (session.state == State.CLOSED) {
            return;
        }
        if (session.loggedOn) {
            context.counters.sessions.decrementRelease();
        }
        session.state = State.CLOSED;
        session.connection.close();
        session.closeListener.onClosed(session.connection);
        context.staging.onClosed(session);
        logonHandler.onClosed(session);
        querySender.onClosed(session);
        sinkHandler.onClosed(session);
        context.counters.connections.decrementRelease();
        context.counters.subscriptions.getAndAddRelease(-session.subscriptions.size());
        session.feeds.forEach(feed -> {
            if (feed.isServedByCursor()) {
                context.stopCursor(feed);
            }
        });
        final DescriptorRing files = session.filesRing;
        if (files != null) {
            context.onCursors(() -> context.cursors.forget(files));
        }
        for (int shard = 0; shard < session.liveRings.length; shard++) {
            if (session.liveRings[shard] != null) {
                context.submit(shard, new CloseSession(context.settings.ioAgent(), session.id));
            }
        }
        byId.remove(session.id);
        bySlot[session.slot] = null;
        freeSlots.addInt(session.slot);
    }
}
