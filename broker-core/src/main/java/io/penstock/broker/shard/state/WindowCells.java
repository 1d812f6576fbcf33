package io.penstock.broker.shard.state;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages in cells of one length, so that any of them leaves without a gap that only a message of its length would fill.
 * The first cell of a message also has its place among the others, see {@link MovingWindow}. Takes memory on the heap in
 * chunks, and uses it again. Owned by the sequencer.
 *
 * <pre>
 *   0   next cell of the message, or of those that are free
 *   4   length of message and headers          (first cell only, like those below)
 *   8   time
 *   16  entry before, in the order in which they came
 *   20  entry after
 *   24  entry after, of the same group
 *   28  group
 *   32  length of the headers
 *   36  bytes (in other cells from 4)
 * </pre>
 */
final class WindowCells {
    /** No cell. */
    static final int NONE = -1;

    static final int CELL_LENGTH = 64;
    static final int TIME_OFFSET = 8;
    static final int BEFORE_OFFSET = 16;
    static final int AFTER_OFFSET = 20;
    static final int AFTER_IN_GROUP_OFFSET = 24;
    static final int GROUP_OFFSET = 28;
    static final int HEADERS_LENGTH_OFFSET = 32;
    private static final int LENGTH_OFFSET = 4;
    private static final int FIRST_OFFSET = 36;
    private static final int REST_OFFSET = 4;
    private static final int FIRST_LENGTH = CELL_LENGTH - FIRST_OFFSET;
    private static final int REST_LENGTH = CELL_LENGTH - REST_OFFSET;
    private static final int CHUNK_SHIFT = 10;
    private static final int CHUNK_MASK = (1 << CHUNK_SHIFT) - 1;

    private UnsafeBuffer[] chunks = new UnsafeBuffer[0];
    private int madeCount;
    private int usedCount;
    private int free = NONE;

    /** Has no messages, and no memory yet. */
    WindowCells() {}

    /** Bytes of the cells that a message takes. */
    static long lengthOf(final int messageLength) {
        return CELL_LENGTH * cellCount(messageLength);
    }

    private static long cellCount(final int messageLength) {
        return messageLength <= FIRST_LENGTH ? 1 : 1 + (messageLength - FIRST_LENGTH + REST_LENGTH - 1L) / REST_LENGTH;
    }

    /** Bytes of the cells that messages take now. */
    long usedLength() {
        return (long) usedCount * CELL_LENGTH;
    }

    /** Bytes of memory that there is for cells, in use or not. */
    long memoryLength() {
        return ((madeCount + CHUNK_MASK) >>> CHUNK_SHIFT) * ((long) CELL_LENGTH << CHUNK_SHIFT);
    }

    /** Copies a message into cells. Returns the first one, whose other fields are to be set. */
    int put(final DirectBuffer message, final int offset, final int length) {
        final int first = take();
        putInt(first, LENGTH_OFFSET, length);
        int cell = first;
        int at = Math.min(length, FIRST_LENGTH);
        buffer(cell).putBytes(offsetOf(cell) + FIRST_OFFSET, message, offset, at);
        while (at < length) {
            final int next = take();
            putInt(cell, 0, next);
            cell = next;
            final int count = Math.min(length - at, REST_LENGTH);
            buffer(cell).putBytes(offsetOf(cell) + REST_OFFSET, message, offset + at, count);
            at += count;
        }
        putInt(cell, 0, NONE);
        return first;
    }

    /** Length of a message with its headers, in bytes. */
    int length(final int first) {
        return getInt(first, LENGTH_OFFSET);
    }

    /** Copies a message to the beginning of a buffer. */
    void read(final int first, final MutableDirectBuffer to) {
        final int length = length(first);
        int cell = first;
        int at = Math.min(length, FIRST_LENGTH);
        to.putBytes(0, buffer(cell), offsetOf(cell) + FIRST_OFFSET, at);
        while (at < length) {
            cell = getInt(cell, 0);
            final int count = Math.min(length - at, REST_LENGTH);
            to.putBytes(at, buffer(cell), offsetOf(cell) + REST_OFFSET, count);
            at += count;
        }
    }

    /** Gives the cells of a message back. */
    void free(final int first) {
        int last = first;
        usedCount--;
        int next;
        while ((next = getInt(last, 0)) != NONE) {
            last = next;
            usedCount--;
        }
        putInt(last, 0, free);
        free = first;
    }

    int getInt(final int cell, final int field) {
        return buffer(cell).getInt(offsetOf(cell) + field, LITTLE_ENDIAN);
    }

    void putInt(final int cell, final int field, final int value) {
        buffer(cell).putInt(offsetOf(cell) + field, value, LITTLE_ENDIAN);
    }

    long time(final int first) {
        return buffer(first).getLong(offsetOf(first) + TIME_OFFSET, LITTLE_ENDIAN);
    }

    void time(final int first, final long value) {
        buffer(first).putLong(offsetOf(first) + TIME_OFFSET, value, LITTLE_ENDIAN);
    }

    private int take() {
        usedCount++;
        if (free != NONE) {
            final int cell = free;
            free = getInt(cell, 0);
            return cell;
        }
        final int chunk = madeCount >>> CHUNK_SHIFT;
        if ((madeCount & CHUNK_MASK) == 0) {
            if (chunk == chunks.length) {
                chunks = Arrays.copyOf(chunks, Math.max(4, 2 * chunk));
            }
            chunks[chunk] = new UnsafeBuffer(new byte[CELL_LENGTH << CHUNK_SHIFT]);
        }
        return madeCount++;
    }

    private UnsafeBuffer buffer(final int cell) {
        return chunks[cell >>> CHUNK_SHIFT];
    }

    private static int offsetOf(final int cell) {
        return (cell & CHUNK_MASK) * CELL_LENGTH;
    }
}
