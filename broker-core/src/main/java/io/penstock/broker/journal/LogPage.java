package io.penstock.broker.journal;

import io.penstock.broker.storage.AlignedBuffer;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Memory that holds a piece of a journal file while records in it are sent. Owned by the agent that reads files, but for
 * its bytes, which others read as long as it is theirs to read.
 */
public final class LogPage {
    /** Length of a page, in bytes, unless a record is longer. */
    public static final int LENGTH = 256 * 1024;

    private final int id;
    private AlignedBuffer memory = new AlignedBuffer(LENGTH);
    private long takenNs;
    private @Nullable PageHolder holder;

    LogPage(final int id) {
        this.id = id;
    }

    /**
     * The page's number.
     *
     * @return from 0.
     */
    public int id() {
        return id;
    }

    public UnsafeBuffer buffer() {
        return memory.buffer();
    }

    /**
     * Who was given the page.
     *
     * @return null when nobody was.
     */
    public @Nullable PageHolder holder() {
        return holder;
    }

    void holder(final @Nullable PageHolder value, final long nowNs) {
        holder = value;
        takenNs = nowNs;
    }

    /**
     * When the page was given to its holder.
     *
     * @return nanoseconds of the clock.
     */
    public long takenNs() {
        return takenNs;
    }

    ByteBuffer bytes() {
        return memory.bytes();
    }

    /** Makes room for a record; the former content of the page is lost. */
    void ensureLength(final int length) {
        if (length > memory.capacity()) {
            memory.free();
            memory = new AlignedBuffer(length);
        }
    }

    /** Gives back what a long record needed. */
    void shrink() {
        if (memory.capacity() > LENGTH) {
            memory.free();
            memory = new AlignedBuffer(LENGTH);
        }
    }

    void free() {
        memory.free();
    }
}
