package io.penstock.broker.session;

import io.penstock.broker.concurrent.IoNotice;
import io.penstock.broker.monitor.MonitorRequest;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.client.SessionNotice.Checked;
import io.penstock.broker.session.client.SessionNotice.Recall;
import io.penstock.broker.session.client.SessionNotice.Replaced;
import io.penstock.broker.session.client.SessionNotice.UsersChanged;
import io.penstock.broker.session.deliver.Deliverer;
import io.penstock.broker.session.sink.SinkReplies;
import io.penstock.broker.session.subscribe.SubscribeHandler;
import io.penstock.broker.shard.command.ChangeFilter;
import io.penstock.broker.shard.command.Hold;
import io.penstock.broker.shard.command.OpenState;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.command.Subscribe;
import io.penstock.broker.sink.SinkReply;
import io.penstock.protocol.ErrorCode;

/** Passes notices of other agents about a session to their handlers. Confined to one I/O agent. */
final class NoticeDispatcher {
    private final SessionContext context;
    private final SessionTable table;
    private final SendSchedule schedule;
    private final CommandDispatcher dispatcher;
    private final SubscribeHandler subscribeHandler;
    private final SinkReplies sinkReplies;
    private final Deliverer deliverer;
    private final SessionControl control;

    NoticeDispatcher(
            final SessionContext context,
            final SessionTable table,
            final SendSchedule schedule,
            final CommandDispatcher dispatcher,
            final SubscribeHandler subscribeHandler,
            final SinkReplies sinkReplies,
            final Deliverer deliverer,
            final SessionControl control) {
        this.context = context;
        this.table = table;
        this.schedule = schedule;
        this.dispatcher = dispatcher;
        this.subscribeHandler = subscribeHandler;
        this.sinkReplies = sinkReplies;
        this.deliverer = deliverer;
        this.control = control;
    }

    /** Another agent has said something of a session, which may have ended since. */
    void onNotice(final IoNotice notice) {
        if (notice instanceof ShardCommand reply) {
            final Session session = table.find(reply.sessionId());
            if (session == null || !session.isOpen()) {
                dispatcher.onLateReply(reply);
                return;
            }
            control.permissions().decide(session);
            if (!session.isOpen()) {
                // Its client may not be here any more.
                schedule.add(session);
                dispatcher.onLateReply(reply);
                return;
            }
            if (reply instanceof Subscribe resynced && resynced.resync()) {
                subscribeHandler.onResynced(session, resynced);
                schedule.add(session);
            } else if (reply instanceof Hold hold && hold.isDiverted()) {
                subscribeHandler.logSubscriber().onHeld(session, hold);
                schedule.add(session);
            } else if (reply instanceof ChangeFilter changed) {
                subscribeHandler.filterChange().onReply(session, changed);
                schedule.add(session);
            } else if (reply instanceof OpenState opened) {
                subscribeHandler.filterChange().onOpened(session, opened);
                schedule.add(session);
            } else if (session.commands().pending() != null) {
                session.commands().pending().onReply(session, reply);
                control.permissions().onReply(session);
                schedule.add(session);
            }
        } else if (notice instanceof SinkReply answer) {
            final Session session = table.find(answer.sessionId());
            if (session != null && session.isOpen()) {
                sinkReplies.onReply(session, answer);
                schedule.add(session);
            }
        } else if (notice instanceof Recall recall) {
            final Session session = table.find(recall.sessionId());
            if (session != null && session.isOpen()) {
                deliverer.recall(session);
                schedule.add(session);
            }
        } else if (notice instanceof Checked checked) {
            final Session session = table.find(checked.sessionId());
            if (session != null && session.isOpen()) {
                dispatcher.onChecked(session, checked.step());
                schedule.add(session);
            }
        } else if (notice instanceof UsersChanged) {
            control.revocation().onUsersChanged();
        } else if (notice instanceof Replaced replaced) {
            final Session session = table.find(replaced.sessionId());
            if (session != null) {
                context.fail(
                        session,
                        0,
                        ErrorCode.REPLACED,
                        "session: another client logged on as '"
                                + session.profile().name() + "' (give each client its own name)");
                schedule.add(session);
            }
        } else if (notice instanceof MonitorRequest request) {
            control.inspector().onRequest(request);
        }
    }
}
