package io.penstock.broker.session.client;

import io.penstock.broker.session.send.SessionLatencies;
import java.util.function.IntConsumer;
import org.agrona.concurrent.NanoClock;

/** The time as one I/O agent sees it, the same for all of a duty cycle. Confined to that agent. */
public final class AgentTime {
    /** Share of a sender's time that counts against it when the agent has not read for longer. */
    private static final int PAUSE_SHARE = 4;

    /** What counts of a pause against those who are silent. Longer than an agent waits for work. */
    private static final long PAUSE_NS_MAX = 1_000_000_000;

    private final NanoClock clock;
    private final long frameProgressNs;
    private final SessionLatencies latencies;
    private long nowNs;
    private long readableNs;
    private long awakeNs;
    private long shortestTimeoutNs;
    private IntConsumer listener = slot -> {};

    AgentTime(final NanoClock clock, final SessionTimeouts timeouts, final SessionLatencies latencies) {
        this.clock = clock;
        this.latencies = latencies;
        frameProgressNs = timeouts.frameProgressNs();
        shortestTimeoutNs = Math.min(timeouts.logonTimeoutNs(), timeouts.heartbeatIntervalNs());
    }

    /** A duty cycle begins. */
    void onTime(final long timeNs) {
        readableNs += Math.min(timeNs - nowNs, frameProgressNs / PAUSE_SHARE);
        awakeNs += Math.min(timeNs - nowNs, PAUSE_NS_MAX);
        nowNs = timeNs;
    }

    /** Says who is told of {@linkplain #onTimeout timers} of sessions, by the slot of each. Called once, at the start. */
    public void listener(final IntConsumer value) {
        listener = value;
    }

    /**
     * A session has another timer from now on.
     *
     * @param slot      of the session.
     * @param timeoutNs the time for which it waits for something.
     */
    public void onTimeout(final int slot, final long timeoutNs) {
        shortestTimeoutNs = Math.min(shortestTimeoutNs, timeoutNs);
        listener.accept(slot);
    }

    /** When the duty cycle began. */
    public long nowNs() {
        return nowNs;
    }

    /**
     * The time in which the agent could read what its clients send. Of a pause, in which that waits for the agent, only a
     * part counts.
     */
    public long readableNs() {
        return readableNs;
    }

    /** The time in which the agent ran. Of a pause, as of a machine that was suspended, a second counts. */
    public long awakeNs() {
        return awakeNs;
    }

    /** The shortest of all the times that sessions wait for something; it only ever falls. */
    public long shortestTimeoutNs() {
        return shortestTimeoutNs;
    }

    /** How long clients wait. */
    public SessionLatencies latencies() {
        return latencies;
    }

    /** For other agents, which have cycles of their own. */
    public NanoClock clock() {
        return clock;
    }
}
