package io.penstock.client.engine;

import java.util.SplittableRandom;

/** Delays before attempts to reconnect: they double up to a limit, and half of each is random. Owned by the agent. */
final class Backoff {
    private final long minNs;
    private final long maxNs;
    private final SplittableRandom random;

    Backoff(final long minNs, final long maxNs, final long seed) {
        this.minNs = minNs;
        this.maxNs = maxNs;
        random = new SplittableRandom(seed);
    }

    /** The delay before an attempt, the first of which is 1. */
    long delayNs(final int attempt) {
        long delayNs = minNs;
        for (int i = 1; i < attempt && delayNs < maxNs; i++) {
            delayNs *= 2;
        }
        final long halfNs = Math.min(delayNs, maxNs) / 2;
        return halfNs + random.nextLong(halfNs + 1);
    }
}
