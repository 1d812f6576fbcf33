package io.penstock.client;

import org.jspecify.annotations.Nullable;

/** Hands messages to a program's handler. Called by the agent. */
final class HandlerSink extends SubscriptionSink {
    private final MessageHandler handler;

    HandlerSink(final MessageHandler handler) {
        this.handler = handler;
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
        handler.onCompleted(subscription());
    }

    @Override
    public void onEnd(final @Nullable PenstockException reason) {
        if (reason != null) {
            handler.onEnd(subscription(), reason);
        }
    }

    @Override
    public String toString() {
        return handler.toString();
    }
}
