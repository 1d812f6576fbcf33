package io.penstock.broker.security;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many topics, or names of publishers, each {@link Identity} has created since the broker started. Safe on any
 * thread; used only when one is created. Bounded by how many there may be in all shards.
 */
public final class IdentityCounts {
    private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
    private final AtomicInteger countMax;

    /**
     * None so far.
     *
     * @param countMax of one identity.
     */
    public IdentityCounts(final int countMax) {
        this.countMax = new AtomicInteger(countMax);
    }

    public int countMax() {
        return countMax.get();
    }

    /** Takes another bound. Who has more already keeps it. */
    public void countMax(final int value) {
        countMax.set(value);
    }

    /** Counts one that is about to be made. Returns false, and counts nothing, when there may be no more. */
    public boolean take(final String identity) {
        final boolean[] isTaken = new boolean[1];
        counts.compute(identity, (of, count) -> {
            final int present = count == null ? 0 : count;
            isTaken[0] = present < countMax.get();
            return isTaken[0] ? Integer.valueOf(present + 1) : count;
        });
        return isTaken[0];
    }

    /** One was not made after all. */
    public void giveBack(final String identity) {
        counts.computeIfPresent(identity, (of, count) -> count > 1 ? Integer.valueOf(count - 1) : null);
    }
}
