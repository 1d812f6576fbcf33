package io.penstock.client;

/** Which messages of a subscription an executor handles one after the other. */
public enum HandlerOrder {
    /** All: one at a time, in the order in which they came. */
    SUBSCRIPTION,
    /**
     * Those of a topic with the same key: messages with different keys may be handled at the same time, and overtake each
     * other. Messages without a key, on topics without state, count as of one key.
     */
    KEY
}
