package io.penstock.broker.session;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.session.Session.CloseListener;
import io.penstock.broker.session.Session.State;
import io.penstock.broker.shard.command.CloseSession;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.transport.Connection;
import org.agrona.collections.IntArrayList;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** Opens and closes sessions, and finds those that are open by their number or slot. Confined to one I/O agent. */
final class SessionTable {
    private final SessionContext context;
    private final LogonHandler logonHandler;
    private final QuerySender querySender;
    private final SinkHandler sinkHandler;
    private final Long2ObjectHashMap<Session> byId = new Long2ObjectHashMap<>();
    private final @Nullable Session[] bySlot;
    private final IntArrayList freeSlots = new IntArrayList();
    private int slotLimit;
    private long nextId;

    SessionTable(
            final SessionContext context,
            final LogonHandler logonHandler,
            final QuerySender querySender,
            final SinkHandler sinkHandler) {
        this.context = context;
        this.logonHandler = logonHandler;
        this.querySender = querySender;
        this.sinkHandler = sinkHandler;
        bySlot = new Session[context.settings.sessionCountMax()];
        nextId = ((long) context.settings.ioAgent() << 48) + 1;
    }

    /** Opens a session; or closes the connection and returns null when there are too many. */
    @Nullable
    Session open(final Connection connection, final CloseListener onClosed) {
        final int slot = freeSlots.isEmpty() ? slotLimit : freeSlots.removeAt(freeSlots.size() - 1);
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
        slotLimit = Math.max(slotLimit, slot + 1);
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

    @Nullable
    Session find(final long id) {
        return byId.get(id);
    }

    /** Null when the slot is free. */
    @Nullable
    Session at(final int slot) {
        return bySlot[slot];
    }

    /** All slots from here on were never used. */
    int slotLimit() {
        return slotLimit;
    }

    /** Closes a session, unless it is closed. */
    void close(final Session session) {
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
