package io.penstock.broker.session;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.session.client.PendingCommand;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.Session.CloseListener;
import io.penstock.broker.session.client.Session.State;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.connect.LogonHandler;
import io.penstock.broker.session.query.QuerySender;
import io.penstock.broker.session.sink.SinkHandler;
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
    private final @Nullable CloseListener[] closeListeners;
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
        bySlot = new Session[context.settings().limits().sessionCountMax()];
        closeListeners = new CloseListener[bySlot.length];
        nextId = ((long) context.settings().ioAgent() << 48) + 1;
    }

    /** Opens a session; or closes the connection and returns null when there are too many. */
    @Nullable
    Session open(final Connection connection, final CloseListener onClosed) {
        final int slot = freeSlots.isEmpty() ? slotLimit : freeSlots.removeAt(freeSlots.size() - 1);
        if (slot >= bySlot.length) {
            context.counters().fatalErrors().incrementPlain();
            context.events()
                    .report(
                            EventKind.CONNECTION_REFUSED,
                            "peer",
                            connection.peer(),
                            "reason",
                            "too many connections: " + bySlot.length);
            connection.close();
            return null;
        }
        slotLimit = Math.max(slotLimit, slot + 1);
        final Session session =
                new Session(nextId++, slot, connection, context.shards().count(), context.settings(), context.time());
        bySlot[slot] = session;
        closeListeners[slot] = onClosed;
        byId.put(session.id(), session);
        context.counters().connections().incrementRelease();
        logonHandler.onConnect(session);
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
        if (session.state() == State.CLOSED) {
            return;
        }
        if (session.profile().isLoggedOn()) {
            context.counters().sessions().decrementRelease();
        }
        session.state(State.CLOSED);
        final PendingCommand pending = session.commands().pending();
        if (pending != null) {
            session.commands().pending(null);
            pending.abandon();
        }
        session.connection().close();
        final CloseListener closeListener = closeListeners[session.slot()];
        if (closeListener != null) {
            closeListener.onClosed(session.connection());
        }
        context.staging().onClosed(session);
        logonHandler.onClosed(session);
        querySender.onClosed(session);
        sinkHandler.onClosed(session);
        context.counters().connections().decrementRelease();
        context.counters()
                .subscriptions()
                .getAndAddRelease(-session.subscriptions().byId().size());
        session.subscriptions()
                .byId()
                .forEach(subscription -> subscription.lease().close());
        session.subscriptions().feeds().forEach(feed -> {
            // Those that shards have not answered yet are among them.
            feed.subscription().lease().close();
            if (feed.isServedByCursor()) {
                context.shards().stopCursor(feed);
            }
        });
        session.subscriptions().opened().forEach(opened -> context.shards().closeSources(opened.sources()));
        session.subscriptions().opened().clear();
        final DescriptorRing files = session.delivery().filesRing();
        if (files != null) {
            context.shards().onCursors(() -> context.shards().cursors().forget(files));
        }
        for (int shard = 0; shard < session.delivery().liveRings().length; shard++) {
            if (session.delivery().liveRing(shard) != null) {
                context.shards()
                        .submit(shard, new CloseSession(context.settings().ioAgent(), session.id()));
            }
        }
        byId.remove(session.id());
        bySlot[session.slot()] = null;
        closeListeners[session.slot()] = null;
        freeSlots.addInt(session.slot());
    }
}
