package io.penstock.broker.query.collect;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory that all queries together may take for what they collect, or for what waits to be sent, so that clients that ask
 * much at once leave the rest of the process what it needs. Thread-safe.
 */
public final class QueryMemory {
    /** One part in so many is for queries. */
    private static final int SHARE = 2;

    /** One part in so many is for those that take little, so that they go on beside those that take much. */
    private static final int LITTLE_SHARE = 8;

    /** The heap, which all brokers of the process share. */
    public static final QueryMemory OF_HEAP =
            new QueryMemory(Runtime.getRuntime().maxMemory() / SHARE);

    /** Pages. They lie outside the heap, where the virtual machine allows as much as the heap may have. */
    public static final QueryMemory OF_PAGES =
            new QueryMemory(Runtime.getRuntime().maxMemory() / SHARE);

    private final long lengthMax;
    private final AtomicLong taken = new AtomicLong();

    /**
     * Makes it, with nothing taken.
     *
     * @param lengthMax bytes that may be taken.
     */
    public QueryMemory(final long lengthMax) {
        this.lengthMax = lengthMax;
    }

    /**
     * Takes some.
     *
     * @param length   in bytes.
     * @param isLittle whether the one that takes it has little, and may take of what is left for such.
     * @return false when there is not so much left; then nothing was taken.
     */
    public boolean take(final long length, final boolean isLittle) {
        final long bound = isLittle ? lengthMax : lengthMax - lengthMax / LITTLE_SHARE;
        // Never more than that, not even for a moment: others would be refused for what is refused itself.
        long before = taken.get();
        while (length <= bound - before) {
            if (taken.compareAndSet(before, before + length)) {
                return true;
            }
            before = taken.get();
        }
        return false;
    }

    /**
     * Takes some, whether there is so much left or not.
     *
     * @param length in bytes.
     */
    public void takeAnyway(final long length) {
        taken.addAndGet(length);
    }

    /**
     * Gives some back.
     *
     * @param length in bytes, of what was taken.
     */
    public void giveBack(final long length) {
        taken.addAndGet(-length);
    }

    /**
     * How much is taken.
     *
     * @return bytes.
     */
    public long taken() {
        return taken.get();
    }
}
