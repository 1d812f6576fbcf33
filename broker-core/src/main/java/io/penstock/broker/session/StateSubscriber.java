package io.penstock.broker.session;

import io.penstock.broker.query.QueryFailure;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.shard.command.Leave;
import io.penstock.broker.shard.command.Resume;
import io.penstock.broker.shard.command.Subscribe;
import io.penstock.broker.shard.command.Unsubscribe;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.FollowFields;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.match.Replay;
import io.penstock.broker.topic.Topic;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Starts the parts of subscriptions in their shards, with the state that comes first, and ends them. Confined to one
 * I/O agent.
 */
final class StateSubscriber {
    private final SessionContext context;
    private final SessionRings rings;
    private final QueryStarter starter;
    private final Succession succession;
    private final LossListener losses;
    private final LossListener leavingDeletions;

    /** Is told that the state that a part was being sent is gone, and that it is known to its shard all the same. */
    @FunctionalInterface
    interface LossListener {
        void onStateLost(Session session, SubscriptionPart part);
    }

    /**
     * @param losses           of parts that are to go on.
     * @param leavingDeletions of parts whose place others have taken, and whose topic was deleted.
     */
    StateSubscriber(
            final SessionContext context,
            final SessionRings rings,
            final QueryStarter starter,
            final Succession succession,
            final LossListener losses,
            final LossListener leavingDeletions) {
        this.context = context;
        this.rings = rings;
        this.starter = starter;
        this.succession = succession;
        this.losses = losses;
        this.leavingDeletions = leavingDeletions;
    }

    /** Starts a subscription, in the place of another one if there is one. The session waits for the shards. */
    void subscribe(
            final Session session,
            final long commandId,
            final int ackTypes,
            final ClientSubscription subscription,
            final @Nullable ClientSubscription replaced) {
        if (subscription.plan != null) {
            starter.checkRoom();
        }
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
        final int firstShard = subscription.topics.isLiteral() ? context.rules.shard(subscription.topics.text()) : 0;
        final List<Subscribe> replies = new ArrayList<>();
        session.pending = new PendingCommand(
                subscription.parts.length,
                (of, reply) -> replies.add((Subscribe) reply),
                of -> onSubscribed(of, commandId, ackTypes, subscription, replaced, replies));
        for (int i = 0; i < subscription.parts.length; i++) {
            final int shard = firstShard + i;
            final SubscriptionPart old = replaced == null ? null : replaced.partIn(shard);
            submit(session, subscription, i, shard, old == null ? 0 : old.interest.part(), false);
        }
        if (replaced != null) {
            Succession.freeze(session, replaced, true);
            Succession.freeze(session, subscription, true);
        }
    }

    /** Sends the state anew to the client of a part that has fallen behind. Returns false when it cannot be done. */
    boolean resync(final Session session, final SubscriptionPart part) {
        final boolean isStarted = !isTopicGone(part.subscription) && beginAnew(session, part);
        if (isStarted) {
            context.counters.resyncs.incrementPlain();
        }
        return isStarted;
    }

    /** The same, of a part whose topic was deleted: its client is sent the state of the next one. */
    boolean beginAnew(final Session session, final SubscriptionPart part) {
        if (!starter.hasRoom()) {
            return false;
        }
        final ClientSubscription subscription = part.subscription;
        session.parts.remove(part.interest.part());
        if (part.cursor) {
            context.stopCursor(part);
        }
        for (int i = 0; i < subscription.parts.length; i++) {
            if (subscription.parts[i] == part) {
                submit(session, subscription, i, part.interest.shard(), part.interest.part(), true);
            }
        }
        return true;
    }

    /** Whether a subscription follows a topic that is not there. */
    boolean isTopicGone(final ClientSubscription subscription) {
        return subscription.follow != null && context.findTopic(subscription.topics.text()) == null;
    }

    /** Ends a subscription that there is no state for any more. */
    void endDeleted(final Session session, final ClientSubscription subscription) {
        end(
                session,
                subscription,
                new Refusal(
                        ErrorCode.NOT_FOUND,
                        "subscription " + subscription.id + " to " + subscription.topics.text()
                                + ": the topic was deleted (subscribe again when there is one with state)"));
    }

    /** The shard need not know a part any more. */
    void forget(final Session session, final SubscriptionPart part) {
        end(session, part, false);
    }

    void onResynced(final Session session, final Subscribe reply) {
        final SubscriptionPart part = session.parts.get(reply.interest().part());
        if (part == null) {
            context.closeSources(reply.sources());
            return;
        }
        final ClientSubscription subscription = part.subscription;
        if (reply.isStateless() || reply.isOfAnother()) {
            onNotResynced(session, reply, part);
            return;
        }
        // A pattern has a query for each shard, and only one of them is begun anew.
        final boolean isWhole = subscription.topics.isLiteral();
        if (isWhole) {
            for (final ClientQuery query : session.queries) {
                if (query.subscription == subscription) {
                    query.cancel();
                }
            }
        }
        // What was asked of a state that was not sent to its end is answered with this one.
        final QueryCommand command = new QueryCommand(
                isWhole ? subscription.stateCommandId : 0,
                isWhole ? subscription.stateAckTypes : 0,
                subscription.id,
                QueryStarter.all(subscription, context),
                subscription.isDurable,
                0);
        sendState(session, subscription, command, reply.sources(), List.of(reply));
    }

    /** The topic that a part was to follow was deleted before its state could be opened anew. */
    private void onNotResynced(final Session session, final Subscribe reply, final SubscriptionPart part) {
        final int shard = reply.interest().shard();
        if (part.isFrozen) {
            // The shard answers again after it has said whether another part takes the place of this one.
            context.submit(shard, reply);
        } else if (part.isLeaving) {
            leavingDeletions.onStateLost(session, part);
        } else if (reply.isOfAnother() && !isTopicGone(part.subscription)) {
            session.parts.remove(reply.interest().part());
            submit(session, part.subscription, 0, shard, 0, true);
        } else {
            endDeleted(session, part.subscription);
        }
    }

    private void sendState(
            final Session session,
            final ClientSubscription subscription,
            final QueryCommand command,
            final List<QuerySource> sources,
            final List<Subscribe> started) {
        starter.start(
                session, subscription, command, sources, (of, query) -> onStateEnd(of, query, subscription, started));
    }

    /** Ends a subscription whose client is told why. */
    void end(final Session session, final ClientSubscription subscription, final @Nullable Refusal reason) {
        subscription.ended = reason;
        remove(session, subscription, false);
        session.ended.add(subscription);
    }

    /** Ends all parts of a subscription, and of those whose place it has taken, with the state that is sent to them. */
    void remove(final Session session, final ClientSubscription subscription, final boolean replied) {
        for (final ClientQuery query : session.queries) {
            if (query.id == subscription.id) {
                query.cancel();
            }
        }
        session.subscriptions.remove(subscription.id);
        context.counters.subscriptions.decrementRelease();
        for (final SubscriptionPart part : subscription.parts) {
            session.parts.remove(part.interest.part());
            end(session, part, replied);
        }
        succession.drop(session, subscription.id, -1);
    }

    private void end(final Session session, final SubscriptionPart part, final boolean replied) {
        if (part.cursor) {
            context.stopCursor(part);
        }
        context.submit(
                part.interest.shard(),
                new Unsubscribe(context.settings.ioAgent(), session.id, part.interest.part(), replied));
    }

    private void submit(
            final Session session,
            final ClientSubscription subscription,
            final int index,
            final int shard,
            final long replacedPart,
            final boolean resync) {
        final Interest interest = new Interest(
                context.nextPart(), session.id, shard, subscription.topics, subscription.filter, subscription.follow);
        final SubscriptionPart part = new SubscriptionPart(interest, subscription);
        subscription.parts[index] = part;
        session.parts.put(interest.part(), part);
        final DescriptorRing ring = rings.live(session, shard);
        context.submit(
                shard,
                new Subscribe(
                        context.settings.ioAgent(),
                        interest,
                        subscription.takeFilter(),
                        fields(subscription),
                        ring,
                        replacedPart,
                        !resync && subscription.plan == null && Succession.isBehind(session, subscription.id, shard),
                        resync || subscription.plan != null,
                        resync));
    }

    /** What the shard needs to know of the fields of the topic that a subscription follows. */
    private @Nullable FollowFields fields(final ClientSubscription subscription) {
        final FollowOptions follow = subscription.follow;
        final Topic topic = follow == null ? null : context.findTopic(subscription.topics.text());
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
        if (started.isEmpty() && subscription.topics.isLiteral()) {
            for (final SubscriptionPart part : subscription.parts) {
                session.parts.remove(part.interest.part());
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
        if (replaced == null || subscription.plan != null) {
            begin(session, commandId, ackTypes, subscription, replaced, started, sources);
            return;
        }
        final List<SubscriptionPart> others = new ArrayList<>();
        for (final SubscriptionPart part : replaced.parts) {
            if (subscription.partIn(part.interest.shard()) == null) {
                others.add(part);
            }
        }
        if (others.isEmpty()) {
            succeed(session, commandId, ackTypes, subscription, replaced, started, List.of());
            return;
        }
        // It is certain now that it ends in shards, too, in which the new one has no part.
        final List<Leave> left = new ArrayList<>();
        session.pending = new PendingCommand(
                others.size(),
                (of, reply) -> left.add((Leave) reply),
                of -> succeed(of, commandId, ackTypes, subscription, replaced, started, left));
        for (final SubscriptionPart part : others) {
            context.submit(
                    part.interest.shard(), new Leave(context.settings.ioAgent(), session.id, part.interest.part()));
        }
    }

    private void refuseStateless(final Session session, final long commandId, final ClientSubscription subscription) {
        context.refuse(
                session,
                commandId,
                subscription.id,
                0,
                ErrorCode.NO_STATE,
                "subscribe to " + subscription.topics.text()
                        + ": the topic keeps no state (declare it with a key, or subscribe without sow, oof, delta,"
                        + " select and conflation)");
    }

    /** A subscription takes the place of another one, without the state: what was before is sent first. */
    private void succeed(
            final Session session,
            final long commandId,
            final int ackTypes,
            final ClientSubscription subscription,
            final ClientSubscription replaced,
            final List<Subscribe> started,
            final List<Leave> left) {
        Succession.freeze(session, replaced, false);
        Succession.freeze(session, subscription, false);
        if (session.subscriptions.put(subscription.id, subscription) == null) {
            // The one that it replaces has ended meanwhile.
            context.counters.subscriptions.incrementRelease();
        }
        for (final Leave reply : left) {
            final SubscriptionPart part = session.parts.get(reply.part());
            if (part != null) {
                succession.leave(session, part, reply.isDescribed(), reply.endSequence());
            }
        }
        for (final Subscribe reply : started) {
            final SubscriptionPart old = session.parts.get(reply.replacedPart());
            if (old != null) {
                succession.leave(session, old, !reply.isWaiting(), reply.startSequence());
            }
        }
        acknowledge(session, commandId, ackTypes);
        for (final Subscribe reply : started) {
            final SubscriptionPart part = session.parts.get(reply.interest().part());
            if (part != null) {
                part.startSequence = reply.startSequence();
                if (reply.isWaiting()) {
                    succession.await(session, part);
                }
            }
        }
    }

    /** A subscription begins, or takes the place of another one with the state, which has all that was before. */
    private void begin(
            final Session session,
            final long commandId,
            final int ackTypes,
            final ClientSubscription subscription,
            final @Nullable ClientSubscription replaced,
            final List<Subscribe> started,
            final List<QuerySource> sources) {
        if (replaced != null && session.subscriptions.get(replaced.id) == replaced) {
            remove(session, replaced, false);
        }
        Succession.freeze(session, subscription, false);
        context.counters.subscriptions.incrementRelease();
        session.subscriptions.put(subscription.id, subscription);
        acknowledge(session, commandId, ackTypes);
        if (subscription.plan != null) {
            subscription.stateCommandId = commandId;
            subscription.stateAckTypes = ackTypes;
            final QueryCommand command = new QueryCommand(
                    commandId, ackTypes, subscription.id, subscription.plan, subscription.isDurable, 0);
            sendState(session, subscription, command, sources, started);
        }
    }

    private void onStateEnd(
            final Session session,
            final ClientQuery query,
            final ClientSubscription subscription,
            final List<Subscribe> started) {
        final QueryFailure failure = query.run.failure();
        if (query.cancelled) {
            // Who did that has ended the subscription, too, or sends it the state anew.
            return;
        }
        if (failure == null) {
            onStateSent(session, query, subscription, started);
        } else if (failure == QueryFailure.SNAPSHOT_TOO_OLD && subscription.topics.isLiteral()) {
            final SubscriptionPart part =
                    session.parts.get(started.get(0).interest().part());
            // Without it the subscription has fallen behind already, and its shard opens the state anew.
            if (part != null) {
                losses.onStateLost(session, part);
            }
        } else {
            // Changes of a state that its client does not have are of no use to it, and to none that takes its place.
            final ClientSubscription current = session.subscriptions.get(subscription.id);
            if (current != null) {
                end(session, current, QuerySender.refusal("subscription " + current.id + ": its state", failure));
            }
        }
    }

    /** The client has the state: what has changed since may follow. */
    private void onStateSent(
            final Session session,
            final ClientQuery query,
            final ClientSubscription subscription,
            final List<Subscribe> started) {
        if (query.commandId == subscription.stateCommandId) {
            subscription.stateCommandId = 0;
            subscription.stateAckTypes = 0;
        }
        for (final Subscribe reply : started) {
            final SubscriptionPart part = session.parts.get(reply.interest().part());
            if (part == null || !reply.held()) {
                continue;
            }
            if (reply.interest().follow() != null) {
                context.submit(
                        reply.interest().shard(),
                        new Resume(
                                context.settings.ioAgent(),
                                session.id,
                                reply.interest().part()));
            } else {
                part.cursor = true;
                final DescriptorRing ring = rings.replay(session);
                final Replay replay = part.isLeaving
                        ? Replay.until(reply.startSequence(), part.toSequence)
                        : Replay.untilLive(reply.startSequence());
                context.onCursors(() -> context.cursors.start(reply.interest(), ring, reply.startPosition(), replay));
            }
        }
    }

    private void acknowledge(final Session session, final long commandId, final int ackTypes) {
        if ((ackTypes & 1) != 0) {
            context.answers.ack(session.outbox, commandId, 0, AckType.RECEIVED);
        }
        if ((ackTypes & 2) != 0) {
            context.answers.ack(session.outbox, commandId, 0, AckType.PROCESSED);
        }
    }
}
