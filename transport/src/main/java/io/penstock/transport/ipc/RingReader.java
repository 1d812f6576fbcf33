package io.penstock.transport.ipc;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The only reader of a ring. Its own position is private. The writer's position is read once into a local and checked
 * against the ring's bounds; records are copied, many at once, into memory that the writer cannot reach, and read
 * there. Whatever is in the ring, this reads nothing outside of it.
 */
final class RingReader {
    static final int EMPTY = -1;
    static final int BROKEN = -2;

    /** Bytes that are copied at once, or a whole record when that is longer. */
    static final int PIECE_LENGTH = 8 * 1024;

    /** Length of the memory to which records are copied. */
    static final int COPY_LENGTH = Records.lengthOf(Records.PART_LENGTH_MAX);

    private final UnsafeBuffer buffer;
    private final UnsafeBuffer copy;
    private final int ring;
    private final int ringLength;
    private final int tailOffset;
    private final int headOffset;

    /** Position of the next record. */
    private long head;

    private long publishedHead;

    /** The writer's position as last read, and checked. */
    private long tail;

    private int copyLength;
    private int copyOffset;
    private int partLength;
    private int frameLength;
    private boolean isHeld;

    /**
     * A reader.
     *
     * @param file   with the ring.
     * @param ownEnd of the file.
     * @param copy   of {@link #COPY_LENGTH} at least, which readers of one agent share.
     */
    RingReader(final RingFile file, final int ownEnd, final UnsafeBuffer copy) {
        buffer = file.buffer();
        this.copy = copy;
        ring = file.ring(1 - ownEnd);
        ringLength = file.ringLength();
        tailOffset = RingFile.words(1 - ownEnd) + RingFile.TAIL_OFFSET;
        headOffset = RingFile.words(ownEnd) + RingFile.HEAD_OFFSET;
    }

    boolean isEmpty() {
        return tail == head && buffer.getLongVolatile(tailOffset) == head;
    }

    /** Looks at the next record. Returns the length of its part, or {@link #EMPTY}, or {@link #BROKEN}. */
    int next() {
        if (isHeld) {
            copy.putBytes(0, buffer, ring + index(), Records.lengthOf(partLength));
            copyLength = copyOffset = 0;
            return partLength;
        }
        while (true) {
            if (copyOffset == copyLength) {
                final int state = load();
                if (state < 0) {
                    return state;
                }
            }
            final long header = copy.getLong(copyOffset, ByteOrder.LITTLE_ENDIAN);
            partLength = Records.partLength(header);
            if (partLength == Records.PADDING) {
                if (!skipPadding()) {
                    return BROKEN;
                }
            } else if (partLength < 0 || partLength > Records.PART_LENGTH_MAX) {
                return BROKEN;
            } else if (Records.lengthOf(partLength) <= copyLength - copyOffset) {
                frameLength = Records.frameLength(header);
                return partLength;
            } else if (copyOffset == 0) {
                return BROKEN;
            } else {
                // The piece ends in the middle of this one.
                copyOffset = copyLength;
            }
        }
    }

    /** Copies the next record, and as many behind it as a piece has room for. Negative when there is none. */
    private int load() {
        if (tail == head) {
            final long latest = buffer.getLongAcquire(tailOffset);
            final long available = latest - head;
            if (available < 0 || available > ringLength || (available & (Records.ALIGNMENT - 1)) != 0) {
                return BROKEN;
            }
            if (available == 0) {
                return EMPTY;
            }
            tail = latest;
        }
        final int index = index();
        final int available = (int) Math.min(tail - head, ringLength - index);
        final int part = Records.partLength(buffer.getLong(ring + index, ByteOrder.LITTLE_ENDIAN));
        final int wanted = part < 0 || part > Records.PART_LENGTH_MAX ? 0 : Records.lengthOf(part);
        copyLength = Math.min(available, Math.max(wanted, PIECE_LENGTH));
        copyOffset = 0;
        copy.putBytes(0, buffer, ring + index, copyLength);
        return copyLength;
    }

    /** Goes on at the start of the ring. Nobody writes padding there, or padding and nothing behind it. */
    private boolean skipPadding() {
        final int index = index();
        final int padding = ringLength - index;
        if (index == 0 || padding >= tail - head) {
            return false;
        }
        head += padding;
        copyOffset = copyLength;
        return true;
    }

    private int index() {
        return (int) head & (ringLength - 1);
    }

    /** Where the part of the record is in the copy; there until the next look. */
    int partOffset() {
        return copyOffset + Records.HEADER_LENGTH;
    }

    /** The length of the frame that the record states; not checked. */
    int frameLength() {
        return frameLength;
    }

    /** Goes on after the record. */
    void take() {
        final int length = Records.lengthOf(partLength);
        head += length;
        copyOffset = isHeld ? copyLength : copyOffset + length;
        isHeld = false;
    }

    /** Goes back to the record that was taken last. Its lengths stay as they were, whatever the writer does now. */
    void putBack() {
        head -= Records.lengthOf(partLength);
        copyOffset = copyLength;
        isHeld = true;
    }

    /** Forgets the copy, and gives the room of what was taken to the writer. Returns whether there was any. */
    boolean release() {
        copyOffset = copyLength;
        if (head == publishedHead) {
            return false;
        }
        publishedHead = head;
        buffer.putLongRelease(headOffset, head);
        return true;
    }
}
