package io.penstock.format.json;

import io.penstock.format.MessageEditor;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Where a message is written. Behind the end bytes are counted, but not written, so that what is taken back with
 * {@link #position(long)} needs no room.
 */
final class JsonOutput {
    private MutableDirectBuffer buffer = new UnsafeBuffer(new byte[0]);
    private int offset;
    private int limit;
    private long position;

    void wrap(final MutableDirectBuffer to, final int toOffset, final int toLength) {
        if (!to.isExpandable()) {
            Objects.checkFromIndexSize(toOffset, toLength, to.capacity());
        }
        buffer = to;
        offset = toOffset;
        limit = toLength;
        position = 0;
    }

    long position() {
        return position;
    }

    /** Takes back what was written after a position. */
    void position(final long before) {
        position = before;
    }

    void put(final int character) {
        if (position < limit) {
            buffer.putByte(offset + (int) position, (byte) character);
        }
        position++;
    }

    void put(final DirectBuffer source, final int sourceOffset, final int length) {
        if (position + length <= limit) {
            buffer.putBytes(offset + (int) position, source, sourceOffset, length);
        }
        position += length;
    }

    /** Copies a part of a message. */
    void put(final JsonBytes source, final int start, final int end) {
        put(source.buffer(), source.offset() + start, end - start);
    }

    int length() {
        return position <= limit ? (int) position : MessageEditor.TOO_LONG;
    }
}
