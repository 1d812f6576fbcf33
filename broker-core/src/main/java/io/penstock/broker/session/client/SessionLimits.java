package io.penstock.broker.session.client;

/**
 * Bounds on the resources of sessions.
 *
 * @param sessionCountMax      sessions at once.
 * @param subscriptionCountMax of one session.
 * @param messageLengthMax     longest payload in bytes.
 * @param descriptorRingLength of each session and shard, in bytes.
 * @param pendingAckCountMax   of one session.
 * @param stagingLengthMax     for long frames that arrive, in bytes.
 */
public record SessionLimits(
        int sessionCountMax,
        int subscriptionCountMax,
        int messageLengthMax,
        int descriptorRingLength,
        int pendingAckCountMax,
        long stagingLengthMax) {}
