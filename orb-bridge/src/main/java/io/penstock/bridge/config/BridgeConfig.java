package io.penstock.bridge.config;

/**
 * Bounds of what clients of the bridge may ask for, whatever they speak, and its front ends. At each bound a client gets an
 * error; others are served on.
 *
 * @param rmi                    the front end for RMI.
 * @param iiop                   the front end for CORBA.
 * @param sessionCountMax        clients that have logged on; each has a connection to the broker, and its thread.
 * @param subscriptionCountMax   of all clients together.
 * @param queryCountMax          of all clients together.
 * @param messageLengthMax       longest payload in bytes.
 * @param batchCountMax          most messages of one call.
 * @param batchLengthMax         most payload of one call in bytes, unless it is that of a single message.
 * @param queueCountMax          messages that wait for one subscriber; the broker is asked to pause at a quarter of it, and
 *                               the subscription ends beyond it.
 * @param queueLengthMax         bytes that wait for one subscriber, or of one query; likewise. A message counts its payload,
 *                               2 for each character of topic and key, and 128.
 * @param heldLengthMax          bytes that wait for all, counted alike; beyond it the subscription or query that wants more
 *                               ends.
 * @param leaseMs                after which subscriptions without a callback, and queries, end unless their client calls.
 * @param callTimeoutMs          longest wait for the broker in a call.
 * @param waitMsMax              longest wait of a client for messages in one call.
 * @param callbackTimeoutMs      after which a callback that has not returned ends its subscription.
 * @param callbackThreadCountMax threads that call clients.
 * @param bookmarks              path of the files in which named subscriptions are noted; empty = in memory.
 */
public record BridgeConfig(
        RmiConfig rmi,
        IiopConfig iiop,
        int sessionCountMax,
        int subscriptionCountMax,
        int queryCountMax,
        int messageLengthMax,
        int batchCountMax,
        int batchLengthMax,
        int queueCountMax,
        int queueLengthMax,
        long heldLengthMax,
        int leaseMs,
        int callTimeoutMs,
        int waitMsMax,
        int callbackTimeoutMs,
        int callbackThreadCountMax,
        String bookmarks) {
    public static final int SESSION_COUNT_MAX_DEFAULT = 256;
    public static final int SUBSCRIPTION_COUNT_MAX_DEFAULT = 10_000;
    public static final int QUERY_COUNT_MAX_DEFAULT = 256;
    public static final int MESSAGE_LENGTH_MAX_DEFAULT = 16 * 1024 * 1024;
    public static final int BATCH_COUNT_MAX_DEFAULT = 1024;
    public static final int BATCH_LENGTH_MAX_DEFAULT = 32 * 1024 * 1024;
    public static final int QUEUE_COUNT_MAX_DEFAULT = 32 * 1024;
    public static final int QUEUE_LENGTH_MAX_DEFAULT = 64 * 1024 * 1024;
    public static final long HELD_LENGTH_MAX_DEFAULT = 256L * 1024 * 1024;
    public static final int LEASE_MS_DEFAULT = 60_000;
    public static final int LEASE_MS_MIN = 50;
    public static final int LEASE_MS_MAX = 3_600_000;
    public static final int CALL_TIMEOUT_MS_DEFAULT = 10_000;
    public static final int WAIT_MS_MAX_DEFAULT = 30_000;
    public static final int CALLBACK_TIMEOUT_MS_DEFAULT = 10_000;
    public static final int CALLBACK_THREAD_COUNT_MAX_DEFAULT = 64;

    public BridgeConfig {
        Limits.check("bridge.sessionCountMax", sessionCountMax, 1, 10_000);
        Limits.check("bridge.subscriptionCountMax", subscriptionCountMax, 1, 1 << 20);
        Limits.check("bridge.queryCountMax", queryCountMax, 1, 1 << 20);
        Limits.check("bridge.messageLengthMax", messageLengthMax, 1024, 256 * 1024 * 1024);
        Limits.check("bridge.batchCountMax", batchCountMax, 1, 64 * 1024);
        Limits.check("bridge.batchLengthMax", batchLengthMax, messageLengthMax, 1 << 30);
        Limits.check("bridge.queueCountMax", queueCountMax, 4, 1 << 24);
        Limits.check("bridge.queueLengthMax", queueLengthMax, messageLengthMax, 1 << 30);
        Limits.check("bridge.heldLengthMax", heldLengthMax, queueLengthMax, 1L << 40);
        Limits.check("bridge.leaseMs", leaseMs, LEASE_MS_MIN, LEASE_MS_MAX);
        Limits.check("bridge.callTimeoutMs", callTimeoutMs, 10, 3_600_000);
        Limits.check("bridge.waitMsMax", waitMsMax, 10, 3_600_000);
        Limits.check("bridge.callbackTimeoutMs", callbackTimeoutMs, 10, 3_600_000);
        Limits.check("bridge.callbackThreadCountMax", callbackThreadCountMax, 1, 4096);
    }

    /** Whether there is a front end at all. */
    public boolean isUsed() {
        return rmi.isUsed() || iiop.isUsed();
    }

    public static BridgeConfig defaults() {
        return new BridgeConfig(
                RmiConfig.none(),
                IiopConfig.none(),
                SESSION_COUNT_MAX_DEFAULT,
                SUBSCRIPTION_COUNT_MAX_DEFAULT,
                QUERY_COUNT_MAX_DEFAULT,
                MESSAGE_LENGTH_MAX_DEFAULT,
                BATCH_COUNT_MAX_DEFAULT,
                BATCH_LENGTH_MAX_DEFAULT,
                QUEUE_COUNT_MAX_DEFAULT,
                QUEUE_LENGTH_MAX_DEFAULT,
                HELD_LENGTH_MAX_DEFAULT,
                LEASE_MS_DEFAULT,
                CALL_TIMEOUT_MS_DEFAULT,
                WAIT_MS_MAX_DEFAULT,
                CALLBACK_TIMEOUT_MS_DEFAULT,
                CALLBACK_THREAD_COUNT_MAX_DEFAULT,
                "");
    }

    /**
     * Serves RMI clients.
     *
     * @param port to listen on at loopback; 0 = a free one.
     * @return the defaults with that front end.
     */
    public static BridgeConfig onRmiPort(final int port) {
        return defaults().rmi(RmiConfig.none().port(port));
    }

    /**
     * Serves CORBA clients.
     *
     * @param port to listen on at loopback; 0 = a free one.
     * @return the defaults with that front end.
     */
    public static BridgeConfig onIiopPort(final int port) {
        return defaults().iiop(IiopConfig.none().port(port));
    }

    /**
     * Changes the front end for RMI.
     *
     * @param value the front end.
     * @return the same with that.
     */
    public BridgeConfig rmi(final RmiConfig value) {
        return withFrontEnds(value, iiop);
    }

    /**
     * Changes the front end for CORBA.
     *
     * @param value the front end.
     * @return the same with that.
     */
    public BridgeConfig iiop(final IiopConfig value) {
        return withFrontEnds(rmi, value);
    }

    private BridgeConfig withFrontEnds(final RmiConfig newRmi, final IiopConfig newIiop) {
        return new BridgeConfig(
                newRmi,
                newIiop,
                sessionCountMax,
                subscriptionCountMax,
                queryCountMax,
                messageLengthMax,
                batchCountMax,
                batchLengthMax,
                queueCountMax,
                queueLengthMax,
                heldLengthMax,
                leaseMs,
                callTimeoutMs,
                waitMsMax,
                callbackTimeoutMs,
                callbackThreadCountMax,
                bookmarks);
    }

    /**
     * Sets the longest wait for the broker in a call.
     *
     * @param value in milliseconds.
     * @return the same with that.
     */
    public BridgeConfig callTimeoutMs(final int value) {
        return new BridgeConfig(
                rmi,
                iiop,
                sessionCountMax,
                subscriptionCountMax,
                queryCountMax,
                messageLengthMax,
                batchCountMax,
                batchLengthMax,
                queueCountMax,
                queueLengthMax,
                heldLengthMax,
                leaseMs,
                value,
                waitMsMax,
                callbackTimeoutMs,
                callbackThreadCountMax,
                bookmarks);
    }
}
