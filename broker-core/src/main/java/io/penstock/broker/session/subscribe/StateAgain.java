package io.penstock.broker.session.subscribe;

import io.penstock.broker.query.QueryFailure;
import io.penstock.broker.session.client.ClientQuery;
import io.penstock.broker.session.client.QueryCommand;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.feed.OpenedState;
import io.penstock.broker.session.feed.SubscriptionFeed;
import io.penstock.broker.session.query.QueryRefusals;
import io.penstock.broker.session.query.QueryStarter;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.shard.command.OpenState;
import io.penstock.protocol.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends the state of a pattern's topics again while their messages wait, which go on where they were: of topics with state those
 * that the state does not have, of others all. Confined to one I/O agent.
 */
final class StateAgain {
    private final SessionContext context;
    private final QueryStarter starter;
    private final SubscriptionPacer pacer;
    private final SubscriptionEnding ending;

    StateAgain(
            final SessionContext context,
            final QueryStarter starter,
            final SubscriptionPacer pacer,
            final SubscriptionEnding ending) {
        this.context = context;
        this.starter = starter;
        this.pacer = pacer;
        this.ending = ending;
    }

    /** Refuses to replace a subscription by one without state before its state was sent again. */
    static void checkSent(final ClientSubscription subscription) {
        if (subscription.pace().isAwaitingState()) {
            throw new Refusal(
                    ErrorCode.LIMIT_REACHED,
                    "subscribe: subscription " + subscription.id()
                            + " is sent its state again, since the permissions have changed (replace it when that was"
                            + " sent, or with sow)");
        }
    }

    /** No message of a subscription is sent from now on, and nothing more of a state that was on its way. */
    void await(final Session session, final ClientSubscription subscription) {
        for (final ClientQuery query : session.queries().running()) {
            if (query.subscription() == subscription) {
                query.cancel();
            }
        }
        forget(session, subscription);
        pacer.awaitState(subscription);
    }

    /** Opens the state as it is after what the shards were asked before, and sends it. */
    void send(final Session session, final ClientSubscription subscription) {
        final OpenedState opened = new OpenedState(context.nextFeed(), subscription);
        session.subscriptions().opened().add(opened);
        for (final SubscriptionFeed feed : subscription.feeds()) {
            final int shard = feed.interest().shard();
            context.shards()
                    .submit(
                            shard,
                            new OpenState(
                                    context.settings().ioAgent(),
                                    session.id(),
                                    opened.number(),
                                    shard,
                                    subscription.topics()));
        }
    }

    /** A shard has opened its topics. */
    void onOpened(final Session session, final OpenState reply) {
        final OpenedState opened = find(session, reply.number());
        if (opened == null) {
            context.shards().closeSources(reply.sources());
            return;
        }
        final ClientSubscription subscription = opened.subscription();
        final SubscriptionFeed feed = subscription.feedIn(reply.shard());
        if (feed != null) {
            feed.startSequence(reply.sequence() + 1);
        }
        if (!opened.onOpened(reply.sources())) {
            return;
        }
        session.subscriptions().opened().remove(opened);
        if (session.subscriptions().byId().get(subscription.id()) != subscription) {
            context.shards().closeSources(opened.sources());
        } else if (!starter.hasRoom()) {
            context.shards().closeSources(opened.sources());
            ending.end(session, subscription, StateChange.cannotBeSent(subscription));
        } else {
            start(session, opened);
        }
    }

    private void start(final Session session, final OpenedState opened) {
        final ClientSubscription subscription = opened.subscription();
        // If an earlier state was not sent to its end, this one answers its command.
        final QueryCommand command = new QueryCommand(
                subscription.due().stateCommandId(),
                subscription.due().stateAckTypes(),
                subscription.id(),
                QueryStarter.all(subscription, context),
                subscription.isDurable(),
                0);
        starter.start(session, subscription, command, opened.sources(), (of, query) -> onEnd(of, query, subscription));
    }

    private void onEnd(final Session session, final ClientQuery query, final ClientSubscription subscription) {
        if (query.isCancelled()) {
            return;
        }
        final QueryFailure failure = query.run().failure();
        if (failure != null) {
            ending.end(
                    session,
                    subscription,
                    QueryRefusals.of("subscription " + subscription.id() + ": its state", failure));
            return;
        }
        subscription.due().state(0, 0);
        pacer.onStateSent(session, subscription);
    }

    private void forget(final Session session, final ClientSubscription subscription) {
        session.subscriptions().opened().removeIf(opened -> {
            if (opened.subscription() != subscription) {
                return false;
            }
            context.shards().closeSources(opened.sources());
            return true;
        });
    }

    private static @Nullable OpenedState find(final Session session, final long number) {
        final List<OpenedState> all = session.subscriptions().opened();
        for (final OpenedState opened : all) {
            if (opened.number() == number) {
                return opened;
            }
        }
        return null;
    }
}
