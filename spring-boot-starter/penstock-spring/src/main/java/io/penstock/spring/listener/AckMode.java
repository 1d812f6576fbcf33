package io.penstock.spring.listener;

/**
 * When a message counts as processed: from then on it does not come again after a restart, if its subscription is durable,
 * and its credit is given back.
 */
public enum AckMode {
    /** When the listener has returned, or the error handler is done with the message. */
    RECORD,
    /** When all messages are handled that were waiting for the same thread, or the container is paused before that. */
    BATCH,
    /** When the listener calls {@link Acknowledgment#acknowledge()}. */
    MANUAL
}
