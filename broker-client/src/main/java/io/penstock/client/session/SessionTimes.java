package io.penstock.client.session;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/** When a session has last sent and received, and when something is due next. Owned by the session. */
final class SessionTimes {
    /** Silence of this many heartbeat intervals is a lost peer. */
    static final int HEARTBEATS_MISSED_MAX = 3;

    private final NanoClock clock;
    private long nowNs;
    private long logonDeadlineNs;
    private long heartbeatIntervalNs;
    private long lastSentNs;
    private long lastReceivedNs;

    /** Something that was received is not taken: what the peer sends meanwhile is not read. */
    private boolean isStalled;

    SessionTimes(final NanoClock clock) {
        this.clock = clock;
    }

    /** Looks at the clock: everything up to the next look is at this time. */
    void look() {
        nowNs = clock.nanoTime();
    }

    long lookedNs() {
        return nowNs;
    }

    void onConnect(final long logonTimeoutNs) {
        look();
        isStalled = false;
        lastReceivedNs = nowNs;
        logonDeadlineNs = nowNs + logonTimeoutNs;
    }

    void onLogon(final int heartbeatIntervalMs) {
        heartbeatIntervalNs = TimeUnit.MILLISECONDS.toNanos(heartbeatIntervalMs);
    }

    void onSent() {
        lastSentNs = nowNs;
    }

    void onReceived() {
        lastReceivedNs = nowNs;
    }

    void isStalled(final boolean value) {
        isStalled = value;
    }

    boolean isLogonOverdue() {
        return nowNs - logonDeadlineNs >= 0;
    }

    /** How long nothing was heard from the peer. */
    long silenceNs() {
        if (isStalled) {
            lastReceivedNs = nowNs;
        }
        return nowNs - lastReceivedNs;
    }

    boolean isSilent() {
        return silenceNs() >= HEARTBEATS_MISSED_MAX * heartbeatIntervalNs;
    }

    boolean isHeartbeatDue() {
        return nowNs - lastSentNs >= heartbeatIntervalNs;
    }

    /** From now on until the answer to the logon is overdue. */
    long logonDelayNs() {
        return logonDeadlineNs - clock.nanoTime();
    }

    /** From now on until the next heartbeat is due, in either direction. */
    long heartbeatDelayNs() {
        final long fromNs = clock.nanoTime();
        return Math.min(
                lastSentNs + heartbeatIntervalNs - fromNs,
                lastReceivedNs + HEARTBEATS_MISSED_MAX * heartbeatIntervalNs - fromNs);
    }
}
