package io.penstock.admin.api;

import io.penstock.admin.http.ProblemException;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.Identity;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Places that callers take and give back. A user, or all anonymous callers of one machine, may have a quarter of them, and
 * a quarter is kept for those who may look at the broker, who are bounded by the number of all places alone. Safe on any
 * thread.
 */
final class Shares {
    private static final int PARTS = 4;

    private final String code;
    private final String full;
    private final String key;
    private final int countMax;
    private final int othersCountMax;
    private final int shareMax;
    private final Callers callers;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger othersCount = new AtomicInteger();
    private final ConcurrentHashMap<String, Integer> taken = new ConcurrentHashMap<>();

    /**
     * All places free.
     *
     * @param code     of the error when there is none.
     * @param full     what the server does with so many, with a {@code %d} for how many.
     * @param key      of the configuration that says how many there are.
     * @param countMax places.
     * @param callers  tells who may look at the broker.
     */
    Shares(final String code, final String full, final String key, final int countMax, final Callers callers) {
        this.code = code;
        this.full = full;
        this.key = key;
        this.countMax = countMax;
        this.callers = callers;
        shareMax = Math.max(1, countMax / PARTS);
        othersCountMax = Math.max(1, countMax - countMax / PARTS);
    }

    int count() {
        return count.get();
    }

    /**
     * Takes a place. Throws a problem when there is none for the caller.
     *
     * @param caller who wants it.
     * @return to give it back, once.
     */
    Runnable take(final Caller caller) {
        final boolean isReader = callers.allows(caller, Action.ADMIN_READ, "");
        if (!increment(count, countMax)) {
            throw full(countMax);
        }
        if (!isReader && !increment(othersCount, othersCountMax)) {
            count.decrementAndGet();
            throw full(othersCountMax);
        }
        final String identity = Identity.of(caller.principal(), caller.peer(), caller.isLocal());
        final boolean[] isTaken = new boolean[1];
        taken.compute(identity, (of, before) -> {
            final int present = before == null ? 0 : before;
            isTaken[0] = isReader || present < shareMax;
            return isTaken[0] ? Integer.valueOf(present + 1) : before;
        });
        if (!isTaken[0]) {
            count.decrementAndGet();
            othersCount.decrementAndGet();
            throw new ProblemException(
                    503,
                    code,
                    "server: " + String.format(full, shareMax) + " for " + identity + " already (end one, or raise "
                            + key + ", of which each user has a quarter)");
        }
        return () -> giveBack(identity, isReader);
    }

    private static boolean increment(final AtomicInteger of, final int max) {
        return of.getAndUpdate(present -> present < max ? present + 1 : present) < max;
    }

    private ProblemException full(final int max) {
        return new ProblemException(
                503, code, "server: " + String.format(full, max) + " already (try again later, or raise " + key + ")");
    }

    private void giveBack(final String identity, final boolean isReader) {
        count.decrementAndGet();
        if (!isReader) {
            othersCount.decrementAndGet();
        }
        taken.computeIfPresent(identity, (of, before) -> before > 1 ? Integer.valueOf(before - 1) : null);
    }
}
