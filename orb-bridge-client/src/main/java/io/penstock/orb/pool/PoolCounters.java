package io.penstock.orb.pool;

import io.penstock.orb.chunk.ChunkCounters;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a pool, for all bridges to which it has connections. Safe on any thread. */
public final class PoolCounters {
    private final ChunkCounters chunks = new ChunkCounters();
    private final LongAdder calls = new LongAdder();
    private final LongAdder pings = new LongAdder();
    private final LongAdder timeouts = new LongAdder();
    private final LongAdder connections = new LongAdder();
    private final LongAdder plain = new LongAdder();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger openMax = new AtomicInteger();

    PoolCounters() {}

    void onCall() {
        calls.increment();
    }

    void onPing() {
        pings.increment();
    }

    void onTimeout() {
        timeouts.increment();
    }

    void onPlain() {
        plain.increment();
    }

    void onConnected() {
        connections.increment();
        final int count = open.incrementAndGet();
        openMax.accumulateAndGet(count, Math::max);
    }

    void onClosed() {
        open.decrementAndGet();
    }

    /** Frames, and how much waited or was copied for them. */
    public ChunkCounters chunks() {
        return chunks;
    }

    /** Calls, and whatever else was asked of a bridge. */
    public long calls() {
        return calls.sum();
    }

    /** Questions of the runtime, whether a connection is there still, that were answered here. */
    public long pings() {
        return pings.sum();
    }

    /** Calls that were given up at their deadline. */
    public long timeouts() {
        return timeouts.sum();
    }

    /** Connections that were made. */
    public long connections() {
        return connections.sum();
    }

    /** Connections that are there. */
    public int openConnections() {
        return open.get();
    }

    /** Most connections at once. */
    public int openConnectionsMax() {
        return openMax.get();
    }

    /** Connections of their own, to hosts that take no shared ones. */
    public long plainConnections() {
        return plain.sum();
    }
}
