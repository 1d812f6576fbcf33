package io.penstock.broker.session.subscribe;

import io.penstock.broker.session.client.ClientQuery;
import io.penstock.broker.session.client.HistoryQuery;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.feed.SubscriptionFeed;
import io.penstock.broker.session.text.Refusal;
import io.penstock.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * Ends subscriptions with everything that is sent for them, and notifies their clients of the reason. Confined to one
 * I/O agent.
 */
final class SubscriptionEnding {
    private final SessionContext context;
    private final Succession succession;

    SubscriptionEnding(final SessionContext context, final Succession succession) {
        this.context = context;
        this.succession = succession;
    }

    /** Ends a subscription that there is no state for any more. */
    void endDeleted(final Session session, final ClientSubscription subscription) {
        end(
                session,
                subscription,
                new Refusal(
                        ErrorCode.NOT_FOUND,
                        "subscription " + subscription.id() + " to "
                                + subscription.topics().text()
                                + ": the topic was deleted (subscribe again when there is one with state)"));
    }

    /** The shard need not know a feed any more. */
    void forget(final Session session, final SubscriptionFeed feed) {
        end(session, feed, false);
    }

    /** Ends a subscription, and notifies its client of the reason. */
    void end(final Session session, final ClientSubscription subscription, final @Nullable Refusal reason) {
        subscription.onEnded(reason);
        remove(session, subscription, false);
        session.subscriptions().ended().add(subscription);
    }

    /** Ends all feeds of a subscription, and of those whose place it has taken, with the state that is sent to them. */
    void remove(final Session session, final ClientSubscription subscription, final boolean replied) {
        for (final ClientQuery query : session.queries().running()) {
            if (query.id() == subscription.id()) {
                query.cancel();
            }
        }
        session.subscriptions().byId().remove(subscription.id());
        subscription.lease().close();
        context.counters().subscriptions().decrementRelease();
        for (final SubscriptionFeed feed : subscription.feeds()) {
            session.subscriptions().feeds().remove(feed.interest().feed());
            end(session, feed, replied);
        }
        succession.drop(session, subscription.id(), -1);
    }

    private void end(final Session session, final SubscriptionFeed feed, final boolean replied) {
        if (feed.isServedByCursor()) {
            context.shards().stopCursor(feed);
        }
        context.shards().unsubscribe(session.id(), feed.interest(), replied);
    }

    /** Cancels all queries under an id, of a subscription or not. Returns whether there are any. */
    static boolean cancelQueries(final Session session, final long id) {
        boolean found = false;
        for (final ClientQuery query : session.queries().running()) {
            if (query.id() == id) {
                query.cancel();
                found = true;
            }
        }
        for (final HistoryQuery query : session.queries().histories()) {
            if (query.command().id() == id) {
                query.cancel();
                found = true;
            }
        }
        return found;
    }

    /** Notifies a client of subscriptions that have ended. */
    int sendEnded(final Session session) {
        int count = 0;
        while (!session.subscriptions().ended().isEmpty() && session.outbox().hasRoom()) {
            final ClientSubscription subscription =
                    session.subscriptions().ended().remove();
            final Refusal ended = subscription.ended() == null ? fellBehind(subscription) : subscription.ended();
            context.answers().error(session.outbox(), 0, subscription.id(), 0, ended.code(), false, ended.text());
            count++;
        }
        return count;
    }

    private static Refusal fellBehind(final ClientSubscription subscription) {
        return new Refusal(
                ErrorCode.FELL_BEHIND,
                "subscription " + subscription.id() + " to "
                        + subscription.topics().text()
                        + ": what it was to get next is no longer in the window (read faster, filter more, or raise"
                        + " window.segmentCount)");
    }
}
