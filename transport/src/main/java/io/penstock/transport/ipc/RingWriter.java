package io.penstock.transport.ipc;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The only writer of a ring. Its own position is private; it accepts a head of the reader only if it does not go back
 * and does not pass the written records.
 */
final class RingWriter {
    /** The most bytes that lie in the ring without the reader's knowledge; each notice costs both sides. */
    private static final int HIDDEN_LENGTH_MAX = 4 * 1024;

    private final UnsafeBuffer buffer;
    private final int ring;
    private final int ringLength;
    private final int tailOffset;
    private final int headOffset;
    private long tail;
    private long publishedTail;
    private long head;
    private boolean isBroken;

    RingWriter(final RingFile file, final int ownEnd) {
        buffer = file.buffer();
        ring = file.ring(ownEnd);
        ringLength = file.ringLength();
        tailOffset = RingFile.words(ownEnd) + RingFile.TAIL_OFFSET;
        headOffset = RingFile.words(1 - ownEnd) + RingFile.HEAD_OFFSET;
    }

    /**
     * Writes a record, which the reader sees when it is published. False when there is no room, or the reader broke the
     * rules; all is published then.
     */
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
        int index = (int) tail & (ringLength - 1);
        final int padding = recordLength > ringLength - index ? ringLength - index : 0;
        if (ringLength - (tail - head) < padding + recordLength && !hasNewRoom(padding + recordLength)) {
            publish();
            return false;
        }
        if (padding > 0) {
            putHeader(index, Records.PADDING, 0);
            tail += padding;
            index = 0;
        }
        putHeader(index, partLength, frameLength);
        final int bytesOffset = ring + index + Records.HEADER_LENGTH;
        buffer.putBytes(bytesOffset, header, headerOffset, headerLength);
        buffer.putBytes(bytesOffset + headerLength, body, bodyOffset, bodyLength);
        tail += recordLength;
        if (tail - publishedTail >= HIDDEN_LENGTH_MAX) {
            publish();
        }
        return true;
    }

    private boolean hasNewRoom(final int length) {
        final long latest = buffer.getLongAcquire(headOffset);
        if (latest < head || latest > publishedTail) {
            isBroken = true;
            return false;
        }
        head = latest;
        return ringLength - (tail - latest) >= length;
    }

    private void putHeader(final int index, final int partLength, final int frameLength) {
        buffer.putLong(ring + index, Records.header(partLength, frameLength), ByteOrder.LITTLE_ENDIAN);
    }

    /** Shows the reader all that was written. */
    void publish() {
        if (publishedTail != tail) {
            publishedTail = tail;
            buffer.putLongRelease(tailOffset, tail);
        }
    }

    /** Whether the reader has moved since there was no room. */
    boolean isHeadNew() {
        return buffer.getLongAcquire(headOffset) != head;
    }

    /** Whether the reader's head is one that cannot be. */
    boolean isBroken() {
        return isBroken;
    }
}
