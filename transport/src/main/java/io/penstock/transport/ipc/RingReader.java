package io.penstock.transport.ipc;

import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The only reader of a ring. Its own position is private. What the writer says is read once into locals and checked
 * against the ring's bounds before it is used; whatever is in the ring, this reads nothing outside of it.
 */
final class RingReader {
    static final int EMPTY = -1;
    static final int BROKEN = -2;

    private static final int MASK = RingFile.RING_LENGTH - 1;

    private final UnsafeBuffer buffer;
    private final int ring;
    private final int tailOffset;
    private final int headOffset;
    private long head;
    private long publishedHead;
    private int partLength;
    private int frameLength;
    private boolean isHeld;

    RingReader(final RingFile file, final int ownEnd) {
        buffer = file.buffer();
        ring = RingFile.ring(1 - ownEnd);
        tailOffset = RingFile.words(1 - ownEnd) + RingFile.TAIL_OFFSET;
        headOffset = RingFile.words(ownEnd) + RingFile.HEAD_OFFSET;
    }

    boolean isEmpty() {
        return buffer.getLongVolatile(tailOffset) == head;
    }

    /** Looks at the next record. Returns the length of its part, or {@link #EMPTY}, or {@link #BROKEN}. */
    int next() {
        if (isHeld) {
            return partLength;
        }
        final long available = buffer.getLongAcquire(tailOffset) - head;
        if (available == 0) {
            return EMPTY;
        }
        if (available < 0 || available > RingFile.RING_LENGTH || (available & (Records.ALIGNMENT - 1)) != 0) {
            return BROKEN;
        }
        final int index = (int) head & MASK;
        final long header = buffer.getLong(ring + index, ByteOrder.LITTLE_ENDIAN);
        if (Records.partLength(header) == Records.PADDING && index > 0) {
            final int padding = RingFile.RING_LENGTH - index;
            // Nobody writes padding and nothing behind it.
            if (padding >= available) {
                return BROKEN;
            }
            head += padding;
            return check(buffer.getLong(ring, ByteOrder.LITTLE_ENDIAN), (int) available - padding);
        }
        return check(header, (int) Math.min(available, RingFile.RING_LENGTH - index));
    }

    private int check(final long header, final int available) {
        partLength = Records.partLength(header);
        frameLength = Records.frameLength(header);
        if (partLength < 0 || partLength > Records.PART_LENGTH_MAX || Records.lengthOf(partLength) > available) {
            return BROKEN;
        }
        return partLength;
    }

    /** What the record says of the length of its frame; not checked. */
    int frameLength() {
        return frameLength;
    }

    /** Copies the part of the record to the start of a buffer, and goes on behind it. */
    void take(final MutableDirectBuffer target) {
        isHeld = false;
        buffer.getBytes(ring + ((int) head & MASK) + Records.HEADER_LENGTH, target, 0, partLength);
        head += Records.lengthOf(partLength);
    }

    /** Goes back to the record that was taken last. Its lengths stay as they were, whatever the writer does now. */
    void putBack() {
        head -= Records.lengthOf(partLength);
        isHeld = true;
    }

    /** Gives the room of what was taken to the writer. Returns whether there was any. */
    boolean release() {
        if (head == publishedHead) {
            return false;
        }
        publishedHead = head;
        buffer.putLongRelease(headOffset, head);
        return true;
    }
}
