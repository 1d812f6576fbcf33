package io.penstock.broker.session.send;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.concurrent.LatencyHistogram;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;

/** How long clients of one I/O agent wait. Written by that agent. */
public final class SessionLatencies {
    /** The time of day is asked for so often at most: asking may allocate. */
    private static final long EPOCH_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final NanoClock clock;
    private final EpochNanoClock epochClock;
    private final LatencyHistogram delivery;
    private final LatencyHistogram query;
    private long askedNs;
    private long epochNs;
    private long sampledNs = Long.MIN_VALUE;

    /**
     * Makes them.
     *
     * @param counters   to make them in.
     * @param owner      name of the I/O agent.
     * @param clock      of the broker.
     * @param epochClock of the times of records.
     */
    public SessionLatencies(
            final BrokerCounters counters, final String owner, final NanoClock clock, final EpochNanoClock epochClock) {
        this.clock = clock;
        this.epochClock = epochClock;
        delivery = counters.newHistogram(owner, "delivery");
        query = counters.newHistogram(owner, "query");
        askedNs = clock.nanoTime();
        epochNs = epochClock.nanoTime();
    }

    /** Whether the first delivery of this duty cycle is still to be measured. */
    public boolean isSampling(final long cycleNs) {
        return sampledNs != cycleNs;
    }

    /**
     * A connection has taken a live record, the first in a duty cycle.
     *
     * @param cycleNs     when the duty cycle began.
     * @param timestampNs when the record was applied, since 1970.
     */
    public void onDelivered(final long cycleNs, final long timestampNs) {
        sampledNs = cycleNs;
        final long nowNs = clock.nanoTime();
        if (nowNs - askedNs >= EPOCH_INTERVAL_NS) {
            askedNs = nowNs;
            epochNs = epochClock.nanoTime();
        }
        delivery.add(epochNs + (nowNs - askedNs) - timestampNs);
    }

    /**
     * A query has ended.
     *
     * @param startNs when it began, by the broker's clock.
     */
    public void onQueried(final long startNs) {
        query.add(clock.nanoTime() - startNs);
    }
}
