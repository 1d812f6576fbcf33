package io.penstock.broker.session.query;

import io.penstock.broker.history.HistoryTask;
import io.penstock.broker.query.OrderBy;
import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.query.QueryRun;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.query.SelectList;
import io.penstock.broker.security.TopicRights;
import io.penstock.broker.session.client.ClientQuery;
import io.penstock.broker.session.client.DeleteQuery;
import io.penstock.broker.session.client.DurableWait;
import io.penstock.broker.session.client.HistoryQuery;
import io.penstock.broker.session.client.QueryCommand;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.text.Refusal;
import io.penstock.format.FieldSelection;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.IntArrayList;
import org.jspecify.annotations.Nullable;

/** Starts queries whose snapshots are open. Confined to one I/O agent. */
public final class QueryStarter {
    /** Queries that one I/O agent runs at a time. */
    public static final int QUERY_COUNT_MAX = 2048;

    private static final int BATCH_SIZE_MAX = 1_000_000;

    private final SessionContext context;

    /** Makes it for the sessions of one I/O agent. */
    public QueryStarter(final SessionContext context) {
        this.context = context;
    }

    /** Whether another query may be started. */
    public boolean hasRoom() {
        return context.queryCount() < QUERY_COUNT_MAX;
    }

    /** Refuses another query of a client when too many run, or those of its identity have taken too much time. */
    public void checkRoom(final Session session) {
        final String refusal = session.profile().use().queryRefusal(context.nowNs());
        if (refusal != null) {
            context.counters().quotasReached().incrementPlain();
            throw new Refusal(ErrorCode.LIMIT_REACHED, refusal);
        }
        if (!hasRoom()) {
            throw new Refusal(
                    ErrorCode.LIMIT_REACHED,
                    "query: " + QUERY_COUNT_MAX + " queries are running already (ask again when some have ended)");
        }
    }

    /** Whether a client has a query of that number. */
    public static boolean isUsed(final Session session, final long id) {
        for (final ClientQuery query : session.queries().running()) {
            if (query.id() == id && !session.subscriptions().byId().containsKey(id)) {
                return true;
            }
        }
        for (final HistoryQuery query : session.queries().histories()) {
            if (query.command().id() == id) {
                return true;
            }
        }
        return false;
    }

    /** A plan whose numbers make sense. */
    public static QueryPlan plan(
            final String filter,
            final @Nullable OrderBy orderBy,
            final int skipN,
            final int topN,
            final int batchSize,
            final @Nullable FieldSelection selection,
            final @Nullable SelectList select,
            final String having,
            final long timeoutNs) {
        if (topN < -1) {
            throw new Refusal(ErrorCode.BAD_QUERY, "top_n: below 0: " + topN + " (use 0 or more, or -1 for all)");
        }
        if (skipN < 0) {
            throw new Refusal(ErrorCode.BAD_QUERY, "skip_n: below 0: " + skipN + " (use 0 or more)");
        }
        if (batchSize < 0 || batchSize > BATCH_SIZE_MAX) {
            throw new Refusal(ErrorCode.BAD_QUERY, "batch_size: " + batchSize + " (use 0 to " + BATCH_SIZE_MAX + ")");
        }
        return new QueryPlan(
                filter,
                orderBy,
                new QueryPlan.Excerpt(skipN, topN, batchSize),
                selection,
                select,
                having,
                timeoutNs,
                QueryPlan.Found.RECORDS);
    }

    /** All records that a subscription is about: a bound of its first state says nothing of what it may have missed. */
    public static QueryPlan all(final ClientSubscription subscription, final SessionContext context) {
        return new QueryPlan(
                subscription.asked(),
                subscription.plan() == null ? null : subscription.plan().orderBy(),
                new QueryPlan.Excerpt(
                        0,
                        -1,
                        subscription.plan() == null
                                ? 0
                                : subscription.plan().excerpt().batchSize()),
                subscription.follow() == null ? null : subscription.follow().selection(),
                null,
                "",
                context.settings().timeouts().queryTimeoutNs(),
                QueryPlan.Found.RECORDS);
    }

    /** Starts a query; what its client may not see is left out. */
    public void start(final Session session, final QueryCommand command, final List<QuerySource> opened) {
        start(session, null, command, opened, (of, ended) -> {});
    }

    /** Starts a query, for the state of a subscription if there is one; what its client may not see is left out. */
    public void start(
            final Session session,
            final @Nullable ClientSubscription subscription,
            final QueryCommand command,
            final List<QuerySource> opened,
            final ClientQuery.Completion completion) {
        final List<QuerySource> sources = new ArrayList<>();
        final List<QuerySource> hidden = new ArrayList<>();
        final QueryPlan plan = command.plan();
        final AskedFields ofFirst = new AskedFields(() -> plan.fields(false));
        final AskedFields ofJoined = new AskedFields(() -> plan.fields(true));
        for (int i = 0; i < opened.size(); i++) {
            final QuerySource source = opened.get(i);
            final AskedFields asked = plan.join() != null && i > 0 ? ofJoined : ofFirst;
            final TopicRights rights =
                    context.topics().access(session, source.topic()).rights();
            final String condition = subscription == null ? rights.query() : subscription.condition(rights);
            if (condition == null || asked.tellOfHidden(rights)) {
                hidden.add(source);
            } else {
                sources.add(source.limitedTo(condition).hiding(rights.hidden()));
            }
        }
        if (plan.join() != null && !hidden.isEmpty()) {
            // There is no pair without both.
            hidden.addAll(sources);
            sources.clear();
        }
        context.shards().closeSources(hidden);
        start(session, newQuery(session, subscription, command, sources, completion));
    }

    private ClientQuery newQuery(
            final Session session,
            final @Nullable ClientSubscription subscription,
            final QueryCommand command,
            final List<QuerySource> sources,
            final ClientQuery.Completion completion) {
        final QueryRun run = newRun(session, command.plan(), sources);
        if (command.isExplained()) {
            run.explain();
        }
        final ClientQuery query =
                new ClientQuery(command, subscription, run, sources, null, context.nowNs(), completion);
        query.durableWait(command.isDurable() ? DurableWait.of(context.shards().ports(), sources) : null);
        return query;
    }

    /** Starts a query of state that was made for it; what its client may not see is left out. */
    void startHistory(
            final Session session,
            final QueryCommand command,
            final List<QuerySource> sources,
            final HistoryTask task) {
        final List<QuerySource> visible = new ArrayList<>();
        final AskedFields asked = new AskedFields(command.plan()::fields);
        for (final QuerySource source : sources) {
            final TopicRights rights =
                    context.topics().access(session, source.topic()).rights();
            final String condition = rights.past();
            if (condition != null && !asked.tellOfHidden(rights)) {
                visible.add(source.limitedTo(condition).hiding(rights.hidden()));
            }
        }
        final ClientQuery query = newQuery(session, null, command, visible, (of, ended) -> {});
        query.history(task);
        start(session, query);
    }

    /** Starts a query for what is to be deleted. */
    void startDelete(
            final Session session,
            final QueryPlan plan,
            final List<QuerySource> sources,
            final DeleteQuery delete,
            final ClientQuery.Completion completion) {
        start(
                session,
                new ClientQuery(
                        new QueryCommand(delete.commandId(), 0, 0, plan, false, 0),
                        null,
                        newRun(session, plan, sources),
                        sources,
                        delete,
                        context.nowNs(),
                        completion));
    }

    /** Starts a query for rows of a subscription's topic. */
    public void startRows(
            final Session session,
            final ClientSubscription subscription,
            final QueryPlan plan,
            final List<QuerySource> sources,
            final IntArrayList rows,
            final ClientQuery.Completion completion) {
        start(
                session,
                new ClientQuery(
                        new QueryCommand(0, 0, subscription.id(), plan, false, 0),
                        subscription,
                        newRun(session, plan, sources),
                        sources,
                        new DeleteQuery(0, 0, subscription.topics().text(), plan.filter(), rows, null),
                        context.nowNs(),
                        completion));
    }

    private QueryRun newRun(final Session session, final QueryPlan plan, final List<QuerySource> sources) {
        final int slot = session.slot();
        return new QueryRun(
                plan,
                sources,
                context.queries().agentCount(),
                context.time().clock(),
                () -> {
                    context.ready().mark(slot);
                    context.queries().wakeOwner();
                },
                session.profile().use());
    }

    private void start(final Session session, final ClientQuery query) {
        session.queries().running().add(query);
        context.onQueryBegun(session.profile().use());
        context.counters().queries().incrementPlain();
        context.queries().start(query.run());
    }
}
