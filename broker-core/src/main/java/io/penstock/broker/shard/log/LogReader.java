package io.penstock.broker.shard.log;

import static io.penstock.protocol.RecordDescriptor.TYPE_PADDING;

import io.penstock.protocol.RecordDescriptor;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Walks the records of a shard's log from a position up to the published one. Owned by the agent that made it, which
 * must not release the reader's position while it reads.
 */
public final class LogReader {
    private final LogWindow window;
    private final AtomicCounter published;
    private long position;
    private long recordPosition;
    private DirectBuffer buffer;
    private int offset;
    private int length;

    /**
     * Makes a reader.
     *
     * @param window    to read.
     * @param published where the appender's published position is kept.
     * @param position  of a record's start, or the published position.
     */
    public LogReader(final LogWindow window, final AtomicCounter published, final long position) {
        this.window = window;
        this.published = published;
        this.position = position;
        buffer = window.buffer(position);
    }

    /**
     * Moves to the next record.
     *
     * @param limit position to stop before; the published position bounds it further.
     * @return false when there is none before the limit.
     */
    public boolean next(final long limit) {
        final long end = Math.min(limit, published.get());
        while (position < end) {
            buffer = window.buffer(position);
            offset = window.offset(position);
            length = RecordDescriptor.length(buffer, offset);
            assert length > 0 : "no record at " + position;
            recordPosition = position;
            position += RecordDescriptor.alignedLength(length);
            if (RecordDescriptor.type(buffer, offset) != TYPE_PADDING) {
                return true;
            }
        }
        return false;
    }

    /**
     * Goes to a place.
     *
     * @param value position of a record's start, or the published position.
     */
    public void seek(final long value) {
        position = value;
    }

    /** Goes back to before the current record, so that it is read again. */
    public void back() {
        position = recordPosition;
    }

    /**
     * Where the next record starts: everything before was read.
     *
     * @return position.
     */
    public long position() {
        return position;
    }

    /**
     * Where the current record starts.
     *
     * @return position.
     */
    public long recordPosition() {
        return recordPosition;
    }

    public DirectBuffer buffer() {
        return buffer;
    }

    public int offset() {
        return offset;
    }

    /**
     * The current record's header and payload.
     *
     * @return length in bytes, without padding.
     */
    public int length() {
        return length;
    }
}
