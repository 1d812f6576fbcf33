package io.penstock.broker.session.client;

/**
 * How long clients and their commands may take.
 *
 * @param frameProgressNs     for the next part of a long frame, when others need its room.
 * @param heartbeatIntervalNs when the client asks for none.
 * @param logonTimeoutNs      for a connection to log on, and for the last error to reach it.
 * @param queryTimeoutNs      longest time that a query may take.
 */
public record SessionTimeouts(
        long frameProgressNs, long heartbeatIntervalNs, long logonTimeoutNs, long queryTimeoutNs) {
    /** Shortest interval of heartbeats that a client may ask for. */
    public static final int HEARTBEAT_INTERVAL_MS_MIN = 100;

    /** Longest one. */
    public static final int HEARTBEAT_INTERVAL_MS_MAX = 3_600_000;

    /** Intervals without a sign of life after which a peer is lost. */
    public static final int HEARTBEATS_MISSED_MAX = 3;
}
