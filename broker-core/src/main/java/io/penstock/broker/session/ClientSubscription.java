package io.penstock.broker.session;

/** A subscription as its client knows it. Confined to the client's I/O agent. */
final class ClientSubscription {
    final long id;
    final SubscriptionPart[] parts;

    ClientSubscription(final long id, final int partCount) {
        this.id = id;
        parts = new SubscriptionPart[partCount];
    }
}
