package io.penstock.client;

/**
 * Takes the messages of a subscription. Called on the client's thread: it must not block, and while it runs nothing
 * else is received or sent. What it throws ends the subscription.
 */
@FunctionalInterface
public interface MessageHandler {
    /**
     * A message has come.
     *
     * @param message valid until this method returns; copy it with {@link MessageView#toMessage()} to keep it.
     */
    void onMessage(MessageView message);

    /**
     * The subscription has ended without having been closed: the broker ended it, the connection is gone for good, or
     * this handler threw. Logs a warning unless overridden.
     *
     * @param subscription that has ended.
     * @param reason       why.
     */
    default void onEnd(final Subscription subscription, final PenstockException reason) {
        ClientLog.warn("subscription to " + subscription.request().topic() + " has ended: " + reason.getMessage());
    }
}
