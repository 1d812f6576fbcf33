package io.penstock.broker.shard.recovery;

import io.penstock.broker.concurrent.LatencyHistogram;
import org.agrona.concurrent.EpochNanoClock;

/**
 * From applying the oldest record of each group of a shard until the group is on stable storage. Confined to the
 * journaler.
 */
public final class PersistTimes {
    private final LatencyHistogram times;
    private final EpochNanoClock clock;
    private long oldestNs;

    /**
     * Makes it.
     *
     * @param times that are counted.
     * @param clock of the times of records.
     */
    public PersistTimes(final LatencyHistogram times, final EpochNanoClock clock) {
        this.times = times;
        this.clock = clock;
    }

    /** A group begins with a record that was applied at a time, since 1970. */
    void onBegun(final long timestampNs) {
        oldestNs = timestampNs;
    }

    /** The group is on stable storage. */
    void onCommitted() {
        times.add(clock.nanoTime() - oldestNs);
    }
}
