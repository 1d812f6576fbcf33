package io.penstock.client;

import java.util.concurrent.Executor;

/**
 * A handler that is called on an executor. Whoever subscribes with it sees to that.
 *
 * @param executor that calls.
 * @param order    of messages.
 * @param handler  that is called.
 */
record ExecutorHandler(Executor executor, HandlerOrder order, MessageHandler handler) implements MessageHandler {
    /** Of its own messages a lane keeps the order; more of them cost memory, fewer have keys wait for each other. */
    private static final int LANE_COUNT = 32;

    /** How many messages may be handled at once. */
    int laneCount() {
        return order == HandlerOrder.KEY ? LANE_COUNT : 1;
    }

    /** What keeps messages in one lane. */
    int hash(final MessageView message) {
        return order == HandlerOrder.KEY
                ? message.topic().hashCode() * 31 + message.key().hashCode()
                : 0;
    }

    @Override
    public void onMessage(final MessageView message) {
        throw new IllegalStateException(
                "handler: is for an executor, and was called by another handler (subscribe with it itself)");
    }

    /** For queries, whose records come as fast as they are taken. */
    static MessageHandler notFor(final String subject, final MessageHandler handler) {
        if (handler instanceof ExecutorHandler) {
            throw new IllegalArgumentException(subject + ": its handler is for an executor (take the records with"
                    + " sowStream, on a thread of your own)");
        }
        return handler;
    }

    @Override
    public String toString() {
        return handler.toString();
    }
}
