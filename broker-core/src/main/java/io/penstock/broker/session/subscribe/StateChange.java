package io.penstock.broker.session.subscribe;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.session.client.ClientQuery;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.feed.SubscriptionFeed;
import io.penstock.broker.session.query.QueryStarter;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.shard.command.ChangeFilter;
import io.penstock.broker.shard.command.Resume;
import io.penstock.protocol.ErrorCode;
import org.agrona.collections.IntArrayList;

/**
 * Has subscriptions that follow state go on with other filters: a query finds the records that only one of both filters
 * matches, and their shard sends these as a change, while it looks at what has changed meanwhile. A client that had not
 * taken all that was sent by the earlier filter is sent the state again. Confined to one I/O agent.
 */
final class StateChange {
    /** Rows that a shard is given at a time. */
    private static final int ROW_LIMIT = 8 * 1024;

    private final SessionContext context;
    private final QueryStarter starter;
    private final StateSubscriber subscriber;
    private final SubscriptionEnding ending;

    StateChange(
            final SessionContext context,
            final QueryStarter starter,
            final StateSubscriber subscriber,
            final SubscriptionEnding ending) {
        this.context = context;
        this.starter = starter;
        this.subscriber = subscriber;
        this.ending = ending;
    }

    /** Whether a subscription's state is on its way to its client. */
    static boolean isSendingState(final Session session, final ClientSubscription subscription) {
        for (final ClientQuery query : session.queries().running()) {
            if (query.subscription() == subscription && query.delete() == null && !query.isCancelled()) {
                return true;
            }
        }
        return false;
    }

    /** What was looked for since an earlier change is of no use any more. */
    static void cancelSearch(final Session session, final ClientSubscription subscription) {
        for (final ClientQuery query : session.queries().running()) {
            if (query.subscription() == subscription && query.delete() != null) {
                query.cancel();
            }
        }
    }

    /** Sends the state by the present filter. Returns false when it cannot be done. */
    boolean sendAgain(final Session session, final SubscriptionFeed feed) {
        for (final ClientQuery query : session.queries().running()) {
            if (query.subscription() == feed.subscription()) {
                query.cancel();
            }
        }
        return !subscriber.isTopicGone(feed.subscription()) && subscriber.beginAnew(session, feed);
    }

    /** The same, or ends the subscription. */
    void begin(final Session session, final SubscriptionFeed feed) {
        final ClientSubscription subscription = feed.subscription();
        if (sendAgain(session, feed)) {
            return;
        }
        if (subscriber.isTopicGone(subscription)) {
            ending.endDeleted(session, subscription);
        } else {
            ending.end(session, subscription, cannotBeSent(subscription));
        }
    }

    /** Why a subscription ends whose state cannot be sent again. */
    static Refusal cannotBeSent(final ClientSubscription subscription) {
        return new Refusal(
                ErrorCode.PERMISSIONS_CHANGED,
                "subscription " + subscription.id() + " to "
                        + subscription.topics().text()
                        + ": the permissions have changed, and its state cannot be sent now (subscribe again)");
    }

    /** A shard has given a feed another filter, and holds it; or cannot, and has removed it. */
    void onChanged(final Session session, final ChangeFilter reply) {
        final SubscriptionFeed feed =
                session.subscriptions().feeds().get(reply.interest().feed());
        if (feed == null) {
            context.shards().closeSources(reply.sources());
            return;
        }
        final String before = reply.filterBefore();
        if (before == null) {
            session.subscriptions().changed().remove(reply.changedFeed());
            begin(session, feed);
            return;
        }
        final IntArrayList rows = new IntArrayList();
        if (before.equals(reply.interest().filter())) {
            context.shards().closeSources(reply.sources());
            resume(session, feed, rows);
            return;
        }
        final QueryPlan plan;
        try {
            // Both filters are evaluated together, with the work of one: rows of which that is not enough are found as
            // well.
            plan = QueryPlan.rows(
                            difference(before, reply.interest().filter()),
                            context.settings().timeouts().queryTimeoutNs())
                    .inDoubt();
        } catch (final FilterException e) {
            // Both are more than a filter may have.
            context.shards().closeSources(reply.sources());
            begin(session, feed);
            return;
        }
        if (!starter.hasRoom()) {
            context.shards().closeSources(reply.sources());
            begin(session, feed);
            return;
        }
        starter.startRows(session, feed.subscription(), plan, reply.sources(), rows, (of, query) -> {
            if (query.isCancelled()
                    || of.subscriptions().feeds().get(feed.interest().feed()) != feed) {
                return;
            }
            if (query.run().failure() == null) {
                resume(of, feed, rows);
            } else {
                begin(of, feed);
            }
        });
    }

    /** The records that one of two filters matches and the other does not. */
    private static String difference(final String before, final String now) {
        final String one = condition(before);
        final String other = condition(now);
        return FilterCompiler.canonicalText(
                "(" + one + " IS TRUE AND " + other + " IS NOT TRUE) OR (" + one + " IS NOT TRUE AND " + other
                        + " IS TRUE)",
                FilterLimits.COMBINED);
    }

    private static String condition(final String filter) {
        return filter.isEmpty() ? "(TRUE)" : "(" + filter + ")";
    }

    private void resume(final Session session, final SubscriptionFeed feed, final IntArrayList found) {
        final int count = found.size();
        for (int from = 0; from == 0 || from < count; from += ROW_LIMIT) {
            final int[] rows = new int[Math.min(ROW_LIMIT, count - from)];
            for (int i = 0; i < rows.length; i++) {
                rows[i] = found.getInt(from + i);
            }
            final boolean isLast = from + ROW_LIMIT >= count;
            context.shards()
                    .submit(
                            feed.interest().shard(),
                            new Resume(
                                    context.settings().ioAgent(),
                                    session.id(),
                                    feed.interest().feed(),
                                    rows,
                                    isLast));
        }
    }
}
