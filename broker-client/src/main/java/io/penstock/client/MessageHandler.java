package io.penstock.client;

import io.penstock.client.warning.ClientLog;
import java.util.concurrent.Executor;

/**
 * Takes the messages of a subscription or the records of a query. Called on the client's thread: it must not block, and
 * while it runs nothing else is received or sent. One that was made by {@link #on} is called by an executor. When {@link
 * #onMessage} throws for a subscription, the client's {@link MessageErrorHandler} decides how to go on with the message; an
 * exception in another method, or for a query, ends the subscription or query.
 */
@FunctionalInterface
public interface MessageHandler {
    /**
     * Has a handler called by an executor, with a copy of each message, one after the other.
     *
     * @see #on(Executor, HandlerOrder, MessageHandler)
     */
    static MessageHandler on(final Executor executor, final MessageHandler handler) {
        return on(executor, HandlerOrder.SUBSCRIPTION, handler);
    }

    /**
     * Has a handler called by an executor, with a copy of each message, so that it may block, and call any method of the
     * client. For subscriptions; to be given to {@code subscribe} itself.
     *
     * <p>Up to {@link ClientConfig#streamLimit()} messages and {@link ClientConfig#streamLength()} bytes wait or are being
     * handled. The credit for it is 48 bytes for each message of {@code streamLimit}, so fewer long ones come at a time. Then
     * the broker sends no more of the subscription, while others go on; of one that follows state, the client
     * stops reading its connection. The methods for a state, an end and so on are called when all messages before
     * have been handled. A named subscription with {@link AckMode#AUTO} notes a message as processed when the handler has
     * returned. {@link ClientConfig#messageErrorHandler()} is called by the executor too, and delays no other lane by a
     * retry.
     *
     * <p>Ending the subscription drops what the handler was not called with yet, and does not wait for calls that are under
     * way; closing the client waits for them, within {@link ClientConfig#closeTimeoutNs()}. When the executor refuses
     * a task, or the handler throws an {@link Error}, the subscription ends.
     *
     * @param executor with any number of threads.
     * @param order    which messages are handled one after the other.
     * @param handler  with a view that it may keep. Several threads call it at once, if the order lets them.
     * @return a handler to subscribe with.
     */
    static MessageHandler on(final Executor executor, final HandlerOrder order, final MessageHandler handler) {
        return new ExecutorHandler(executor, order, handler);
    }

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
