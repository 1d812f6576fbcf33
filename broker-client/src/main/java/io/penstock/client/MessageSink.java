package io.penstock.client;

import org.jspecify.annotations.Nullable;

/** Where the messages of a subscription go. Called by the agent. */
interface MessageSink {
    /** Returns false when there is no room; the message is offered again then. */
    boolean onMessage(MessageView message);

    /** Nothing more comes; no reason is given when the subscription or the client was closed. */
    void onEnd(Subscription subscription, @Nullable PenstockException reason);
}
