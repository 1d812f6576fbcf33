package io.penstock.client;

/**
 * Decides how to go on with a message of a subscription whose {@link MessageHandler} threw. The failure is logged in
 * any case, with its stack. Called on the client's thread, where it must not block; for a handler on an executor ({@link
 * MessageHandler#on}) by the executor, by several threads at once if the order lets them.
 */
@FunctionalInterface
public interface MessageErrorHandler {
    /** How to go on with the message. */
    enum Action {
        /** The subscription ends, and {@link MessageHandler#onEnd} is called. */
        END,
        /** The message counts as handled, and the next one comes. */
        SKIP,
        /**
         * The message comes again, after a delay that doubles with each attempt, as those between attempts to reconnect do
         * ({@link ClientConfig#reconnectDelayMinNs()}). Until then the client receives nothing, of any subscription; it goes on
         * sending. For a handler on an executor only messages wait that are handled in one order with it.
         */
        RETRY
    }

    /** Ends the subscription. */
    MessageErrorHandler END = (message, error, attempt) -> Action.END;

    /** Goes on with the next message. */
    MessageErrorHandler SKIP = (message, error, attempt) -> Action.SKIP;

    /**
     * Retries a message, and gives up after some attempts.
     *
     * @param attempts the first one counted, 1 or more.
     * @param then     what is done when the last of them has failed, too.
     * @return a handler that does so.
     */
    static MessageErrorHandler retry(final int attempts, final Action then) {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts: not 1 or more: " + attempts);
        }
        return (message, error, attempt) -> attempt < attempts ? Action.RETRY : then;
    }

    /**
     * A handler threw.
     *
     * @param message it was called with; valid until this method returns.
     * @param error   that it threw.
     * @param attempt how often it has been called with this message on this connection, from 1.
     * @return what becomes of the message. When this method throws, the subscription ends.
     */
    Action onError(MessageView message, RuntimeException error, int attempt);
}
