package io.penstock.client;

import io.penstock.client.warning.ClientLog;

/**
 * Takes the messages of a subscription or the records of a query. Called on the client's thread: it must not block, and
 * while it runs nothing else is received or sent. When {@link #onMessage} throws for a subscription, the client's
 * {@link MessageErrorHandler} decides how to go on with the message; an exception in another method, or for a query,
 * ends the subscription or query.
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
     * The state of a topic starts: what comes next are records of kind {@link RecordKind#STATE}, of all topics whose
     * state has started and not ended. A subscription that was made with {@link SubscribeRequest#sow()} gets the state
     * again after a reconnect, and when it lags too far. Does nothing unless overridden.
     *
     * @param topic    its name.
     * @param shard    that keeps the topic.
     * @param sequence of the shard: all changes up to it are in the state.
     */
    default void onGroupBegin(final String topic, final int shard, final long sequence) {}

    /**
     * All records of the state have come. Does nothing unless overridden.
     *
     * @param topicMatches records looked at.
     * @param matches      records that matched.
     * @param returned     records that came.
     */
    default void onGroupEnd(final long topicMatches, final long matches, final long returned) {}

    /**
     * A query that asked for it says how far it is. Does nothing unless overridden.
     *
     * @param progress so far.
     */
    default void onProgress(final SowProgress progress) {}

    /**
     * All messages have come that were in the log when the subscription was made, or all up to its end: a subscription
     * with an end is over then. Called once, for subscriptions made with a {@link ReplayRequest}. Does nothing unless
     * overridden.
     *
     * @param subscription that has come so far.
     */
    default void onCompleted(final Subscription subscription) {}

    /**
     * The subscription has ended without having been closed: the broker ended it, the connection is lost for good, or
     * this handler threw. Logs a warning unless overridden.
     *
     * @param subscription that has ended.
     * @param reason       why.
     */
    default void onEnd(final Subscription subscription, final PenstockException reason) {
        ClientLog.warn("subscription to " + subscription.request().topic() + " has ended: " + reason.getMessage());
    }
}
