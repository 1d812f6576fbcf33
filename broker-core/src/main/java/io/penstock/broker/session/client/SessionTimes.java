package io.penstock.broker.session.client;

/** When a client last sent and was last sent something, and how long both sides wait. Confined to its I/O agent. */
public final class SessionTimes {
    private final long connectedNs;
    private long lastReceivedNs;
    private long receivedAwakeNs;
    private long lastSentNs;
    private long closingNs;
    private long heartbeatIntervalNs;

    SessionTimes(final long connectedNs, final long awakeNs, final long heartbeatIntervalNs) {
        this.connectedNs = connectedNs;
        lastReceivedNs = connectedNs;
        receivedAwakeNs = awakeNs;
        lastSentNs = connectedNs;
        this.heartbeatIntervalNs = heartbeatIntervalNs;
    }

    /** When it connected. */
    public long connectedNs() {
        return connectedNs;
    }

    /** When something came from it last. */
    public long lastReceivedNs() {
        return lastReceivedNs;
    }

    /**
     * Something has come.
     *
     * @param nowNs   the time.
     * @param awakeNs the time in which its agent ran, see {@link AgentTime#awakeNs()}.
     */
    public void onReceived(final long nowNs, final long awakeNs) {
        lastReceivedNs = nowNs;
        receivedAwakeNs = awakeNs;
    }

    /**
     * For how long nothing has come while its agent ran: what a client sends meanwhile waits for the agent.
     *
     * @param awakeNs the time in which the agent ran.
     * @return nanoseconds.
     */
    public long silentNs(final long awakeNs) {
        return awakeNs - receivedAwakeNs;
    }

    /** When something was sent to it last. */
    public long lastSentNs() {
        return lastSentNs;
    }

    /** The same, from now on. */
    public void lastSentNs(final long value) {
        lastSentNs = value;
    }

    /** When its end began. */
    public long closingNs() {
        return closingNs;
    }

    /** The same, from now on. */
    public void closingNs(final long value) {
        closingNs = value;
    }

    /** Interval of heartbeats in both directions. */
    public long heartbeatIntervalNs() {
        return heartbeatIntervalNs;
    }

    /** The same, from now on. */
    public void heartbeatIntervalNs(final long value) {
        heartbeatIntervalNs = value;
    }
}
