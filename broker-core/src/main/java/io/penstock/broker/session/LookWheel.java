package io.penstock.broker.session;

import java.util.Arrays;

/**
 * When sessions are to be looked at, by their slots. A session that is not due costs nothing, whatever the number of
 * sessions. Times are rounded up to {@link #TICK_NS}, and cut to what the wheel has room for, so that a session may be
 * looked at too early, and says then when it is due. Confined to one I/O agent; allocates nothing once it is made.
 */
final class LookWheel {
    /** About a millisecond. */
    static final long TICK_NS = 1 << 20;

    private static final int TICK_SHIFT = 20;

    /** About eight seconds. */
    private static final int SPOKE_COUNT = 8 * 1024;

    private static final int NONE = -1;

    private final int[] heads = new int[SPOKE_COUNT];
    private final int[] next;
    private final int[] previous;
    private final int[] spokes;
    private final long startNs;
    private long tick;

    /**
     * Makes it without sessions.
     *
     * @param slotCount bound of slots.
     * @param startNs   before which nothing is due.
     */
    LookWheel(final int slotCount, final long startNs) {
        this.startNs = startNs;
        next = new int[slotCount];
        previous = new int[slotCount];
        spokes = new int[slotCount];
        Arrays.fill(heads, NONE);
        Arrays.fill(spokes, NONE);
    }

    /** A slot is to be looked at then, and at no other time. */
    void schedule(final int slot, final long timeNs) {
        cancel(slot);
        final long wanted = (timeNs - startNs + TICK_NS - 1) >> TICK_SHIFT;
        final int spoke = spokeOf(Math.max(tick + 1, Math.min(tick + SPOKE_COUNT - 1, wanted)));
        final int head = heads[spoke];
        spokes[slot] = spoke;
        previous[slot] = NONE;
        next[slot] = head;
        if (head != NONE) {
            previous[head] = slot;
        }
        heads[spoke] = slot;
    }

    /** A slot is not to be looked at any more. */
    void cancel(final int slot) {
        final int spoke = spokes[slot];
        if (spoke == NONE) {
            return;
        }
        spokes[slot] = NONE;
        if (previous[slot] == NONE) {
            heads[spoke] = next[slot];
        } else {
            next[previous[slot]] = next[slot];
        }
        if (next[slot] != NONE) {
            previous[next[slot]] = previous[slot];
        }
    }

    /**
     * Has slots looked at that are due; none of them is scheduled any more when it is.
     *
     * @param nowNs  the time.
     * @param looker that may schedule slots.
     * @param budget how much the looks may cost together, but for the last one. What is left has its turn the next time.
     * @return the cost.
     */
    int poll(final long nowNs, final Looker looker, final int budget) {
        final long nowTick = (nowNs - startNs) >> TICK_SHIFT;
        // After a long pause all are due, and each spoke is to be seen once.
        tick = Math.max(tick, nowTick - SPOKE_COUNT + 1);
        int cost = 0;
        while (cost < budget) {
            final int slot = heads[spokeOf(tick)];
            if (slot != NONE) {
                cancel(slot);
                cost += looker.look(slot);
            } else if (tick < nowTick) {
                tick++;
            } else {
                break;
            }
        }
        return cost;
    }

    private static int spokeOf(final long atTick) {
        return (int) atTick & (SPOKE_COUNT - 1);
    }

    /** Looks at sessions. */
    @FunctionalInterface
    interface Looker {
        /** Looks at the session in a slot, and returns what that has cost, at least 1. */
        int look(int slot);
    }
}
