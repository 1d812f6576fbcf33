package io.penstock.broker.session.subscribe;

import io.penstock.broker.query.QueryFailure;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.session.client.ClientQuery;
import io.penstock.broker.session.client.QueryCommand;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.feed.FeedEvent;
import io.penstock.broker.session.feed.SubscriptionFeed;
import io.penstock.broker.session.query.QueryRefusals;
import io.penstock.broker.session.query.QueryStarter;
import io.penstock.broker.shard.command.Resume;
import io.penstock.broker.shard.command.Subscribe;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Replay;
import java.util.List;

/** Has a query send the state of a subscription, and its feeds go on after it. Confined to one I/O agent. */
final class StateSender {
    private final SessionContext context;
    private final SessionRings rings;
    private final QueryStarter starter;
    private final SubscriptionEnding ending;
    private final FeedListener losses;

    /** Notified of what happened to a feed. */
    @FunctionalInterface
    interface FeedListener {
        void onFeed(Session session, SubscriptionFeed feed);
    }

    /** @param losses of feeds whose state was lost before it was sent, and that are to go on. */
    StateSender(
            final SessionContext context,
            final SessionRings rings,
            final QueryStarter starter,
            final SubscriptionEnding ending,
            final FeedListener losses) {
        this.context = context;
        this.rings = rings;
        this.starter = starter;
        this.ending = ending;
        this.losses = losses;
    }

    /** Sends a state; the feeds that were started with it go on after it. */
    void send(
            final Session session,
            final ClientSubscription subscription,
            final QueryCommand command,
            final List<QuerySource> sources,
            final List<Subscribe> started) {
        for (final Subscribe reply : started) {
            final SubscriptionFeed feed =
                    session.subscriptions().feeds().get(reply.interest().feed());
            if (feed != null && reply.held() && reply.interest().follow() == null) {
                feed.awaitState(reply.startSequence());
            } else if (feed != null && feed.isAwaitingState()) {
                feed.on(FeedEvent.RELEASED);
            }
        }
        starter.start(
                session, subscription, command, sources, (of, query) -> onStateEnd(of, query, subscription, started));
    }

    private void onStateEnd(
            final Session session,
            final ClientQuery query,
            final ClientSubscription subscription,
            final List<Subscribe> started) {
        final QueryFailure failure = query.run().failure();
        if (query.isCancelled()) {
            // Who did that has ended the subscription, too, or sends it the state anew.
            return;
        }
        if (failure == null) {
            onStateSent(session, query, subscription, started);
        } else if (failure == QueryFailure.SNAPSHOT_TOO_OLD
                && subscription.topics().isLiteral()) {
            final SubscriptionFeed feed = session.subscriptions()
                    .feeds()
                    .get(started.get(0).interest().feed());
            // Without a feed the subscription has lagged too far already, and its shard opens the state anew.
            if (feed != null) {
                losses.onFeed(session, feed);
            }
        } else {
            // Changes of a state that its client does not have are of no use to it, nor to its replacement.
            final ClientSubscription current = session.subscriptions().byId().get(subscription.id());
            if (current != null) {
                ending.end(session, current, QueryRefusals.of("subscription " + current.id() + ": its state", failure));
            }
        }
    }

    /** The client has the state: what has changed since may follow. */
    private void onStateSent(
            final Session session,
            final ClientQuery query,
            final ClientSubscription subscription,
            final List<Subscribe> started) {
        if (query.commandId() == subscription.due().stateCommandId()) {
            subscription.due().state(0, 0);
        }
        for (final Subscribe reply : started) {
            final SubscriptionFeed feed =
                    session.subscriptions().feeds().get(reply.interest().feed());
            if (feed == null || !reply.held()) {
                continue;
            }
            if (reply.interest().follow() != null) {
                context.shards()
                        .submit(
                                reply.interest().shard(),
                                new Resume(
                                        context.settings().ioAgent(),
                                        session.id(),
                                        reply.interest().feed()));
            } else {
                feed.on(FeedEvent.CURSOR_STARTED);
                final DescriptorRing ring = rings.replay(session);
                final Replay replay = feed.isSuperseded()
                        ? Replay.until(reply.startSequence(), feed.toSequence())
                        : Replay.untilLive(reply.startSequence());
                context.shards()
                        .onCursors(() -> context.shards()
                                .cursors()
                                .start(reply.interest(), ring, reply.startPosition(), replay));
            }
        }
    }
}
