package io.penstock.client;

/** How a message of a named subscription is acknowledged, so that it need not come again. */
public enum AckMode {
    /** By the client: when the handler has returned; for streams: when the next message is asked for. */
    AUTO,
    /** By the program: when it calls {@link Subscription#acknowledge} for the message, in whatever order. */
    MANUAL
}
