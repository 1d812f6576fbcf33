package io.penstock.simulator;

import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;

/** The time of a run, which passes only when the run says so. */
final class SimClock implements NanoClock, EpochNanoClock {
    private long nowNs = 1_700_000_000_000_000_000L;

    @Override
    public long nanoTime() {
        return nowNs;
    }

    void advance(final long ns) {
        nowNs += ns;
    }
}
