package io.penstock.broker.query.column;

import io.penstock.broker.shard.store.ColumnMemory;
import io.penstock.format.FieldPath;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;

/**
 * A column of a store: a field, and the texts that it has had. What the rows have is in the parts of their blocks. Query
 * agents use it, several at a time, and it is dropped only while none does: then nobody makes a part of it any more.
 */
public final class Column {
    private static final int DROPPED = -1;

    final int index;
    private final FieldPath path;
    private final ColumnMemory memory;
    private final TextDictionary texts;

    /** How many agents use it; {@link #DROPPED} for good when it was dropped. */
    private final AtomicInteger useCount = new AtomicInteger(1);

    /** Whether it is to be dropped as soon as nobody uses it. */
    private final AtomicBoolean isCondemned = new AtomicBoolean();

    private final AtomicLong usedNs;
    private final AtomicLong scanCount = new AtomicLong();
    private final AtomicLong rowCount = new AtomicLong();
    private final AtomicLong partsLength = new AtomicLong();

    /** Texts that rows had, about: agents that count at the same time may lose some. */
    private final AtomicLong textCount = new AtomicLong();

    /** Of those, such that there was no room for; the same. */
    private final AtomicLong refusedCount = new AtomicLong();

    /** A column that its maker uses. */
    Column(final int index, final FieldPath path, final ColumnMemory memory, final long nowNs) {
        this.index = index;
        this.path = path;
        this.memory = memory;
        texts = new TextDictionary(memory);
        usedNs = new AtomicLong(nowNs);
    }

    /**
     * The field.
     *
     * @return path of it; no header.
     */
    public FieldPath path() {
        return path;
    }

    /**
     * The texts of all blocks.
     *
     * @return for any thread.
     */
    public TextDictionary texts() {
        return texts;
    }

    /**
     * The memory that it takes, with its texts.
     *
     * @return bytes; what is for all columns of a block is not in it.
     */
    public long length() {
        return partsLength.getAcquire() + texts.lengthTaken();
    }

    /** Begins to use it, for anything but a scan; false when it was dropped, or is to be. */
    boolean hold() {
        int count = isCondemned.getAcquire() ? DROPPED : useCount.get();
        while (count >= 0) {
            final int before = useCount.compareAndExchange(count, count + 1);
            if (before == count) {
                return true;
            }
            count = before;
        }
        return false;
    }

    /** Whoever uses it now is a scan. */
    void onScan(final long nowNs) {
        usedNs.setRelease(nowNs);
        scanCount.incrementAndGet();
    }

    /** A scan uses it no more; true for the last one. */
    boolean release(final long nowNs) {
        usedNs.setRelease(nowNs);
        return letGo();
    }

    /** Uses it no more; true for the last one. */
    boolean letGo() {
        return useCount.decrementAndGet() == 0;
    }

    /** It is to be dropped: who uses it goes on, and nobody begins to. False when that was so before. */
    boolean condemn() {
        return isCondemned.compareAndSet(false, true);
    }

    boolean isCondemned() {
        return isCondemned.getAcquire();
    }

    /**
     * Drops it, unless it is used or was dropped: its texts are given back to the memory of columns, and its parts can be freed.
     *
     * @return whether this call has dropped it.
     */
    boolean drop() {
        if (!useCount.compareAndSet(0, DROPPED)) {
            return false;
        }
        memory.give(texts.lengthTaken());
        return true;
    }

    /** Nobody uses the store any more: gives the texts back, unless it was dropped before. */
    void close() {
        if (useCount.getAndSet(DROPPED) >= 0) {
            memory.give(texts.lengthTaken());
        }
    }

    boolean isDropped() {
        return useCount.get() < 0;
    }

    boolean isUsed() {
        return useCount.get() > 0;
    }

    /** When a scan used it last, or when it was made. */
    long usedNs() {
        return usedNs.getAcquire();
    }

    /** How many scans have used it so far. */
    long scanCount() {
        return scanCount.get();
    }

    /** How many rows the blocks had that it was read for, when each was read last. */
    long rowCount() {
        return rowCount.get();
    }

    /** It was read for more rows of a block, or for less. */
    void addRows(final int count) {
        rowCount.addAndGet(count);
    }

    /** Whether most texts have found no room in the dictionary, and none will: rows with them are read all the same. */
    boolean isOfNoUse() {
        return texts.isFull() && refusedCount.getPlain() > textCount.getPlain() / 2;
    }

    /** Takes memory for a part; false when there is none. */
    boolean take(final long length) {
        if (!memory.take(length)) {
            return false;
        }
        partsLength.addAndGet(length);
        return true;
    }

    /** Gives back memory of a part. */
    void give(final long length) {
        partsLength.addAndGet(-length);
        memory.give(length);
    }

    /** The number of a row's text in the dictionary, or {@link TextDictionary#NONE}. */
    int code(final DirectBuffer buffer, final int offset, final int length) {
        final int code = texts.code(buffer, offset, length);
        textCount.setPlain(textCount.getPlain() + 1);
        if (code == TextDictionary.NONE) {
            refusedCount.setPlain(refusedCount.getPlain() + 1);
        }
        return code;
    }
}
