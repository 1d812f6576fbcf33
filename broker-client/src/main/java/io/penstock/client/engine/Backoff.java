package io.penstock.client.engine;

import io.penstock.client.ClientConfig;
import java.util.SplittableRandom;

/**
 * Internal: delays before attempts, to reconnect for example: they double up to a limit, and half of each is random. Safe on
 * any thread.
 */
public final class Backoff {
    private final long minNs;
    private final long maxNs;
    private final SplittableRandom random;

    Backoff(final long minNs, final long maxNs, final long seed) {
        this.minNs = minNs;
        this.maxNs = maxNs;
        random = new SplittableRandom(seed);
    }

    /** Internal: one with the delays between attempts to reconnect. */
    public static Backoff of(final ClientConfig config) {
        return new Backoff(
                config.reconnectDelayMinNs(),
                config.reconnectDelayMaxNs(),
                config.seed() == 0 ? config.nanoClock().nanoTime() : config.seed());
    }

    /** Internal: the delay before an attempt, the first of which is 1. */
    public synchronized long delayNs(final int attempt) {
        long delayNs = minNs;
        for (int i = 1; i < attempt && delayNs < maxNs; i++) {
            delayNs *= 2;
        }
        final long halfNs = Math.min(delayNs, maxNs) / 2;
        return halfNs + random.nextLong(halfNs + 1);
    }
}
