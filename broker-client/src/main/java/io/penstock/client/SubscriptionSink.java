package io.penstock.client;

import io.penstock.client.engine.MessageSink;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Hands the messages of a subscription to a program, and knows whose they are. */
abstract class SubscriptionSink implements MessageSink {
    /** Known before anything comes; never of a query. */
    private volatile @Nullable Subscription subscription;

    /** Takes note of whose messages they are, before it is made. */
    final Subscription of(final Subscription known) {
        subscription = known;
        return known;
    }

    final Subscription subscription() {
        return Objects.requireNonNull(subscription);
    }
}
