package io.penstock.transport.ipc;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The only writer of a ring. Its own position is private; of the reader it believes only a head that does not go back
 * and does not pass what was written.
 */
final class RingWriter {
    private static final int MASK = RingFile.RING_LENGTH - 1;

    private final UnsafeBuffer buffer;
    private final int ring;
    private final int tailOffset;
    private final int headOffset;
    private long tail;
    private long head;
    private boolean isBroken;

    RingWriter(final RingFile file, final int ownEnd) {
        buffer = file.buffer();
        ring = RingFile.ring(ownEnd);
        tailOffset = RingFile.words(ownEnd) + RingFile.TAIL_OFFSET;
        headOffset = RingFile.words(1 - ownEnd) + RingFile.HEAD_OFFSET;
    }

    /** Writes a record, which the reader sees at once. False when there is no room, or the reader broke the rules. */
    boolean write(
            final DirectBuffer header,
            final int headerOffset,
            final int headerLength,
            final DirectBuffer body,
            final int bodyOffset,
            final int bodyLength,
            final int frameLength) {
        final int partLength = headerLength + bodyLength;
        final int recordLength = Records.lengthOf(partLength);
        final int toEnd = RingFile.RING_LENGTH - ((int) tail & MASK);
        final int padding = recordLength > toEnd ? toEnd : 0;
        if (!hasRoom(padding + recordLength)) {
            return false;
        }
        if (padding > 0) {
            putHeader((int) tail & MASK, Records.PADDING, 0);
            tail += padding;
        }
        final int index = (int) tail & MASK;
        putHeader(index, partLength, frameLength);
        final int bytesOffset = ring + index + Records.HEADER_LENGTH;
        buffer.putBytes(bytesOffset, header, headerOffset, headerLength);
        buffer.putBytes(bytesOffset + headerLength, body, bodyOffset, bodyLength);
        tail += recordLength;
        buffer.putLongRelease(tailOffset, tail);
        return true;
    }

    private boolean hasRoom(final int length) {
        if (RingFile.RING_LENGTH - (tail - head) >= length) {
            return true;
        }
        final long latest = buffer.getLongAcquire(headOffset);
        if (latest < head || latest > tail) {
            isBroken = true;
            return false;
        }
        head = latest;
        return RingFile.RING_LENGTH - (tail - latest) >= length;
    }

    private void putHeader(final int index, final int partLength, final int frameLength) {
        buffer.putLong(ring + index, Records.header(partLength, frameLength), ByteOrder.LITTLE_ENDIAN);
    }

    /** Whether the reader has moved since there was no room. */
    boolean hasNewRoom() {
        return buffer.getLongAcquire(headOffset) != head;
    }

    /** Whether the reader's head is one that cannot be. */
    boolean isBroken() {
        return isBroken;
    }
}
