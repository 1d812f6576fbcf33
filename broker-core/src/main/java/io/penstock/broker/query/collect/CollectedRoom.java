package io.penstock.broker.query.collect;

/** The memory that one worker of a query has taken for what it collects. Owned by its worker; after the scan by the last worker. */
public final class CollectedRoom {
    /** Taken at a time, so that most records ask nobody. */
    private static final long STEP_LENGTH = 256 * 1024;

    /** Up to this a query takes little. */
    private static final long LITTLE_LENGTH = 1024 * 1024;

    private final QueryMemory memory;
    private long length;
    private boolean isRefused;

    /**
     * Makes it, with nothing taken.
     *
     * @param memory to take of.
     */
    public CollectedRoom(final QueryMemory memory) {
        this.memory = memory;
    }

    /**
     * Takes what is missing.
     *
     * @param needed bytes in all, about.
     * @return false when there is not so much.
     */
    public boolean ensure(final long needed) {
        if (needed <= length) {
            return true;
        }
        final long more = (needed - length + STEP_LENGTH - 1) / STEP_LENGTH * STEP_LENGTH;
        if (!memory.take(more, length + more <= LITTLE_LENGTH)) {
            isRefused = true;
            return false;
        }
        length += more;
        return true;
    }

    /**
     * Whether some was asked for that was not there.
     *
     * @return true for good.
     */
    public boolean isRefused() {
        return isRefused;
    }

    /** Gives all back. */
    public void release() {
        memory.giveBack(length);
        length = 0;
    }
}
