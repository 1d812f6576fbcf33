package io.penstock.bridge.service;

/** Counters of the bridge. */
public enum BridgeCounter {
    /** Sessions that have logged on. */
    SESSIONS,
    /** Sessions that are there, without the guests'. */
    SESSIONS_OPEN,
    /** Subscriptions that are there. */
    SUBSCRIPTIONS_OPEN,
    /** Queries that are there. */
    QUERIES_OPEN,
    /** Messages that the broker has acknowledged, however late. */
    PUBLISHED,
    /** Messages and records that were handed over. */
    DELIVERED,
    /** Calls to clients that returned. */
    CALLBACKS,
    /** Calls to clients that failed; each ended a subscription. */
    CALLBACKS_FAILED,
    /** Calls to clients that took too long; each ended its subscription, if it was there still. */
    CALLBACKS_TIMED_OUT,
    /** Subscriptions and queries that ended because nothing was heard of their client. */
    LEASES_EXPIRED,
    /** Subscriptions that ended because too much waited for their client. */
    FELL_BEHIND,
    /** Requests refused at a bound. */
    LIMITS_REACHED,
    /** Connections that were taken, and lanes. */
    CONNECTIONS,
    /** Connections that are there, and lanes: so many threads serve RMI clients. */
    CONNECTIONS_OPEN,
    /** Connections that were closed at once, because there were too many. */
    CONNECTIONS_REFUSED,
    /** Connections that are there and that calls share. */
    SHARED_CONNECTIONS_OPEN,
    /** Lanes that are there: threads that serve the calls of shared connections. */
    LANES_OPEN,
    /** Calls, and whatever else was asked, on shared connections. */
    SHARED_CALLS,
    /** Calls refused because of what was sent: its classes, depth or length, or that it cannot be read or served. */
    ARGUMENTS_REFUSED,
    /** Bytes of IIOP messages that were copied once more than to where they are used, since they came in small pieces. */
    BYTES_STAGED,
    /** Callbacks refused because of their address. */
    CALLBACKS_REFUSED,
    /** Connections that were ended for what they did with TLS, or because they did not speak what they had to. */
    TLS_FAILED
}
