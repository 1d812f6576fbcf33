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
    public void onEnd(final Subscription subscription, final @Nullable PenstockException reason) {
        if (reason != null) {
            handler.onEnd(subscription, reason);
        }
    }
}
