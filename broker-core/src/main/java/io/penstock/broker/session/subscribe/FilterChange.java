package io.penstock.broker.session.subscribe;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.feed.FeedEvent;
import io.penstock.broker.session.feed.SubscriptionFeed;
import io.penstock.broker.session.feed.SubscriptionRights;
import io.penstock.broker.shard.command.ChangeFilter;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Interest;
import java.util.Objects;

/**
 * Gives subscriptions other filters where they are. What was matched by the earlier filter and not sent is dropped, and
 * read again from the log with the present one: so there is one sequence in each shard up to which the one holds, and
 * after which the other does. Confined to one I/O agent.
 *
 * <pre>
 *   served by its shard    the shard exchanges the filter at its next record; when the ring still has something for the
 *                          earlier number, the feed goes on from there by a cursor
 *   served by a cursor     another cursor goes on after the last record that was sent
 *   half sent              the same, once the rest of the record was sent
 *   parked                 its next cursor has the other filter
 * </pre>
 *
 * <p>Of those that follow state, {@link StateChange} has how they go on.
 */
public final class FilterChange {
    private final SessionContext context;
    private final SessionRings rings;
    private final LogSubscriber logSubscriber;
    private final FeedRecovery recovery;
    private final StateChange states;

    FilterChange(
            final SessionContext context,
            final SessionRings rings,
            final LogSubscriber logSubscriber,
            final FeedRecovery recovery,
            final StateChange states) {
        this.context = context;
        this.rings = rings;
        this.logSubscriber = logSubscriber;
        this.recovery = recovery;
        this.states = states;
    }

    /** Gives a subscription other rights. Returns false when it cannot go on with them. */
    boolean change(final Session session, final ClientSubscription subscription, final SubscriptionRights rights) {
        // What is on its way as state was cut when it was found.
        final boolean isStateOther =
                !Objects.equals(rights.hidden(), subscription.rights().hidden())
                        && StateChange.isSendingState(session, subscription);
        if (rights.isSame(subscription.rights()) && !isStateOther) {
            subscription.rights(rights);
            return true;
        }
        if (subscription.isFrozen() || Succession.all(session, subscription).size() > 1) {
            return false;
        }
        if (subscription.isStateful()) {
            return changeStateful(session, subscription, rights);
        }
        subscription.rights(rights);
        for (final SubscriptionFeed feed : subscription.feeds().clone()) {
            change(session, feed);
        }
        return true;
    }

    private boolean changeStateful(
            final Session session, final ClientSubscription subscription, final SubscriptionRights rights) {
        final boolean mayHaveState = subscription.plan() != null
                || (rights.mayHaveState() && subscription.rights().mayHaveState());
        if (!subscription.topics().isLiteral() || !mayHaveState) {
            return false;
        }
        subscription.rights(rights);
        final SubscriptionFeed feed = subscription.feeds()[0];
        if (subscription.follow() == null || StateChange.isSendingState(session, subscription)) {
            return states.sendAgain(session, feed);
        }
        StateChange.cancelSearch(session, subscription);
        changeLive(session, feed);
        return true;
    }

    private void change(final Session session, final SubscriptionFeed feed) {
        if (feed.isLive()) {
            changeLive(session, feed);
        } else if (feed.isParked()) {
            changeParked(session, feed);
        } else if (feed.subscription().due().isBeginning() || session.delivery().partOf() == feed) {
            feed.changeFilter();
        } else if (!feed.hasEnded()) {
            logSubscriber.divert(session, feed, feed.unsentSequence());
        }
    }

    private void changeLive(final Session session, final SubscriptionFeed feed) {
        final ClientSubscription subscription = feed.subscription();
        final int shard = feed.interest().shard();
        final Interest interest = subscription.interest(context.nextFeed(), session.id(), shard);
        final SubscriptionFeed next = feed.renewLive(interest);
        LogSubscriber.exchange(session, feed, next);
        session.subscriptions().changed().add(feed, next);
        context.shards()
                .submit(
                        shard,
                        new ChangeFilter(
                                context.settings().ioAgent(),
                                feed.interest().feed(),
                                interest,
                                subscription.takeFilter(),
                                rings.live(session, shard)));
    }

    private void changeParked(final Session session, final SubscriptionFeed feed) {
        final long sequence = feed.nextSequence();
        final boolean isRecalled = session.subscriptions().recalled().remove(feed);
        final SubscriptionFeed next = logSubscriber.renew(session, feed);
        next.nextSequence(sequence);
        next.on(FeedEvent.HELD_BACK);
        if (isRecalled) {
            session.subscriptions().recalled().add(next);
        }
    }

    /** A shard has exchanged the filter of a feed, or has left that to its I/O agent. */
    public void onReply(final Session session, final ChangeFilter reply) {
        final DescriptorRing ring = session.delivery().liveRing(reply.interest().shard());
        if (reply.isEnqueued() && ring != null) {
            session.subscriptions().changed().endsAt(reply.changedFeed(), ring.producerPosition());
        }
        if (reply.interest().follow() != null) {
            states.onChanged(session, reply);
        }
    }

    /**
     * The next record is one that was matched by an earlier filter of a feed, or a notice that a cursor has to serve it: it
     * goes on from there with its present one. Returns false when that is not known yet.
     */
    public boolean onEarlier(final Session session, final long number, final long sequence) {
        final SubscriptionFeed next = session.subscriptions().changed().next(number);
        if (next == null || session.subscriptions().feeds().get(next.interest().feed()) != next) {
            return true;
        }
        if (next.isFrozen()) {
            return false;
        }
        session.subscriptions().changed().remove(number);
        if (next.interest().follow() != null) {
            // What its client knows is not the state of one sequence.
            states.begin(session, next);
        } else if (next.isSuperseded()) {
            recovery.onFellBehind(session, next, sequence);
        } else {
            logSubscriber.divert(session, next, sequence);
        }
        return true;
    }

    /** Forgets earlier filters of which nothing is left in the rings. */
    public void forgetEarlier(final Session session) {
        session.subscriptions().changed().forget(session.subscriptions().feeds(), shard -> {
            final DescriptorRing ring = session.delivery().liveRing(shard);
            return ring == null ? Long.MAX_VALUE : ring.consumerPosition();
        });
    }
}
