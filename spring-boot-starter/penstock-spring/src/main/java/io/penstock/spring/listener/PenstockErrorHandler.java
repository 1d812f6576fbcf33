package io.penstock.spring.listener;

import java.time.Duration;

/**
 * Decides how to go on when a listener threw. Called on the thread that called the listener, where it may block; the
 * messages behind on the same thread wait meanwhile.
 */
@FunctionalInterface
public interface PenstockErrorHandler {
    /**
     * How to go on.
     *
     * @param kind  which way.
     * @param delay before the listener is called again; zero for others.
     */
    record Decision(Kind kind, Duration delay) {
        /** Ways to go on. */
        public enum Kind {
            /** The messages count as processed, and the next ones come. */
            DONE,
            /** The listener is called with them again. */
            RETRY,
            /** The container stops, and the messages do not count as processed. */
            STOP
        }

        /** The messages count as processed. */
        public static final Decision DONE = new Decision(Kind.DONE, Duration.ZERO);

        /** The container stops. */
        public static final Decision STOP = new Decision(Kind.STOP, Duration.ZERO);

        /**
         * The listener is called again.
         *
         * @param delay before that.
         * @return the decision.
         */
        public static Decision retryAfter(final Duration delay) {
            return new Decision(Kind.RETRY, delay);
        }
    }

    /**
     * A listener threw.
     *
     * @param failure with the messages and what it threw.
     * @return how to go on. When this method throws, it is logged, and the listener is called again after a second: so no
     *     message is lost because its dead letter could not be written.
     */
    Decision onFailure(ListenerFailure failure);
}
