package io.penstock.broker.session;

/**
 * Bounds and names that sessions obey, as the broker was configured.
 *
 * @param ioAgent              index of the I/O agent.
 * @param broker               name and version, for clients.
 * @param sessionCountMax      sessions at once.
 * @param subscriptionCountMax of one session.
 * @param messageLengthMax     longest payload in bytes.
 * @param descriptorRingLength of each session and shard, in bytes.
 * @param pendingAckCountMax   of one session.
 * @param stagingLengthMax     for long frames that arrive, in bytes.
 * @param frameProgressNs      for the next part of a long frame, when others need its room.
 * @param heartbeatIntervalNs  when the client asks for none.
 * @param logonTimeoutNs       for a connection to log on, and for the last error to reach it.
 * @param queryTimeoutNs       longest time that a query may take.
 * @param quotas               what one client may use up.
 */
public record SessionSettings(
        int ioAgent,
        String broker,
        int sessionCountMax,
        int subscriptionCountMax,
        int messageLengthMax,
        int descriptorRingLength,
        int pendingAckCountMax,
        long stagingLengthMax,
        long frameProgressNs,
        long heartbeatIntervalNs,
        long logonTimeoutNs,
        long queryTimeoutNs,
        QuotaSettings quotas) {
    /** Shortest and longest interval that a client may ask for. */
    public static final int HEARTBEAT_INTERVAL_MS_MIN = 100;

    public static final int HEARTBEAT_INTERVAL_MS_MAX = 3_600_000;

    /** Intervals without a sign of life after which a peer is lost. */
    public static final int HEARTBEATS_MISSED_MAX = 3;
}
