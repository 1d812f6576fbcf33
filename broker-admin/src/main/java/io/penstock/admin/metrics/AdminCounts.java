package io.penstock.admin.metrics;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What the admin server has done since its start. Safe on any thread. */
public final class AdminCounts {
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong tlsFailed = new AtomicLong();
    private final ConcurrentHashMap<Integer, AtomicLong> refused = new ConcurrentHashMap<>();

    /** A request was read. */
    public void onRequest() {
        requests.incrementAndGet();
    }

    /** A request was refused. */
    public void onRefused(final int status) {
        refused.computeIfAbsent(status, none -> new AtomicLong()).incrementAndGet();
    }

    /** A connection was ended for what it did with TLS. */
    public void onTlsFailed() {
        tlsFailed.incrementAndGet();
    }

    /** Connections that were ended for what they did with TLS. */
    public long tlsFailed() {
        return tlsFailed.get();
    }

    /** Requests that were read. */
    public long requests() {
        return requests.get();
    }

    /** Requests that were refused, by their status. */
    public Map<Integer, Long> refused() {
        final Map<Integer, Long> counts = new TreeMap<>();
        refused.forEach((status, count) -> counts.put(status, count.get()));
        return counts;
    }
}
