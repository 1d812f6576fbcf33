package io.penstock.broker.session.subscribe;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.feed.FeedEvent;
import io.penstock.broker.session.feed.SubscriptionFeed;
import io.penstock.broker.session.feed.SubscriptionRights;
import io.penstock.broker.shard.command.ChangeFilter;
import io.penstock.broker.shard.command.OpenState;
import io.penstock.broker.shard.command.Subscribe;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Interest;
import java.util.List;
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
 *   parked, waiting        its next cursor has the other filter
 *   superseded             when its ring still has something, it goes on from there by a cursor, and those after it wait
 * </pre>
 *
 * <p>Of those that follow state, {@link StateChange} has how they go on, of patterns with state {@link StateAgain}.
 */
public final class FilterChange {
    private final SessionContext context;
    private final SessionRings rings;
    private final LogSubscriber logSubscriber;
    private final FeedRecovery recovery;
    private final StateChange states;
    private final StateAgain patterns;

    FilterChange(
            final SessionContext context,
            final SessionRings rings,
            final LogSubscriber logSubscriber,
            final FeedRecovery recovery,
            final StateChange states,
            final StateAgain patterns) {
        this.context = context;
        this.rings = rings;
        this.logSubscriber = logSubscriber;
        this.recovery = recovery;
        this.states = states;
        this.patterns = patterns;
    }

    /**
     * Gives subscriptions of one id other rights.
     *
     * @param session of the client.
     * @param all     those that were replaced and are not sent yet, in their order, and then the one that the client knows.
     * @param rights  of each from now on.
     * @return false when they cannot go on with them.
     */
    boolean change(final Session session, final List<ClientSubscription> all, final List<SubscriptionRights> rights) {
        boolean isOther = false;
        boolean isFrozen = false;
        boolean isSending = false;
        for (int i = 0; i < all.size(); i++) {
            isOther |= isOther(session, all.get(i), rights.get(i));
            isFrozen |= all.get(i).isFrozen();
            isSending |= StateChange.isSendingState(session, all.get(i));
        }
        if (isOther && isFrozen) {
            // Nothing of them is sent before their shards have answered; then they are looked at again.
            return !isSending;
        }
        final ClientSubscription current = all.get(all.size() - 1);
        final boolean mayHaveState = mayHaveState(current, rights.get(all.size() - 1));
        for (int i = 0; i < all.size(); i++) {
            all.get(i).rights(rights.get(i));
        }
        if (!isOther) {
            return true;
        }
        return all.size() > 1
                ? changeSuccession(session, all, mayHaveState)
                : current.isStateful()
                        ? mayHaveState && changeStateful(session, current)
                        : changeMessages(session, current);
    }

    private static boolean isOther(
            final Session session, final ClientSubscription subscription, final SubscriptionRights now) {
        // What is on its way as state was cut when it was found.
        return !now.isSame(subscription.rights())
                || (!Objects.equals(now.hidden(), subscription.rights().hidden())
                        && StateChange.isSendingState(session, subscription));
    }

    private static boolean mayHaveState(final ClientSubscription subscription, final SubscriptionRights now) {
        return subscription.plan() != null
                || (now.mayHaveState() && subscription.rights().mayHaveState());
    }

    private boolean changeMessages(final Session session, final ClientSubscription subscription) {
        for (final SubscriptionFeed feed : subscription.feeds().clone()) {
            change(session, feed);
        }
        return true;
    }

    private boolean changeStateful(final Session session, final ClientSubscription subscription) {
        if (!subscription.topics().isLiteral()) {
            patterns.await(session, subscription);
            changeMessages(session, subscription);
            patterns.send(session, subscription);
            return true;
        }
        final SubscriptionFeed feed = subscription.feeds()[0];
        if (subscription.follow() == null || StateChange.isSendingState(session, subscription)) {
            return states.sendAgain(session, feed);
        }
        StateChange.cancelSearch(session, subscription);
        changeLive(session, feed);
        return true;
    }

    /** What replaced ones get is changed, too. When they follow records, the state is sent in place of that. */
    private boolean changeSuccession(
            final Session session, final List<ClientSubscription> all, final boolean mayHaveState) {
        final ClientSubscription current = all.get(all.size() - 1);
        final boolean isFollowing = current.follow() != null;
        for (final ClientSubscription replaced : all.subList(0, all.size() - 1)) {
            if (replaced.follow() != null
                    || StateChange.isSendingState(session, replaced)
                    || isAwaitingState(replaced)) {
                if (!isFollowing || !mayHaveState) {
                    return false;
                }
                recovery.dropSuperseded(session, current);
                return states.sendAgain(session, current.feeds()[0]);
            }
        }
        if (isFollowing && !mayHaveState && !current.feeds()[0].isWaiting()) {
            return false;
        }
        for (final SubscriptionFeed feed : List.copyOf(session.subscriptions().superseded())) {
            if (feed.subscription().id() == current.id()) {
                change(session, feed);
            }
        }
        if (!isFollowing) {
            return changeMessages(session, current);
        }
        StateChange.cancelSearch(session, current);
        changeLive(session, current.feeds()[0]);
        return true;
    }

    private static boolean isAwaitingState(final ClientSubscription subscription) {
        for (final SubscriptionFeed feed : subscription.feeds()) {
            if (feed.isAwaitingState()) {
                return true;
            }
        }
        return false;
    }

    private void change(final Session session, final SubscriptionFeed feed) {
        if (feed.isAwaitingState()) {
            // When its shard has not answered yet, it has the other filter when it has.
            if (feed.nextSequence() > 0) {
                logSubscriber.park(session, feed, feed.nextSequence());
            }
        } else if (feed.isLive() && feed.isSuperseded()) {
            changeEnqueued(session, feed);
        } else if (feed.isLive()) {
            changeLive(session, feed);
        } else if (feed.isWaiting()) {
            logSubscriber.putOff(session, feed);
        } else if (feed.isParked()) {
            changeParked(session, feed);
        } else if (feed.subscription().due().isBeginning() || session.delivery().partOf() == feed) {
            feed.changeFilter();
        } else if (!feed.hasEnded()) {
            logSubscriber.divert(session, feed, feed.unsentSequence());
        }
    }

    /** Its shard serves it no more: what it is to get lies in the ring, or the ring says from where it is to be read. */
    private void changeEnqueued(final Session session, final SubscriptionFeed feed) {
        final SubscriptionFeed next = feed.renewInRing(feed.subscription()
                .interest(context.nextFeed(), session.id(), feed.interest().shard()));
        LogSubscriber.exchange(session, feed, next);
        session.subscriptions().changed().add(feed, next);
        if (feed.isEnqueued()) {
            session.subscriptions().changed().endsAt(feed.interest().feed(), feed.ringLimit());
        }
    }

    private void changeLive(final Session session, final SubscriptionFeed feed) {
        final ClientSubscription subscription = feed.subscription();
        final int shard = feed.interest().shard();
        final Interest interest = subscription.interest(context.nextFeed(), session.id(), shard);
        final boolean isWaiting = feed.isWaiting();
        final SubscriptionFeed next = feed.renewLive(interest);
        if (isWaiting) {
            next.putOff();
        }
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
                                rings.live(session, shard),
                                isWaiting));
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

    /** A shard has opened the state that is to be sent again. */
    public void onOpened(final Session session, final OpenState reply) {
        patterns.onOpened(session, reply);
    }

    /**
     * A shard has opened the state anew for a feed that lagged too far while the state was to be sent again: the state of all is
     * sent once more. Returns false when it was not so.
     */
    boolean onResynced(final Session session, final Subscribe reply) {
        final SubscriptionFeed feed =
                session.subscriptions().feeds().get(reply.interest().feed());
        if (feed == null || !feed.subscription().pace().isAwaitingState()) {
            return false;
        }
        context.shards().closeSources(reply.sources());
        if (reply.held()) {
            logSubscriber.park(session, feed, reply.startSequence());
        } else {
            feed.on(FeedEvent.RELEASED);
            changeLive(session, feed);
        }
        patterns.await(session, feed.subscription());
        patterns.send(session, feed.subscription());
        return true;
    }

    /** A shard has exchanged the filter of a feed, or has left that to its I/O agent. */
    public void onReply(final Session session, final ChangeFilter reply) {
        final DescriptorRing ring = session.delivery().liveRing(reply.interest().shard());
        if (reply.isEnqueued() && ring != null) {
            session.subscriptions().changed().endsAt(reply.changedFeed(), ring.producerPosition());
        }
        if (reply.interest().follow() != null && !reply.isWaiting()) {
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
            recovery.onOtherFilter(session, next, sequence);
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
