package io.penstock.broker.shard.recovery;

import io.penstock.broker.shard.log.LogReader;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.Reclaim;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** The records of a shard's window that its journal takes, in order. Confined to the journaler. */
public final class JournalSource {
    private final LogWindow window;
    private final LogReader reader;
    private final Reclaim reclaim;
    private final int readerIndex;
    private long segmentNumber = -1;
    private @Nullable ByteBuffer segmentBytes;

    /**
     * Begins where the reader is.
     *
     * @param window      of the shard.
     * @param reader      of the window, for this alone.
     * @param reclaim     of the window.
     * @param readerIndex of the journaler among the readers of the window.
     */
    public JournalSource(final LogWindow window, final LogReader reader, final Reclaim reclaim, final int readerIndex) {
        this.window = window;
        this.reader = reader;
        this.reclaim = reclaim;
        this.readerIndex = readerIndex;
    }

    /** Goes to the next record before a position. Returns false when there is none yet. */
    boolean next(final long limit) {
        return reader.next(limit);
    }

    /** Goes back to before the present record, so that it comes again. */
    void back() {
        reader.back();
    }

    /** Where the next record is. */
    long position() {
        return reader.position();
    }

    DirectBuffer buffer() {
        return reader.buffer();
    }

    int offset() {
        return reader.offset();
    }

    /** Length of the present record, in bytes. */
    int length() {
        return reader.length();
    }

    /** The segment that the present record is in, the offset is of it, too. */
    ByteBuffer bytes() {
        final long number = window.segmentNumber(reader.recordPosition());
        if (number != segmentNumber) {
            segmentNumber = number;
            final ByteBuffer segment = window.buffer(reader.recordPosition()).byteBuffer();
            segmentBytes = segment == null ? null : segment.duplicate();
        }
        final ByteBuffer bytes = segmentBytes;
        if (bytes == null) {
            throw new IllegalStateException("journal: window outside of direct buffers");
        }
        return bytes;
    }

    /** Lets go of what was taken, when the window wants memory back. */
    void release() {
        if (reclaim.isDue(readerIndex)) {
            reclaim.release(readerIndex, reader.position());
        }
    }
}
