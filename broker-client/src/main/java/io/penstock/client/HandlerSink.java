package io.penstock.client;

import io.penstock.client.engine.MessageSink;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Hands messages to a program's handler. Called by the agent. */
final class HandlerSink implements MessageSink {
    private final MessageHandler handler;

    /** Known before anything comes; never of a query. */
    private @Nullable Subscription subscription;

    HandlerSink(final MessageHandler handler) {
        this.handler = handler;
    }

    /** Takes note of whose messages they are, before it is made. */
    Subscription of(final Subscription known) {
        subscription = known;
        return known;
    }

    @Override
    public boolean onMessage(final MessageView message) {
        handler.onMessage(message);
        return true;
    }

    @Override
    public void onGroupBegin(final String topic, final int shard, final long sequence) {
        handler.onGroupBegin(topic, shard, sequence);
    }

    @Override
    public void onGroupEnd(final long topicMatches, final long matches, final long returned) {
        handler.onGroupEnd(topicMatches, matches, returned);
    }

    @Override
    public void onProgress(final SowProgress progress) {
        handler.onProgress(progress);
    }

    @Override
    public void onCompleted() {
        handler.onCompleted(Objects.requireNonNull(subscription));
    }

    @Override
    public void onEnd(final @Nullable PenstockException reason) {
        if (reason != null) {
            handler.onEnd(Objects.requireNonNull(subscription), reason);
        }
    }

    @Override
    public String toString() {
        return handler.toString();
    }
}
