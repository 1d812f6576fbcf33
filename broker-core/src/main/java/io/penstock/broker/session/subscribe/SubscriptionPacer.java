package io.penstock.broker.session.subscribe;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.feed.SubscriptionFeed;
import io.penstock.broker.shard.match.Rate;

/** Paces subscriptions as their clients ask for: by pauses, by credit and by a rate. Confined to one I/O agent. */
public final class SubscriptionPacer {
    private final SessionContext context;
    private final LogSubscriber logSubscriber;

    /** Makes it for the sessions of one I/O agent. */
    public SubscriptionPacer(final SessionContext context, final LogSubscriber logSubscriber) {
        this.context = context;
        this.logSubscriber = logSubscriber;
    }

    /** Delivers nothing from now on. */
    void pause(final ClientSubscription subscription) {
        subscription.pace().pause();
        for (final SubscriptionFeed feed : subscription.feeds()) {
            feed.divertIfServed();
        }
    }

    /** Goes on where it was paused. */
    void resume(final Session session, final ClientSubscription subscription) {
        subscription.pace().resume();
        for (final SubscriptionFeed feed : subscription.feeds()) {
            feed.divertNoMore();
        }
        unparkAll(session, subscription);
    }

    /** Delivers more, if it had delivered all that was allowed. */
    void credit(final Session session, final ClientSubscription subscription, final long length) {
        subscription.pace().giveCredit(length);
        if (subscription.pace().rate().isLimited()) {
            unparkAll(session, subscription);
        } else {
            unparkNext(session, subscription);
        }
    }

    /** Delivers no message from now on: the state comes before. */
    void awaitState(final ClientSubscription subscription) {
        subscription.pace().isAwaitingState(true);
        for (final SubscriptionFeed feed : subscription.feeds()) {
            feed.divertIfServed();
        }
    }

    /** Goes on with messages: the state was sent. */
    void onStateSent(final Session session, final ClientSubscription subscription) {
        subscription.pace().isAwaitingState(false);
        for (final SubscriptionFeed feed : subscription.feeds()) {
            feed.divertNoMore();
        }
        unparkAll(session, subscription);
    }

    private void unparkAll(final Session session, final ClientSubscription subscription) {
        if (subscription.pace().isHeldBack()) {
            return;
        }
        for (final SubscriptionFeed feed : subscription.feeds()) {
            if (feed.isParked() && !session.subscriptions().recalled().contains(feed)) {
                logSubscriber.unpark(session, feed);
            }
        }
    }

    /**
     * Goes on with a feed that lacked credit, in turn. It has something to send, and the next one goes on after that if
     * there is credit left: were all to go on at once, the first would have all there is, each time.
     */
    public void unparkNext(final Session session, final ClientSubscription subscription) {
        if (!subscription.pace().isOnCredit() || subscription.pace().isHeldBack()) {
            return;
        }
        final SubscriptionFeed[] feeds = subscription.feeds();
        for (int i = 0; i < feeds.length; i++) {
            final int place = (subscription.pace().turn() + i) % feeds.length;
            if (feeds[place].isParked() && !session.subscriptions().recalled().contains(feeds[place])) {
                subscription.pace().turn((place + 1) % feeds.length);
                logSubscriber.unpark(session, feeds[place]);
                return;
            }
        }
    }

    /** Sets how fast a subscription goes at most. */
    void rate(final ClientSubscription subscription, final Rate rate) {
        subscription.pace().rate(rate);
        for (final SubscriptionFeed feed : subscription.feeds()) {
            if (feed.isServedByCursor()) {
                final long number = feed.interest().feed();
                final boolean inFiles = feed.isReadFromFiles();
                context.shards().onCursors(() -> context.shards().cursors().rate(number, inFiles, rate));
            }
            // From its next record on it is a cursor with this rate, or one that may go live.
            feed.divertIfServed();
        }
    }
}
