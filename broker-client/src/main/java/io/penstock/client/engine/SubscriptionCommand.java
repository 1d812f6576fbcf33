package io.penstock.client.engine;

import io.penstock.client.ConnectionException;
import io.penstock.client.PenstockException;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.session.CommandFrame;
import org.jspecify.annotations.Nullable;

/**
 * A command about a subscription, of the program or of the agent. Called by the agent.
 *
 * @param <T> what the command brings.
 */
abstract class SubscriptionCommand<T extends @Nullable Object> extends Request<T> {
    private final Subscriptions subscriptions;
    private final ActiveSubscription subscription;

    private SubscriptionCommand(final Subscriptions subscriptions, final ActiveSubscription subscription) {
        this.subscriptions = subscriptions;
        this.subscription = subscription;
    }

    final Subscriptions subscriptions() {
        return subscriptions;
    }

    final ActiveSubscription subscription() {
        return subscription;
    }

    /**
     * A subscribe of the program.
     *
     * @param <T> what the program gets for it.
     */
    static final class Creation<T> extends SubscriptionCommand<T> {
        private final T created;

        Creation(final Subscriptions subscriptions, final ActiveSubscription subscription, final T created) {
            super(subscriptions, subscription);
            this.created = created;
        }

        @Override
        void onSent(final long commandId) {
            subscriptions().add(subscription());
            subscriptions().onSent(subscription(), commandId);
        }

        /** It goes on after what it had already, and is none of those that are renewed; one that has ended stays so. */
        @Override
        @Nullable
        CommandFrame onLost() {
            if (isDone() || !subscription().isActive()) {
                return null;
            }
            subscriptions().remove(subscription());
            return subscription().frame();
        }

        @Override
        void onAck() {
            if (!complete(created)) {
                // Nobody waits any more.
                subscriptions().drop(subscription(), null);
            }
        }

        @Override
        void onFailure(final PenstockException reason) {
            subscriptions().remove(subscription());
            subscriptions().forget(subscription());
            subscription().onEnd(reason);
            super.onFailure(reason);
        }
    }

    /** A subscribe in the place of another, which stays as it is when this is refused. */
    static final class Replacement extends SubscriptionCommand<@Nullable Void> {
        private final SubscribeRequest request;

        Replacement(
                final Subscriptions subscriptions,
                final ActiveSubscription subscription,
                final SubscribeRequest request) {
            super(subscriptions, subscription);
            this.request = request;
        }

        @Override
        void onAck() {
            subscription().request(request);
            complete(null);
        }
    }

    /** A change of the pace, which is noted when the broker has taken it. */
    static final class PaceChange extends Request<@Nullable Void> {
        private final Runnable change;

        PaceChange(final Runnable change) {
            this.change = change;
        }

        @Override
        void onAck() {
            change.run();
            complete(null);
        }
    }

    /** An unsubscribe of the agent: up to its answer the completed acknowledgement may come. */
    static final class Dropping extends SubscriptionCommand<@Nullable Void> {
        Dropping(final Subscriptions subscriptions, final ActiveSubscription subscription) {
            super(subscriptions, subscription);
        }

        @Override
        void onAck() {
            subscriptions().forget(subscription());
            complete(null);
        }

        @Override
        void onFailure(final PenstockException reason) {
            onAck();
        }
    }

    /** A subscribe again, on a new connection. */
    static final class Renewal extends SubscriptionCommand<@Nullable Void> {
        Renewal(final Subscriptions subscriptions, final ActiveSubscription subscription) {
            super(subscriptions, subscription);
        }

        @Override
        void onSent(final long commandId) {
            subscriptions().onSent(subscription(), commandId);
        }

        @Override
        void onAck() {
            complete(null);
        }

        @Override
        void onFailure(final PenstockException reason) {
            if (!(reason instanceof ConnectionException)) {
                subscriptions().end(subscription(), reason);
            }
        }
    }

    /**
     * An unsubscribe of the program. It cannot fail: a subscription that the broker does not know has ended, also when
     * there is no broker.
     */
    static final class Removal extends SubscriptionCommand<@Nullable Void> {
        Removal(final Subscriptions subscriptions, final ActiveSubscription subscription) {
            super(subscriptions, subscription);
        }

        @Override
        void onAck() {
            subscriptions().end(subscription(), null);
            complete(null);
        }

        @Override
        void onFailure(final PenstockException reason) {
            onAck();
        }
    }
}
