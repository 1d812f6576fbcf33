package io.penstock.client.engine;

import io.penstock.client.MessageView;
import io.penstock.client.PenstockException;
import io.penstock.client.SowProgress;
import org.jspecify.annotations.Nullable;

/** Internal: where the messages of a subscription or a query go. Called by the agent. */
public interface MessageSink {
    /** Internal: returns false when there is no room; the message is offered again then. */
    boolean onMessage(MessageView message);

    /** Internal: the state starts. */
    default void onGroupBegin(final String topic, final int shard, final long sequence) {}

    /** Internal: all records of the state have come. */
    default void onGroupEnd(final long topicMatches, final long matches, final long returned) {}

    /** Internal: forgets what it has got of a query, which is asked again; returns false when it cannot. */
    default boolean forget() {
        return false;
    }

    /** Internal: how far a query is. */
    default void onProgress(final SowProgress progress) {}

    /** Internal: all records of a query have come, or it has failed. */
    default void onQueryEnd(final @Nullable PenstockException reason) {}

    /** Internal: all of the log has come that was asked for. */
    default void onCompleted() {}

    /** Internal: the program has ended the subscription or the client; nothing is handed over any more. Any thread. */
    default void onStop() {}

    /** Internal: whether no handler is being called, after {@link #onStop()}. */
    default boolean isIdle() {
        return true;
    }

    /** Internal: nothing more comes; no reason is given when the subscription or the client was closed. */
    void onEnd(@Nullable PenstockException reason);
}
