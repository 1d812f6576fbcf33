package io.penstock.broker.security;

/** An action of a client. */
public enum Action {
    /** Log on, after it was authenticated. */
    CONNECT,
    /** Publish to a topic that exists. */
    PUBLISH,
    /** Publish a change of a record instead of the whole; {@link #PUBLISH} is asked for, too. */
    DELTA,
    /** Create a topic, by declaring it or by first use. */
    CREATE_TOPIC,
    /** Receive the messages of a topic. For a pattern it is asked for each topic the pattern matches. */
    SUBSCRIBE,
    /** Give a pattern of topics, to a subscription or a query. */
    SUBSCRIBE_PATTERN,
    /**
     * Read the state of a topic: by a query, or as what comes first of a subscription. For a pattern it is asked for each
     * topic the pattern matches.
     */
    QUERY,
    /**
     * Read what a topic had before: a subscription from a place of the log, for which {@link #SUBSCRIBE} is asked, too, or
     * a query of state as it was, for which {@link #QUERY} is.
     */
    REPLAY,
    /** Delete records of a topic with state. */
    DELETE,
    /** Deliver blocks to a sink; its name stands in the topic's place. */
    DELIVER,
    /**
     * Take back that sequences of a publisher were applied; its user ({@code anonymous} for none), a line break and its client
     * name stand in the topic's place.
     */
    RESET_PUBLISHER,
    /** Delete a topic with its state. */
    DELETE_TOPIC,
    /** See configuration, clients, subscriptions, queries, logs and threads at the admin port. */
    ADMIN_READ,
    /** Disconnect clients, cancel queries, enable and disable transports at the admin port. */
    ADMIN_WRITE,
    /** Read counters. */
    STAT,
    /** List topics. A topic that may be neither subscribed to nor queried is left out. */
    LIST_TOPICS
}
