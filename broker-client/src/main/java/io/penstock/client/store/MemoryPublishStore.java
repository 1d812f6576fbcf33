package io.penstock.client.store;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

import io.penstock.client.PenstockException;
import io.penstock.client.PublishStore;
import io.penstock.protocol.ErrorCode;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A ring of messages: one thread at a time appends, the client's own thread reads and discards.
 *
 * <pre>
 *  | length, aligned (4) | type (4) | sequence (8) | frame length (4) | unused (4) | frame ... |
 * </pre>
 */
final class MemoryPublishStore implements PublishStore {
    private static final int LENGTH_OFFSET = 0;
    private static final int TYPE_OFFSET = LENGTH_OFFSET + SIZE_OF_INT;
    private static final int SEQUENCE_OFFSET = TYPE_OFFSET + SIZE_OF_INT;
    private static final int FRAME_LENGTH_OFFSET = SEQUENCE_OFFSET + SIZE_OF_LONG;
    private static final int HEADER_LENGTH = FRAME_LENGTH_OFFSET + 2 * SIZE_OF_INT;
    private static final int ALIGNMENT = 8;
    private static final int LENGTH_MIN = 1024;

    private static final int TYPE_PADDING = 0;
    private static final int TYPE_MESSAGE = 1;
    private static final int TYPE_REMOVED = 2;

    private final ByteBuffer memory;
    private final UnsafeBuffer buffer;
    private final int limit;
    private final int capacity;
    private final AtomicLong head = new AtomicLong();
    private final AtomicLong tail = new AtomicLong();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong lastSequence = new AtomicLong();
    private boolean isClosed;

    // Place of the reading thread, after what was read last.
    private long readPosition;
    private long readSequence;

    MemoryPublishStore(final int limit, final int length) {
        if (limit < 1 || length < LENGTH_MIN || length > 1 << 30) {
            throw new IllegalArgumentException("publish store: out of range: " + limit + " messages, " + length
                    + " bytes (use 1 or more, and " + LENGTH_MIN + " to " + (1 << 30) + ")");
        }
        this.limit = limit;
        capacity = BitUtil.align(length, ALIGNMENT);
        memory = ByteBuffer.allocateDirect(capacity);
        buffer = new UnsafeBuffer(memory);
    }

    @Override
    public long lastSequence() {
        return lastSequence.get();
    }

    void lastSequence(final long sequence) {
        lastSequence.set(sequence);
    }

    @Override
    public int limit() {
        return limit;
    }

    boolean isEmpty() {
        return count.get() == 0;
    }

    int capacity() {
        return capacity;
    }

    /** Whether a message could be appended now. */
    boolean hasRoom(final int length) {
        final int entryLength = BitUtil.align(HEADER_LENGTH + length, ALIGNMENT);
        if (entryLength > capacity / 2) {
            throw new PenstockException(
                    ErrorCode.MESSAGE_TOO_LONG,
                    "publish: longer than the store takes: " + length + " bytes (use at most "
                            + (capacity / 2 - HEADER_LENGTH) + ", or a larger store)");
        }
        final long position = tail.get();
        final int toEnd = capacity - (int) (position % capacity);
        final int needed = toEnd < entryLength ? toEnd + entryLength : entryLength;
        return count.get() < limit && capacity - (position - head.get()) >= needed;
    }

    @Override
    public boolean append(final long sequence, final DirectBuffer frame, final int offset, final int length) {
        assert sequence > lastSequence.get();
        if (!hasRoom(length)) {
            return false;
        }
        final int entryLength = BitUtil.align(HEADER_LENGTH + length, ALIGNMENT);
        long position = tail.get();
        int at = (int) (position % capacity);
        if (capacity - at < entryLength) {
            buffer.putInt(at + LENGTH_OFFSET, capacity - at);
            buffer.putInt(at + TYPE_OFFSET, TYPE_PADDING);
            position += capacity - at;
            at = 0;
        }
        buffer.putInt(at + LENGTH_OFFSET, entryLength);
        buffer.putInt(at + TYPE_OFFSET, TYPE_MESSAGE);
        buffer.putLong(at + SEQUENCE_OFFSET, sequence);
        buffer.putInt(at + FRAME_LENGTH_OFFSET, length);
        buffer.putBytes(at + HEADER_LENGTH, frame, offset, length);
        count.getAndIncrement();
        lastSequence.set(sequence);
        tail.set(position + entryLength);
        return true;
    }

    @Override
    public boolean read(final long fromSequence, final Reader reader) {
        final long end = tail.get();
        final boolean isAhead = fromSequence > readSequence && readPosition >= head.get();
        long position = isAhead ? readPosition : head.get();
        while (position < end) {
            final int at = (int) (position % capacity);
            final int entryLength = buffer.getInt(at + LENGTH_OFFSET);
            if (buffer.getInt(at + TYPE_OFFSET) == TYPE_MESSAGE) {
                final long sequence = buffer.getLong(at + SEQUENCE_OFFSET);
                if (sequence >= fromSequence) {
                    final boolean isTaken = reader.onEntry(
                            sequence, buffer, at + HEADER_LENGTH, buffer.getInt(at + FRAME_LENGTH_OFFSET));
                    if (isTaken) {
                        readPosition = position + entryLength;
                        readSequence = sequence;
                    }
                    return isTaken;
                }
            }
            position += entryLength;
        }
        return false;
    }

    @Override
    public void discard(final long sequence) {
        final long end = tail.get();
        long position = head.get();
        int discarded = 0;
        while (position < end) {
            final int at = (int) (position % capacity);
            final boolean isPadding = buffer.getInt(at + TYPE_OFFSET) == TYPE_PADDING;
            if (!isPadding && buffer.getLong(at + SEQUENCE_OFFSET) > sequence) {
                break;
            }
            discarded += isPadding ? 0 : 1;
            position += buffer.getInt(at + LENGTH_OFFSET);
        }
        count.getAndAdd(-discarded);
        head.set(position);
    }

    @Override
    public void remove(final long sequence) {
        final long end = tail.get();
        long position = head.get();
        while (position < end) {
            final int at = (int) (position % capacity);
            if (buffer.getInt(at + TYPE_OFFSET) == TYPE_MESSAGE && buffer.getLong(at + SEQUENCE_OFFSET) == sequence) {
                buffer.putInt(at + TYPE_OFFSET, TYPE_REMOVED);
                return;
            }
            position += buffer.getInt(at + LENGTH_OFFSET);
        }
    }

    /** The lowest sequence that is kept, removed ones among them; the largest long when there is none. */
    long firstSequence() {
        long position = head.get();
        final long end = tail.get();
        while (position < end) {
            final int at = (int) (position % capacity);
            if (buffer.getInt(at + TYPE_OFFSET) != TYPE_PADDING) {
                return buffer.getLong(at + SEQUENCE_OFFSET);
            }
            position += buffer.getInt(at + LENGTH_OFFSET);
        }
        return Long.MAX_VALUE;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            buffer.wrap(0, 0);
            BufferUtil.free(memory);
        }
    }
}
