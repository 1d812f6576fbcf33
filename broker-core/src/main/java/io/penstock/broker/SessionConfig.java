package io.penstock.broker;

import io.penstock.transport.TransportContext;
import org.agrona.BitUtil;

/**
 * Bounds of what clients may ask for. At each bound the client gets an error, or its connection is not read for a
 * while; other clients are served on.
 *
 * @param sessionCountMax       clients at once, for each I/O agent; further connections are closed at once.
 * @param subscriptionCountMax  of one client; further ones are refused.
 * @param messageLengthMax      longest payload in bytes; longer ones are refused.
 * @param topicCountMax         of one shard; messages to further topics are refused.
 * @param publisherCountMax     named publishers that one shard remembers; messages of further ones are refused.
 * @param descriptorRingLength  in bytes, a power of two, for each client and shard; a subscription whose descriptors
 *                              do not fit reads the log itself until it has caught up.
 * @param pendingAckCountMax    commands of one client that wait for acknowledgement; at the bound it is not read.
 * @param stagingLengthMax      bytes for messages longer than 64 KiB while they arrive, for each I/O agent; each takes at
 *                              most half of what is left, and senders of others are not read.
 * @param heartbeatIntervalMs   when a client asks for none.
 * @param logonTimeoutMs        for a connection to log on before it is closed.
 * @param frameProgressMs       for the next 64 KiB of a message that has begun to arrive; whoever takes longer loses its
 *                              connection when another needs the staging that it holds.
 */
public record SessionConfig(
        int sessionCountMax,
        int subscriptionCountMax,
        int messageLengthMax,
        int topicCountMax,
        int publisherCountMax,
        int descriptorRingLength,
        int pendingAckCountMax,
        long stagingLengthMax,
        int heartbeatIntervalMs,
        int logonTimeoutMs,
        int frameProgressMs) {
    public static final int SESSION_COUNT_MAX_DEFAULT = 16 * 1024;
    public static final int SUBSCRIPTION_COUNT_MAX_DEFAULT = 10_000;
    public static final int MESSAGE_LENGTH_MAX_DEFAULT = 16 * 1024 * 1024;
    public static final int TOPIC_COUNT_MAX_DEFAULT = 10_000;
    public static final int PUBLISHER_COUNT_MAX_DEFAULT = 100_000;
    public static final int DESCRIPTOR_RING_LENGTH_DEFAULT = 64 * 1024;
    public static final int PENDING_ACK_COUNT_MAX_DEFAULT = 16 * 1024;
    public static final long STAGING_LENGTH_MAX_DEFAULT = 128L * 1024 * 1024;
    public static final int HEARTBEAT_INTERVAL_MS_DEFAULT = 10_000;
    public static final int LOGON_TIMEOUT_MS_DEFAULT = 5_000;
    public static final int FRAME_PROGRESS_MS_DEFAULT = 1_000;

    /** Heartbeat intervals without a sign of life after which a peer is lost. */
    public static final int HEARTBEATS_MISSED_MAX = 3;

    public SessionConfig {
        Limits.check("sessions.sessionCountMax", sessionCountMax, 1, 1 << 20);
        Limits.check("sessions.subscriptionCountMax", subscriptionCountMax, 1, 1 << 20);
        Limits.check("sessions.messageLengthMax", messageLengthMax, 1024, 256 * 1024 * 1024);
        Limits.check("sessions.topicCountMax", topicCountMax, 1, 1 << 20);
        Limits.check("sessions.publisherCountMax", publisherCountMax, 1, 1 << 24);
        Limits.check("sessions.descriptorRingLength", descriptorRingLength, 512, 1 << 26);
        if (Integer.bitCount(descriptorRingLength) != 1) {
            throw new IllegalArgumentException("sessions.descriptorRingLength: not a power of two: "
                    + descriptorRingLength + " (use " + DESCRIPTOR_RING_LENGTH_DEFAULT + ")");
        }
        Limits.check("sessions.pendingAckCountMax", pendingAckCountMax, 1, 1 << 20);
        // Slots are powers of two, and the longest frame needs one.
        final long slotLengthMax =
                BitUtil.findNextPositivePowerOfTwo((long) messageLengthMax + TransportContext.FRAGMENT_LENGTH_MIN);
        Limits.check(
                "sessions.stagingLengthMax",
                stagingLengthMax,
                Math.max(2L * messageLengthMax, slotLengthMax),
                1L << 40);
        Limits.check("sessions.heartbeatIntervalMs", heartbeatIntervalMs, 10, 3_600_000);
        Limits.check("sessions.logonTimeoutMs", logonTimeoutMs, 10, 3_600_000);
        Limits.check("sessions.frameProgressMs", frameProgressMs, 10, 3_600_000);
    }

    /**
     * With {@link #FRAME_PROGRESS_MS_DEFAULT}.
     *
     * @param sessionCountMax      see above.
     * @param subscriptionCountMax see above.
     * @param messageLengthMax     see above.
     * @param topicCountMax        see above.
     * @param publisherCountMax    see above.
     * @param descriptorRingLength see above.
     * @param pendingAckCountMax   see above.
     * @param stagingLengthMax     see above.
     * @param heartbeatIntervalMs  see above.
     * @param logonTimeoutMs       see above.
     */
    public SessionConfig(
            final int sessionCountMax,
            final int subscriptionCountMax,
            final int messageLengthMax,
            final int topicCountMax,
            final int publisherCountMax,
            final int descriptorRingLength,
            final int pendingAckCountMax,
            final long stagingLengthMax,
            final int heartbeatIntervalMs,
            final int logonTimeoutMs) {
        this(
                sessionCountMax,
                subscriptionCountMax,
                messageLengthMax,
                topicCountMax,
                publisherCountMax,
                descriptorRingLength,
                pendingAckCountMax,
                stagingLengthMax,
                heartbeatIntervalMs,
                logonTimeoutMs,
                FRAME_PROGRESS_MS_DEFAULT);
    }

    public static SessionConfig defaults() {
        return new SessionConfig(
                SESSION_COUNT_MAX_DEFAULT,
                SUBSCRIPTION_COUNT_MAX_DEFAULT,
                MESSAGE_LENGTH_MAX_DEFAULT,
                TOPIC_COUNT_MAX_DEFAULT,
                PUBLISHER_COUNT_MAX_DEFAULT,
                DESCRIPTOR_RING_LENGTH_DEFAULT,
                PENDING_ACK_COUNT_MAX_DEFAULT,
                STAGING_LENGTH_MAX_DEFAULT,
                HEARTBEAT_INTERVAL_MS_DEFAULT,
                LOGON_TIMEOUT_MS_DEFAULT,
                FRAME_PROGRESS_MS_DEFAULT);
    }

    /**
     * The same with another bound of subscriptions.
     *
     * @param value most subscriptions of one session.
     * @return new settings.
     */
    public SessionConfig withSubscriptionCountMax(final int value) {
        return new SessionConfig(
                sessionCountMax,
                value,
                messageLengthMax,
                topicCountMax,
                publisherCountMax,
                descriptorRingLength,
                pendingAckCountMax,
                stagingLengthMax,
                heartbeatIntervalMs,
                logonTimeoutMs,
                frameProgressMs);
    }
}
