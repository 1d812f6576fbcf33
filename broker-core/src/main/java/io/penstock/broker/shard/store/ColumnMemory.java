package io.penstock.broker.shard.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory the columns of one shard's stores take, and its bound. They are made by those who read, so any thread
 * may ask, take and give.
 */
public final class ColumnMemory {
    private final long lengthMax;
    private final AtomicLong length = new AtomicLong();

    /**
     * Nothing is taken so far.
     *
     * @param lengthMax in bytes; 0 for no columns.
     */
    ColumnMemory(final long lengthMax) {
        this.lengthMax = lengthMax;
    }

    /**
     * The bound.
     *
     * @return bytes.
     */
    public long lengthMax() {
        return lengthMax;
    }

    /**
     * What is taken.
     *
     * @return bytes.
     */
    public long length() {
        return length.getAcquire();
    }

    /**
     * Takes some.
     *
     * @param count of bytes.
     * @return false when that would exceed the bound; nothing is taken then.
     */
    public boolean take(final long count) {
        if (length.addAndGet(count) <= lengthMax) {
            return true;
        }
        length.addAndGet(-count);
        return false;
    }

    /**
     * Gives some back.
     *
     * @param count of bytes that were taken.
     */
    public void give(final long count) {
        length.addAndGet(-count);
    }
}
