package io.penstock.broker.shard.store;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory the columns of one shard's stores take, and its bound. They are made by those who read, so any thread
 * may ask, take and give. It knows who has some, so that what nobody uses can give way.
 */
public final class ColumnMemory {
    private final long lengthMax;
    private final AtomicLong length = new AtomicLong();
    private final AtomicLong droppedCount = new AtomicLong();
    private final Set<StoreAttachment> holders = ConcurrentHashMap.newKeySet();

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

    /**
     * Columns that were dropped to make room for others, or since they were of no use.
     *
     * @return count.
     */
    public long droppedCount() {
        return droppedCount.getAcquire();
    }

    /** A column was dropped. */
    public void onDropped() {
        droppedCount.incrementAndGet();
    }

    /**
     * Who may have memory.
     *
     * @return those that were {@linkplain #addHolder added} and not removed; for any thread, also while that changes.
     */
    public Iterable<StoreAttachment> holders() {
        return holders;
    }

    /**
     * Somebody may have memory from now on.
     *
     * @param holder that is there already, or not.
     */
    public void addHolder(final StoreAttachment holder) {
        holders.add(holder);
    }

    /**
     * Somebody has given back everything for good.
     *
     * @param holder that has.
     */
    public void removeHolder(final StoreAttachment holder) {
        holders.remove(holder);
    }
}
