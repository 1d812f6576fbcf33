package io.penstock.broker.shard.log;

import org.agrona.concurrent.status.AtomicCounter;

/**
 * The agreement on which part of the window may be overwritten. The appender demands that everything before a position
 * be released, one segment ahead of its own need; each agent that reads the window answers with the position before
 * which it holds nothing, after it has sent the records that it still held, or ended their readers.
 *
 * <p>The demand is written by the appender alone, each answer by one reader.
 */
public final class Reclaim {
    private final Runnable wakeup;
    private final AtomicCounter demand;
    private final AtomicCounter[] released;

    /**
     * Makes the agreement.
     *
     * @param wakeup   of all readers; run by the appender after each demand, since those that have nothing to read may
     *                 be waiting for work.
     * @param demand   where the appender's demand is kept.
     * @param released where each reader's answer is kept.
     */
    public Reclaim(final Runnable wakeup, final AtomicCounter demand, final AtomicCounter... released) {
        this.wakeup = wakeup;
        this.demand = demand;
        this.released = released;
    }

    /**
     * Demands the release of everything before a position. Called by the appender.
     *
     * @param position a segment's start, not below the last one.
     */
    void demand(final long position) {
        demand.setRelease(position);
        wakeup.run();
    }

    /**
     * The present demand. Called by readers.
     *
     * @return the position before which nothing may be held.
     */
    public long demanded() {
        return demand.get();
    }

    /**
     * Whether a reader has still to answer the demand.
     *
     * @param reader index of the reader.
     * @return true when it has.
     */
    public boolean isDue(final int reader) {
        return demand.get() > released[reader].getPlain();
    }

    /**
     * Answers. Called by the reader itself, which may not read before the position any more.
     *
     * @param reader   index of the reader.
     * @param position before which it holds nothing.
     */
    public void release(final int reader, final long position) {
        released[reader].setRelease(position);
    }

    /**
     * Whether all readers have released everything before a position.
     *
     * @param position a segment's start.
     * @return true when the memory before it may be overwritten.
     */
    boolean isReleased(final long position) {
        for (final AtomicCounter answer : released) {
            if (answer.get() < position) {
                return false;
            }
        }
        return true;
    }
}
