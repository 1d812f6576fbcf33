package io.penstock.broker.session.subscribe;

import io.penstock.broker.query.QuerySource;
import io.penstock.broker.session.client.ClientQuery;
import io.penstock.broker.session.client.PendingCommand;
import io.penstock.broker.session.client.QueryCommand;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.feed.SubscriptionFeed;
import io.penstock.broker.session.query.QueryStarter;
import io.penstock.broker.session.subscribe.StateSender.FeedListener;
import io.penstock.broker.shard.command.Subscribe;
import io.penstock.broker.shard.command.Supersede;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.FollowFields;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.topic.Topic;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starts the feeds of subscriptions in their shards, with the state that comes first. Confined to one I/O agent. */
final class StateSubscriber {
    private final SessionContext context;
    private final SessionRings rings;
    private final QueryStarter starter;
    private final Succession succession;
    private final SubscriptionEnding ending;
    private final StateSender states;
    private final FeedListener supersededDeletions;

    /**
     * @param states              sends what comes first.
     * @param supersededDeletions of feeds that others have superseded, and whose topic was deleted.
     */
    StateSubscriber(
            final SessionContext context,
            final SessionRings rings,
            final QueryStarter starter,
            final Succession succession,
            final SubscriptionEnding ending,
            final StateSender states,
            final FeedListener supersededDeletions) {
        this.context = context;
        this.rings = rings;
        this.starter = starter;
        this.succession = succession;
        this.ending = ending;
        this.states = states;
        this.supersededDeletions = supersededDeletions;
    }

    /** Starts a subscription, in the place of another one if there is one. The session waits for the shards. */
    void subscribe(
            final Session session,
            final long commandId,
            final int ackTypes,
            final ClientSubscription subscription,
            final @Nullable ClientSubscription replaced) {
        if (subscription.plan() != null) {
            starter.checkRoom(session);
        }
        context.takeSubscription(session, subscription, replaced);
        submitAll(session, commandId, ackTypes, subscription, replaced);
    }

    private void submitAll(
            final Session session,
            final long commandId,
            final int ackTypes,
            final ClientSubscription subscription,
            final @Nullable ClientSubscription replaced) {
        if (isTopicGone(subscription)) {
            refuseStateless(session, commandId, subscription);
            return;
        }
        final int firstShard = subscription.topics().isLiteral()
                ? context.topics().rules().shard(subscription.topics().text())
                : 0;
        final List<Subscribe> replies = new ArrayList<>();
        session.commands()
                .pending(new PendingCommand(
                                subscription.feeds().length,
                                (of, reply) -> replies.add((Subscribe) reply),
                                of -> onSubscribed(of, commandId, ackTypes, subscription, replaced, replies))
                        .abandonedBy(() -> closeSources(replies)));
        for (int i = 0; i < subscription.feeds().length; i++) {
            final int shard = firstShard + i;
            final SubscriptionFeed old = replaced == null ? null : replaced.feedIn(shard);
            submit(
                    session,
                    subscription,
                    i,
                    shard,
                    old == null ? 0 : old.interest().feed(),
                    false);
        }
        if (replaced != null) {
            Succession.freeze(session, replaced, true);
        }
        // Until all shards have answered: a change of permissions before is looked at then.
        Succession.freeze(session, subscription, true);
    }

    /** Sends the state again to the client of a feed that lagged too far. Returns false when it cannot be done. */
    boolean resync(final Session session, final SubscriptionFeed feed) {
        final boolean isStarted = !isTopicGone(feed.subscription()) && beginAnew(session, feed);
        if (isStarted) {
            context.counters().resyncs().incrementPlain();
        }
        return isStarted;
    }

    /** The same, of a feed whose topic was deleted: its client is sent the state of the next one. */
    boolean beginAnew(final Session session, final SubscriptionFeed feed) {
        final ClientSubscription subscription = feed.subscription();
        if (!starter.hasRoom() || !mayHaveState(subscription)) {
            return false;
        }
        session.subscriptions().feeds().remove(feed.interest().feed());
        if (feed.isServedByCursor()) {
            context.shards().stopCursor(feed);
        }
        for (int i = 0; i < subscription.feeds().length; i++) {
            if (subscription.feeds()[i] == feed) {
                submit(
                        session,
                        subscription,
                        i,
                        feed.interest().shard(),
                        feed.interest().feed(),
                        true);
            }
        }
        return true;
    }

    private static boolean mayHaveState(final ClientSubscription subscription) {
        return subscription.plan() != null || subscription.rights().mayHaveState();
    }

    /** Whether a subscription follows a topic that is not there. */
    boolean isTopicGone(final ClientSubscription subscription) {
        return subscription.follow() != null
                && context.topics().find(subscription.topics().text()) == null;
    }

    void onResynced(final Session session, final Subscribe reply) {
        final SubscriptionFeed feed =
                session.subscriptions().feeds().get(reply.interest().feed());
        if (feed == null) {
            context.shards().closeSources(reply.sources());
            return;
        }
        final ClientSubscription subscription = feed.subscription();
        if (reply.isStateless() || reply.isOfAnother()) {
            onNotResynced(session, reply, feed);
            return;
        }
        // A pattern has a query for each shard, and only one of them is begun anew.
        final boolean isWhole = subscription.topics().isLiteral();
        if (isWhole) {
            for (final ClientQuery query : session.queries().running()) {
                if (query.subscription() == subscription) {
                    query.cancel();
                }
            }
        }
        // If an earlier state was not sent to its end, this one answers its command.
        final QueryCommand command = new QueryCommand(
                isWhole ? subscription.due().stateCommandId() : 0,
                isWhole ? subscription.due().stateAckTypes() : 0,
                subscription.id(),
                QueryStarter.all(subscription, context),
                subscription.isDurable(),
                0);
        states.send(session, subscription, command, reply.sources(), List.of(reply));
    }

    /** The topic that a feed was to follow was deleted before its state could be opened anew. */
    private void onNotResynced(final Session session, final Subscribe reply, final SubscriptionFeed feed) {
        final int shard = reply.interest().shard();
        if (feed.isFrozen()) {
            // The shard answers again after it has reported whether another feed supersedes this one.
            context.shards().submit(shard, reply);
        } else if (feed.isSuperseded()) {
            supersededDeletions.onFeed(session, feed);
        } else if (reply.isOfAnother() && !isTopicGone(feed.subscription()) && mayHaveState(feed.subscription())) {
            session.subscriptions().feeds().remove(reply.interest().feed());
            submit(session, feed.subscription(), 0, shard, 0, true);
        } else {
            ending.endDeleted(session, feed.subscription());
        }
    }

    private void submit(
            final Session session,
            final ClientSubscription subscription,
            final int index,
            final int shard,
            final long replacedFeed,
            final boolean resync) {
        final Interest interest = subscription.interest(context.nextFeed(), session.id(), shard);
        final SubscriptionFeed feed = SubscriptionFeed.live(interest, subscription);
        if (resync && interest.follow() == null) {
            feed.awaitState(0);
        }
        subscription.feeds()[index] = feed;
        session.subscriptions().feeds().put(interest.feed(), feed);
        final DescriptorRing ring = rings.live(session, shard);
        context.shards()
                .submit(
                        shard,
                        new Subscribe(
                                context.settings().ioAgent(),
                                interest,
                                subscription.takeFilter(),
                                fields(subscription),
                                ring,
                                new Subscribe.Place(
                                        replacedFeed,
                                        !resync
                                                && subscription.plan() == null
                                                && Succession.isLagging(session, subscription.id(), shard)),
                                resync || subscription.plan() != null,
                                resync));
    }

    /** The fields of the topic that the shard needs for a subscription that follows it. */
    private @Nullable FollowFields fields(final ClientSubscription subscription) {
        final FollowOptions follow = subscription.follow();
        final Topic topic = follow == null
                ? null
                : context.topics().find(subscription.topics().text());
        return follow == null || topic == null ? null : FollowFields.of(topic, follow);
    }

    private void onSubscribed(
            final Session session,
            final long commandId,
            final int ackTypes,
            final ClientSubscription subscription,
            final @Nullable ClientSubscription replaced,
            final List<Subscribe> replies) {
        final List<Subscribe> started = new ArrayList<>();
        final List<QuerySource> sources = new ArrayList<>();
        boolean isOfAnother = false;
        for (final Subscribe reply : replies) {
            isOfAnother |= reply.isOfAnother();
            if (!reply.isStateless() && !reply.isOfAnother()) {
                started.add(reply);
                sources.addAll(reply.sources());
            }
        }
        if (started.isEmpty() && subscription.topics().isLiteral()) {
            for (final SubscriptionFeed feed : subscription.feeds()) {
                session.subscriptions().feeds().remove(feed.interest().feed());
            }
            if (replaced != null) {
                Succession.freeze(session, replaced, false);
            }
            if (isOfAnother) {
                submitAll(session, commandId, ackTypes, subscription, replaced);
            } else {
                refuseStateless(session, commandId, subscription);
            }
            return;
        }
        if (replaced == null || subscription.plan() != null) {
            begin(session, commandId, ackTypes, subscription, replaced, started, sources);
            return;
        }
        final List<SubscriptionFeed> others = new ArrayList<>();
        for (final SubscriptionFeed feed : replaced.feeds()) {
            if (subscription.feedIn(feed.interest().shard()) == null) {
                others.add(feed);
            }
        }
        if (others.isEmpty()) {
            succeed(session, commandId, ackTypes, subscription, replaced, started, List.of());
            return;
        }
        // It is certain now that it ends in shards, too, in which the new one has no feed.
        final List<Supersede> superseded = new ArrayList<>();
        session.commands()
                .pending(new PendingCommand(
                                others.size(),
                                (of, reply) -> superseded.add((Supersede) reply),
                                of -> succeed(of, commandId, ackTypes, subscription, replaced, started, superseded))
                        .abandonedBy(() -> closeSources(started)));
        for (final SubscriptionFeed feed : others) {
            context.shards()
                    .submit(
                            feed.interest().shard(),
                            new Supersede(
                                    context.settings().ioAgent(),
                                    session.id(),
                                    feed.interest().feed()));
        }
    }

    private void closeSources(final List<Subscribe> replies) {
        replies.forEach(each -> context.shards().closeSources(each.sources()));
    }

    private void refuseStateless(final Session session, final long commandId, final ClientSubscription subscription) {
        subscription.lease().close();
        context.refuse(
                session,
                commandId,
                subscription.id(),
                0,
                ErrorCode.NO_STATE,
                "subscribe to " + subscription.topics().text()
                        + ": the topic keeps no state (declare it with a key, or subscribe without sow, oof, delta,"
                        + " select and conflation)");
    }

    /** A subscription supersedes another one, without the state: everything due to the old one is sent first. */
    private void succeed(
            final Session session,
            final long commandId,
            final int ackTypes,
            final ClientSubscription subscription,
            final ClientSubscription replaced,
            final List<Subscribe> started,
            final List<Supersede> superseded) {
        Succession.freeze(session, replaced, false);
        Succession.freeze(session, subscription, false);
        if (session.subscriptions().byId().put(subscription.id(), subscription) == null) {
            // The one that it replaces has ended meanwhile.
            context.counters().subscriptions().incrementRelease();
        }
        replaced.lease().close();
        for (final Supersede reply : superseded) {
            final SubscriptionFeed feed = session.subscriptions().feeds().get(reply.feed());
            if (feed != null) {
                succession.supersede(session, feed, reply.isEnqueued(), reply.endSequence());
            }
        }
        for (final Subscribe reply : started) {
            final SubscriptionFeed old = session.subscriptions().feeds().get(reply.replacedFeed());
            if (old != null) {
                succession.supersede(session, old, !reply.isWaiting(), reply.startSequence());
            }
        }
        context.answers().acks(session.outbox(), commandId, ackTypes);
        for (final Subscribe reply : started) {
            final SubscriptionFeed feed =
                    session.subscriptions().feeds().get(reply.interest().feed());
            if (feed != null) {
                feed.startSequence(reply.startSequence());
                if (reply.isWaiting()) {
                    succession.await(session, feed);
                }
            }
        }
    }

    /** A subscription begins, or supersedes another one with the state, which contains everything before. */
    private void begin(
            final Session session,
            final long commandId,
            final int ackTypes,
            final ClientSubscription subscription,
            final @Nullable ClientSubscription replaced,
            final List<Subscribe> started,
            final List<QuerySource> sources) {
        if (replaced != null && session.subscriptions().byId().get(replaced.id()) == replaced) {
            ending.remove(session, replaced, false);
        }
        Succession.freeze(session, subscription, false);
        context.counters().subscriptions().incrementRelease();
        session.subscriptions().byId().put(subscription.id(), subscription);
        context.answers().acks(session.outbox(), commandId, ackTypes);
        if (subscription.plan() != null) {
            subscription.due().state(commandId, ackTypes);
            final QueryCommand command = new QueryCommand(
                    commandId, ackTypes, subscription.id(), subscription.plan(), subscription.isDurable(), 0);
            states.send(session, subscription, command, sources, started);
        }
    }
}
