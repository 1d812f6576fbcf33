package io.penstock.broker.concurrent;

/**
 * How much of a backlog an agent reads in one turn. It reads in steps with a look at the clock between them, and in
 * shorter ones when each message takes long, so that other work is handled well within a millisecond. Confined to the
 * agent.
 */
public final class ReadTurn {
    private static final int STEP_MAX = 128;
    private static final int STEP_MIN = 16;
    private static final long STEP_NS_MAX = 100_000;
    private static final long TURN_NS_MAX = 250_000;

    private final int countMax;
    private int step = STEP_MAX;
    private int count;
    private long startNs;
    private long stepNs;

    /**
     * @param countMax of messages in a turn.
     */
    public ReadTurn(final int countMax) {
        this.countMax = countMax;
    }

    public void begin(final long nowNs) {
        startNs = nowNs;
        stepNs = nowNs;
        count = 0;
    }

    /** Most messages of the next step. */
    public int step() {
        return step;
    }

    /** A step has read so many. Returns whether there may be more; else the turn has ended. */
    public boolean onStep(final int read) {
        count += read;
        return read >= step;
    }

    /** Whether there is time for another step. To be asked after each one that may have left something. */
    public boolean hasTime(final long nowNs) {
        if (nowNs - stepNs > STEP_NS_MAX) {
            step = Math.max(STEP_MIN, step / 2);
        } else {
            step = Math.min(STEP_MAX, step * 2);
        }
        stepNs = nowNs;
        return count < countMax && nowNs - startNs < TURN_NS_MAX;
    }

    /** Messages of this turn so far. */
    public int count() {
        return count;
    }
}
