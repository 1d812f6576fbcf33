package io.penstock.broker.security.audit;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjLongConsumer;

/**
 * Keeps a client from filling the files, and others' entries out of them: so many entries of each identity in a minute,
 * from its first one on. Any thread. Bounded: what has no place of its own shares one.
 */
final class AuditLimiter {
    static final long INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

    private static final int IDENTITY_COUNT_MAX = 4096;
    private static final String OTHERS = "others";

    private final ConcurrentHashMap<String, Share> shares = new ConcurrentHashMap<>();
    private final int countMax;

    AuditLimiter(final int countMax) {
        this.countMax = countMax;
    }

    /** Counts an entry; false when it is one too many. */
    boolean take(final AuditClient client, final long nowNs) {
        final Share share = share(client, nowNs);
        if (share.taken.get() < countMax && share.taken.incrementAndGet() <= countMax) {
            return true;
        }
        share.omitted.incrementAndGet();
        return false;
    }

    private Share share(final AuditClient client, final long nowNs) {
        final Share known = shares.get(client.identity());
        if (known != null) {
            return known;
        }
        return shares.computeIfAbsent(
                shares.size() < IDENTITY_COUNT_MAX ? client.identity() : OTHERS, name -> new Share(nowNs));
    }

    /** Ends the minutes that are over, and says how many entries of whom were left out. Called by the writer. */
    int sweep(final long nowNs, final ObjLongConsumer<String> omitted) {
        int count = 0;
        for (final String identity : shares.keySet()) {
            final Share share = shares.get(identity);
            if (share != null && nowNs - share.sinceNs >= INTERVAL_NS) {
                shares.remove(identity);
                count += report(identity, share, omitted);
            }
        }
        return count;
    }

    /** The same for all, when no more entries come. */
    void finish(final ObjLongConsumer<String> omitted) {
        shares.forEach((identity, share) -> report(identity, share, omitted));
        shares.clear();
    }

    private static int report(final String identity, final Share share, final ObjLongConsumer<String> omitted) {
        final int left = share.omitted.getAndSet(0);
        if (left > 0) {
            omitted.accept(identity, left);
        }
        return left > 0 ? 1 : 0;
    }

    private static final class Share {
        private final long sinceNs;
        private final AtomicInteger taken = new AtomicInteger();
        private final AtomicInteger omitted = new AtomicInteger();

        private Share(final long sinceNs) {
            this.sinceNs = sinceNs;
        }
    }
}
