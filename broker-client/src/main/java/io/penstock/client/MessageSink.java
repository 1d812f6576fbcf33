package io.penstock.client;

import org.jspecify.annotations.Nullable;

/** Where the messages of a subscription go. Called by the agent. */
interface MessageSink {
    /** Returns false when there is no room; the message is offered again then. */
    boolean onMessage(MessageView message);

    /** The state starts. */
    default void onGroupBegin(final String topic, final int shard, final long sequence) {}

    /** All records of the state have come. */
    default void onGroupEnd(final long topicMatches, final long matches, final long returned) {}

    /** Forgets what it has got of a query, which is asked again; returns false when it cannot. */
    default boolean forget() {
        return false;
    }

    /** How far a query is. */
    default void onProgress(final SowProgress progress) {}

    /** All records of a query have come, or it has failed. */
    default void onQueryEnd(final @Nullable PenstockException reason) {}

    /** All of the log has come that was asked for. */
    default void onCompleted(final Subscription subscription) {}

    /** Nothing more comes; no reason is given when the subscription or the client was closed. */
    void onEnd(Subscription subscription, @Nullable PenstockException reason);
}
