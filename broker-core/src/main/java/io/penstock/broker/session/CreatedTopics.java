package io.penstock.broker.session;

import java.util.concurrent.ConcurrentHashMap;

/**
 * How many topics each identity has created since the broker started: a user, or, where none was proved, a machine. Safe
 * on any thread; used when topics are created only. Bounded by the topics of all shards.
 */
public final class CreatedTopics {
    private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
    private final int countMax;

    /**
     * None so far.
     *
     * @param countMax of one identity.
     */
    public CreatedTopics(final int countMax) {
        this.countMax = countMax;
    }

    int countMax() {
        return countMax;
    }

    /** Counts one that is about to be created. Returns false, and counts nothing, when there may be no more. */
    boolean take(final String identity) {
        final boolean[] isTaken = new boolean[1];
        counts.compute(identity, (of, count) -> {
            final int present = count == null ? 0 : count;
            isTaken[0] = present < countMax;
            return isTaken[0] ? Integer.valueOf(present + 1) : count;
        });
        return isTaken[0];
    }

    /** One was not created after all. */
    void giveBack(final String identity) {
        counts.computeIfPresent(identity, (of, count) -> count > 1 ? Integer.valueOf(count - 1) : null);
    }
}
