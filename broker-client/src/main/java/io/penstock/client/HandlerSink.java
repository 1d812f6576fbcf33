package io.penstock.client;

import org.jspecify.annotations.Nullable;

/** Hands messages to a program's handler. */
record HandlerSink(MessageHandler handler) implements MessageSink {
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
    public void onCompleted(final Subscription subscription) {
        handler.onCompleted(subscription);
    }

    @Override
    public void onEnd(final Subscription subscription, final @Nullable PenstockException reason) {
        if (reason != null) {
            handler.onEnd(subscription, reason);
        }
    }
}
