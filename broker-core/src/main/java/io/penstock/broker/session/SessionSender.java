package io.penstock.broker.session;

import io.penstock.broker.session.client.Entries;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.Session.State;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.deliver.Deliverer;
import io.penstock.broker.session.query.QuerySender;
import io.penstock.broker.session.send.RefusalTexts;
import io.penstock.broker.session.sink.SinkReplies;
import io.penstock.broker.session.subscribe.SubscribeHandler;

/** Sends everything that is due to sessions, each kind in its turn. Confined to one I/O agent. */
final class SessionSender {
    private static final int DESCRIPTOR_LIMIT = 4 * 1024;
    private static final int ENTRY_LIMIT = 64;

    private final SessionContext context;
    private final SessionTable table;
    private final SubscribeHandler subscribeHandler;
    private final QuerySender querySender;
    private final SinkReplies sinkReplies;
    private final Deliverer deliverer;
    private final RefusalTexts refusalTexts;

    SessionSender(
            final SessionContext context,
            final SessionTable table,
            final SubscribeHandler subscribeHandler,
            final QuerySender querySender,
            final SinkReplies sinkReplies,
            final Deliverer deliverer) {
        this.context = context;
        this.table = table;
        this.subscribeHandler = subscribeHandler;
        this.querySender = querySender;
        this.sinkReplies = sinkReplies;
        this.deliverer = deliverer;
        refusalTexts = new RefusalTexts(context.shards().ports());
    }

    /** Sends what is due to a client: answers, acknowledgements, deliveries. Returns the work done. */
    int send(final Session session) {
        if (session.state() == State.CLOSED) {
            return 1;
        }
        session.delivery().inFlight().onCompleted(session.connection().completedPosition());
        int workCount = 0;
        if (!session.delivery().sentPages().isEmpty()) {
            subscribeHandler.logSubscriber().giveBackPages(session);
        }
        if (session.delivery().partSent() > 0) {
            workCount += deliverer.deliver(session, 0);
        }
        if (session.queries().partQuery() != null) {
            workCount += querySender.send(session);
            if (session.queries().partQuery() != null && session.isOpen()) {
                return workCount;
            }
        }
        if (!session.isOpen()) {
            return workCount + finish(session);
        }
        if (!session.outbox().flush()) {
            return workCount;
        }
        workCount += subscribeHandler.sendEnded(session);
        final int stepCount = sendEntries(session);
        workCount += sendRefusals(session) + sinkReplies.sendReplies(session);
        if (session.commands().refusals().isEmpty()) {
            workCount += session.commands().acks().drain(context.shards().ports(), context.answers(), session.outbox());
        }
        if (workCount > 0) {
            session.times().lastSentNs(context.nowNs());
        }
        workCount += stepCount;
        if (!session.queries().isEmpty()) {
            workCount += querySender.send(session);
            if (session.queries().partQuery() != null) {
                return workCount;
            }
        }
        if (!session.subscriptions().recalled().isEmpty()) {
            workCount += subscribeHandler.logSubscriber().resumeRecalled(session);
        }
        workCount += deliverer.deliver(session, DESCRIPTOR_LIMIT);
        if (!session.subscriptions().superseded().isEmpty()) {
            subscribeHandler.retireFeeds(session);
        }
        if (!session.subscriptions().changed().isEmpty()) {
            subscribeHandler.filterChange().forgetEarlier(session);
        }
        return workCount;
    }

    private int sendRefusals(final Session session) {
        final int count =
                session.commands().refusals().send(session.outbox(), context.answers(), refusalTexts, context.nowNs());
        if (count > 0) {
            context.counters().commandsRefused().getAndAddPlain(count);
        }
        return count;
    }

    private int finish(final Session session) {
        if (session.state() == State.CUT_OFF
                || session.outbox().flush()
                || context.nowNs() - session.times().closingNs()
                        >= context.settings().timeouts().logonTimeoutNs()) {
            table.close(session);
            return 1;
        }
        return 0;
    }

    /** Returns the steps done. A long look for entries that are none sends nothing: heartbeats are due meanwhile. */
    private int sendEntries(final Session session) {
        int count = 0;
        boolean isSent = false;
        Entries entries;
        while ((entries = session.commands().entries()) != null
                && session.outbox().hasRoom()
                && count < ENTRY_LIMIT) {
            final Entries.Step step = entries.sendNext(session);
            isSent |= step != Entries.Step.LOOKED;
            if (step == Entries.Step.ENDED) {
                session.commands().entries(null);
            }
            count++;
        }
        if (isSent) {
            session.times().lastSentNs(context.nowNs());
        }
        return count;
    }
}
