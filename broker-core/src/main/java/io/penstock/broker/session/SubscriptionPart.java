package io.penstock.broker.session;

import io.penstock.broker.match.Interest;

/** The I/O agent's view of one part of a subscription: what one shard delivers to it. Confined to that agent. */
final class SubscriptionPart {
    final Interest interest;
    final ClientSubscription subscription;

    /** Whether a cursor serves it. */
    boolean cursor;

    /** Another part has taken its place: it ends where the live ring has got to this position. */
    long ringLimit = Long.MAX_VALUE;

    SubscriptionPart(final Interest interest, final ClientSubscription subscription) {
        this.interest = interest;
        this.subscription = subscription;
    }
}
