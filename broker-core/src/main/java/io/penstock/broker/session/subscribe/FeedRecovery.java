package io.penstock.broker.session.subscribe;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.feed.SubscriptionFeed;
import java.util.List;

/**
 * Decides how a feed goes on when its next record is missing: from files, with the state sent again, or not at all.
 * Confined to one I/O agent.
 */
public final class FeedRecovery {
    private final SessionContext context;
    private final StateSubscriber subscriber;
    private final LogSubscriber logSubscriber;
    private final SubscriptionEnding ending;
    private final Succession succession;

    FeedRecovery(
            final SessionContext context,
            final StateSubscriber subscriber,
            final LogSubscriber logSubscriber,
            final SubscriptionEnding ending,
            final Succession succession) {
        this.context = context;
        this.subscriber = subscriber;
        this.logSubscriber = logSubscriber;
        this.ending = ending;
        this.succession = succession;
    }

    /**
     * A feed needs records that are no longer in the window: it goes on from files, or its client is sent the state
     * again, or notified that the subscription ends.
     */
    public void onFellBehind(final Session session, final SubscriptionFeed feed, final long sequence) {
        if (feed.isSuperseded()) {
            onSupersededFellBehind(session, feed, sequence);
            return;
        }
        context.counters().fellBehind().incrementPlain();
        if (feed.isWaiting()) {
            lose(session, feed);
            return;
        }
        if (logSubscriber.isInFiles(feed)) {
            logSubscriber.divert(session, feed, sequence);
            return;
        }
        resyncOrEnd(session, feed);
    }

    /** The state of a feed was lost while it was being sent. */
    void onStateLost(final Session session, final SubscriptionFeed feed) {
        context.counters().fellBehind().incrementPlain();
        if (feed.isSuperseded()) {
            lose(session, feed);
        } else {
            resyncOrEnd(session, feed);
        }
    }

    /**
     * The topic whose state a feed follows was deleted: there may be another one of the name, or there is nothing to follow.
     * Returns false when it is not known yet that the subscription has begun.
     */
    public boolean onTopicDeleted(final Session session, final SubscriptionFeed feed) {
        if (feed.isSuperseded()) {
            onSupersededTopicDeleted(session, feed);
            return true;
        }
        if (session.subscriptions().byId().get(feed.subscription().id()) != feed.subscription()) {
            return false;
        }
        if (feed.isWaiting() && !subscriber.isTopicGone(feed.subscription())) {
            dropSuperseded(session, feed);
        }
        if (subscriber.isTopicGone(feed.subscription()) || !subscriber.beginAnew(session, feed)) {
            ending.endDeleted(session, feed.subscription());
        }
        return true;
    }

    /** The same, of a superseded feed. The records still due to it were deleted with the topic. */
    void onSupersededTopicDeleted(final Session session, final SubscriptionFeed feed) {
        final SubscriptionFeed current = Succession.current(session, feed);
        if (current == null || !current.subscription().isStateful() || subscriber.isTopicGone(feed.subscription())) {
            ending.forget(session, feed);
            succession.finish(session, feed);
            return;
        }
        // Records that the next topic of the name got before are in the state of the replacement.
        dropSuperseded(session, feed);
        if (subscriber.isTopicGone(current.subscription()) || !subscriber.beginAnew(session, current)) {
            ending.endDeleted(session, current.subscription());
        }
    }

    private void resyncOrEnd(final Session session, final SubscriptionFeed feed) {
        if (feed.subscription().isStateful() && subscriber.resync(session, feed)) {
            report(EventKind.SUBSCRIPTION_BEHIND, session, feed.subscription(), "is sent the state again");
        } else if (subscriber.isTopicGone(feed.subscription())) {
            ending.endDeleted(session, feed.subscription());
        } else {
            end(session, feed.subscription());
        }
    }

    private void end(final Session session, final ClientSubscription subscription) {
        report(EventKind.SUBSCRIPTION_BEHIND, session, subscription, "was ended");
        ending.end(session, subscription, null);
    }

    /** The same, of a feed that another one has superseded: what is still due to it has to come before that one. */
    private void onSupersededFellBehind(final Session session, final SubscriptionFeed feed, final long sequence) {
        final boolean readsLog = feed.interest().follow() == null;
        if (readsLog && sequence > feed.toSequence() && (feed.isCompleted() || !logSubscriber.isInFiles(feed))) {
            succession.finish(session, feed);
            return;
        }
        context.counters().fellBehind().incrementPlain();
        if (!readsLog || !logSubscriber.isInFiles(feed) || !readAgain(session, feed, sequence)) {
            lose(session, feed);
        }
    }

    /** The next record of a superseded feed is to be read again, by another filter: it has to come before the next feed. */
    void onOtherFilter(final Session session, final SubscriptionFeed feed, final long sequence) {
        if (!readAgain(session, feed, sequence)) {
            lose(session, feed);
        }
    }

    /** A superseded feed, and those after it, are served by cursors. Returns false when one of those follows state. */
    private boolean readAgain(final Session session, final SubscriptionFeed feed, final long sequence) {
        final List<SubscriptionFeed> after = feed.isEnqueued() ? succession.after(session, feed) : List.of();
        if (after == null) {
            return false;
        }
        feed.leaveRing();
        after.forEach(each -> logSubscriber.putOff(session, each));
        logSubscriber.divert(session, feed, sequence);
        return true;
    }

    /** Reports to the operator that a client does not keep up. */
    public void report(
            final EventKind kind, final Session session, final ClientSubscription subscription, final String outcome) {
        if (context.events().admits(kind)) {
            context.report(
                    kind,
                    session,
                    "subscription " + subscription.id() + " to "
                            + subscription.topics().text() + ": " + outcome);
        }
    }

    /**
     * Records still due to a superseded feed, or to the waiting feed that replaces it, are lost: the replacement is
     * sent the state in place of them, or ends.
     */
    private void lose(final Session session, final SubscriptionFeed feed) {
        final SubscriptionFeed current = Succession.current(session, feed);
        dropSuperseded(session, feed);
        final ClientSubscription subscription =
                session.subscriptions().byId().get(feed.subscription().id());
        if (subscription == null
                || (current != null && subscription.isStateful() && subscriber.resync(session, current))) {
            return;
        }
        if (subscriber.isTopicGone(subscription)) {
            ending.endDeleted(session, subscription);
        } else {
            end(session, subscription);
        }
    }

    /** The same, of all feeds that a subscription has superseded. */
    void dropSuperseded(final Session session, final ClientSubscription current) {
        SubscriptionEnding.cancelQueries(session, current.id());
        succession.drop(session, current.id(), -1);
    }

    private void dropSuperseded(final Session session, final SubscriptionFeed feed) {
        final long id = feed.subscription().id();
        // Feeds whose state is not sent to its end have nothing to go on from, in whichever shard.
        final boolean wasSendingState = SubscriptionEnding.cancelQueries(session, id);
        succession.drop(session, id, wasSendingState ? -1 : feed.interest().shard());
    }
}
