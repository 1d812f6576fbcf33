package io.penstock.broker.session;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.monitor.ClientInfo;
import io.penstock.broker.monitor.ClientTrace;
import io.penstock.broker.monitor.MonitorRequest;
import io.penstock.broker.monitor.Part;
import io.penstock.broker.monitor.Place;
import io.penstock.broker.monitor.QueryInfo;
import io.penstock.broker.monitor.SubscriptionInfo;
import io.penstock.broker.query.QueryFailure;
import io.penstock.broker.session.client.ClientQuery;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;

/**
 * Answers those who watch the broker, about the sessions of one I/O agent and in bounded parts, and does what they ask
 * for. Confined to that agent.
 */
final class SessionInspector {
    /** Slots of the table that one request looks at, most of which may be free. */
    private static final int SLOT_LIMIT = 4096;

    /** Subscriptions that one request looks at, but for those of its last client. */
    private static final int SUBSCRIPTION_LIMIT = 4096;

    private final SessionContext context;
    private final SessionTable table;
    private final SendSchedule schedule;
    private final SessionDescriber describer;

    SessionInspector(
            final SessionContext context,
            final SessionTable table,
            final SendSchedule schedule,
            final BrokerCounters counters) {
        this.context = context;
        this.table = table;
        this.schedule = schedule;
        describer = new SessionDescriber(context, counters);
    }

    /** Answers a request, whatever becomes of it. */
    void onRequest(final MonitorRequest request) {
        try {
            answer(request);
        } catch (final RuntimeException e) {
            request.answer().completeExceptionally(e);
            throw e;
        }
    }

    private void answer(final MonitorRequest request) {
        if (request instanceof MonitorRequest.Clients clients) {
            clients(clients);
        } else if (request instanceof MonitorRequest.Subscriptions subscriptions) {
            subscriptions(subscriptions);
        } else if (request instanceof MonitorRequest.Queries queries) {
            queries(queries);
        } else if (request instanceof MonitorRequest.Kick kick) {
            kick.answer().complete(kick(kick));
        } else if (request instanceof MonitorRequest.Cancel cancel) {
            cancel.answer().complete(cancel(cancel));
        } else if (request instanceof MonitorRequest.Trace trace) {
            trace(trace);
        } else {
            request.answer().completeExceptionally(new IllegalArgumentException("monitor: not about sessions"));
        }
    }

    private void clients(final MonitorRequest.Clients request) {
        final List<ClientInfo> items = new ArrayList<>();
        final Place next = scan(request.from(), request.limit(), items, (session, offset) -> {
            if (offset == 0) {
                items.add(describer.client(session));
            }
        });
        request.answer().complete(new Part<>(items, next));
    }

    private void subscriptions(final MonitorRequest.Subscriptions request) {
        final List<SubscriptionInfo> items = new ArrayList<>();
        final Place next = scan(request.from(), request.limit(), items, (session, offset) -> {
            final int[] index = new int[1];
            session.subscriptions().byId().forEach(subscription -> {
                if (index[0]++ >= offset && items.size() < request.limit()) {
                    items.add(describer.subscription(session, subscription));
                }
            });
        });
        request.answer().complete(new Part<>(items, next));
    }

    private void queries(final MonitorRequest.Queries request) {
        final List<QueryInfo> items = new ArrayList<>();
        final Place next = scan(request.from(), request.limit(), items, (session, offset) -> {
            final List<ClientQuery> running = session.queries().running();
            for (int i = offset; i < running.size() && items.size() < request.limit(); i++) {
                items.add(describer.query(session, running.get(i)));
            }
        });
        request.answer().complete(new Part<>(items, next));
    }

    /**
     * Goes through the sessions from a place on, until there are enough items.
     *
     * @param add adds items of a session, from an offset on, up to the limit.
     * @return where to go on.
     */
    private Place scan(final Place from, final int limit, final List<?> items, final ObjIntConsumer<Session> add) {
        int slot = from.slot();
        int offset = from.offset();
        int subscriptions = 0;
        final int slotEnd = (int) Math.min(table.slotLimit(), (long) slot + SLOT_LIMIT);
        while (slot < slotEnd && subscriptions < SUBSCRIPTION_LIMIT) {
            final int before = items.size();
            final Session session = table.at(slot);
            if (session != null) {
                add.accept(session, offset);
                subscriptions += session.subscriptions().byId().size();
            }
            if (items.size() >= limit) {
                // There may be more of this one; when not, the next part begins with nothing of it.
                return new Place(from.ioAgent(), slot, offset + items.size() - before);
            }
            slot++;
            offset = 0;
        }
        return slot < table.slotLimit() ? new Place(from.ioAgent(), slot, 0) : Place.END;
    }

    private boolean kick(final MonitorRequest.Kick request) {
        final Session session = table.find(request.sessionId());
        if (session == null || !session.isOpen()) {
            return false;
        }
        context.fail(
                session,
                0,
                ErrorCode.NOT_AUTHORIZED,
                "session: ended by an administrator (ask for the reason before you connect again)");
        schedule.add(session);
        request.report().onDone();
        return true;
    }

    private void trace(final MonitorRequest.Trace request) {
        final Session session = table.find(request.sessionId());
        if (session == null || !session.isOpen()) {
            request.answer().complete(false);
            return;
        }
        final ClientTrace present = session.commands().trace();
        if (present != null && !present.isClosed()) {
            request.answer()
                    .completeExceptionally(new IllegalStateException(
                            "client " + request.sessionId() + ": somebody traces it already (wait for that one)"));
            return;
        }
        session.commands().trace(request.trace());
        request.report().onDone();
        request.answer().complete(true);
    }

    private boolean cancel(final MonitorRequest.Cancel request) {
        final Session session = table.find(request.sessionId());
        if (session == null || !session.isOpen()) {
            return false;
        }
        for (final ClientQuery query : session.queries().running()) {
            if (query.commandId() == request.commandId() && !query.isCancelled()) {
                query.run().fail(QueryFailure.CANCELLED);
                schedule.add(session);
                request.report().onDone();
                return true;
            }
        }
        return false;
    }
}
