package io.penstock.bridge.service;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts connections that were ended for what they did with TLS, and logs why, in a line a second at most: whoever connects
 * could fill the log otherwise. Safe on any thread.
 */
public final class TlsFailures {
    private static final System.Logger LOG = System.getLogger(TlsFailures.class.getName());
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final BridgeCounters counters;
    private final AtomicLong loggedNs = new AtomicLong(System.nanoTime() - INTERVAL_NS);
    private final AtomicLong unloggedCount = new AtomicLong();

    /**
     * None yet.
     *
     * @param counters count them.
     */
    public TlsFailures(final BridgeCounters counters) {
        this.counters = counters;
    }

    /**
     * One has failed.
     *
     * @param peer   where it came from, for example {@code rmi://127.0.0.1:40112}.
     * @param reason why, and what helps.
     */
    public void onFailed(final String peer, final String reason) {
        counters.add(BridgeCounter.TLS_FAILED, 1);
        final long nowNs = System.nanoTime();
        final long beforeNs = loggedNs.get();
        if (nowNs - beforeNs >= INTERVAL_NS && loggedNs.compareAndSet(beforeNs, nowNs)) {
            final long others = unloggedCount.getAndSet(0);
            LOG.log(
                    System.Logger.Level.WARNING,
                    "bridge: a connection was refused: " + peer + ": " + reason
                            + (others == 0 ? "" : ", and " + others + " others since the last one that was logged"));
        } else {
            unloggedCount.incrementAndGet();
        }
    }
}
