package io.penstock.client;

/** When a program is done with a message of a named subscription, so that it need not come again. */
public enum Processing {
    /** When its handler has returned; for streams: when the next message is asked for. */
    RETURNED,
    /** When {@link Subscription#acknowledge} was called for it, in whatever order. */
    ACKNOWLEDGED
}
